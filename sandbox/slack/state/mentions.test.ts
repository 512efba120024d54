import { describe, expect, test } from 'vitest';
import { BOT, CHANNELS, PEOPLE, USER_GROUPS } from '../seed.ts';
import { Changes } from './changes.ts';
import { Conversations } from './conversations.ts';
import { mentionedBy } from './messages.ts';

const conversations = new Conversations({ channels: CHANNELS, people: PEOPLE, botUserId: BOT.userId }, new Changes());
const mrkdwn = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });

const empty = { text: '', blocks: [], attachments: [], metadata: null };
const mentioned = (content: object, where: object = {}) =>
  mentionedBy(
    { ...empty, ...content, channel: 'C0ONCALL', author: BOT.userId, onlyVisibleTo: null, ...where },
    { conversations, userGroups: USER_GROUPS },
  );

describe('mentionedBy', () => {
  test.each([
    ['a person', '<@U0BEN|ben> look', ['U0BEN']],
    ['a user group', 'look <!subteam^S0ONCALL|@oncall>', ['U0ANN']],
    ['everybody', '<!here> look', ['U0ANN', 'U0BEN']],
    ['somebody twice', '<@U0ANN> <!subteam^S0ONCALL>', ['U0ANN']],
    ['a stranger', '<@U0EVE> look', []],
    ['nobody', '@ann &lt;@U0ANN&gt;', []],
  ])('finds %s', (_who, text, ids) => {
    expect(mentioned({ text })).toEqual(ids);
    expect(mentioned({ blocks: [mrkdwn(text)] })).toEqual(ids);
  });

  test('ignores text that isn’t shown because of blocks, and plain text', () => {
    const plain = { type: 'header', text: { type: 'plain_text', text: '<@U0ANN>' } };
    expect(mentioned({ text: '<@U0ANN>', blocks: [plain] })).toEqual([]);
  });

  test('finds nobody in an ephemeral message, nor the author', () => {
    expect(mentioned({ text: '<@U0ANN>' }, { onlyVisibleTo: 'U0ANN' })).toEqual([]);
    expect(mentioned({ text: '<@U0ANN>' }, { author: 'U0ANN' })).toEqual([]);
  });
});
