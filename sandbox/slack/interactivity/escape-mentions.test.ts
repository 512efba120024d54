import { describe, expect, test } from 'vitest';
import { BOT, CHANNELS, PEOPLE, USER_GROUPS } from '../seed.ts';
import { Changes } from '../state/changes.ts';
import { Conversations } from '../state/conversations.ts';
import { People } from '../state/people.ts';
import { escapeMentions } from './escape-mentions.ts';

const changes = new Changes();
const workspace = {
  people: new People(PEOPLE, changes),
  userGroups: USER_GROUPS,
  conversations: new Conversations({ channels: CHANNELS, people: PEOPLE, botUserId: BOT.userId }, changes),
};

describe('escapeMentions', () => {
  test.each([
    ['people', 'ask @ann', 'ask <@U0ANN|ann>'],
    ['user groups', 'mention:@oncall', 'mention:<!subteam^S0ONCALL|@oncall>'],
    ['channels', 'in #oncall', 'in <#C0ONCALL|oncall>'],
    ['addresses', 'see https://example.com/#oncall?@ann now', 'see <https://example.com/#oncall?@ann> now'],
  ])('converts %s into references', (_what, typed, sent) => {
    expect(escapeMentions(typed, workspace)).toBe(sent);
  });

  test('keeps unknown names and email addresses as typed', () => {
    expect(escapeMentions('mail x@ann about #nothing to @nobody', workspace)).toBe(
      'mail x@ann about #nothing to @nobody',
    );
  });
});
