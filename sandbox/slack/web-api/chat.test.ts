import { describe, expect, test } from 'vitest';
import { clientOf, refusalOf, slackEachTest } from '../local-slack.testing.ts';

const BLOCKS = [{ type: 'section' as const, text: { type: 'plain_text' as const, text: 'hello' } }];
const ONCALL = 'C0ONCALL';

describe('chat.*', () => {
  const slack = slackEachTest();
  const client = () => clientOf(slack);

  const seen = () => slack.workspace.as('U0ANN').sees(ONCALL);
  const post = async () =>
    (await client().chat.postMessage({ channel: ONCALL, text: 'hello', blocks: BLOCKS })).ts ?? '';

  test('posts a reply to a deleted message in the channel, which only the answer shows', async () => {
    const ts = await post();
    slack.workspace.deleteMessage(ONCALL, ts);
    const { message } = await client().chat.postMessage({ channel: ONCALL, text: 'late', thread_ts: ts });
    expect(message).not.toHaveProperty('thread_ts');
    expect(seen()).toMatchObject([{ text: 'late', threadTs: null }]);
  });

  test('shows an ephemeral message in a thread only if the thread has a reply', async () => {
    const ts = await post();
    const whisper = (text: string) =>
      client().chat.postEphemeral({ channel: ONCALL, user: 'U0ANN', text, thread_ts: ts });
    await whisper('too early');
    await slack.workspace.as('U0BEN').says(ONCALL, 'a reply', { threadTs: ts });
    await whisper('psst');
    expect(seen().map(({ text, threadTs }) => [text, threadTs])).toEqual([
      ['hello', null],
      ['a reply', ts],
      ['psst', ts],
    ]);
  });

  test.each([
    ['an unknown channel', { channel: 'C0NOWHERE', text: 't' }, 'channel_not_found'],
    ['a channel that the bot is not in', { channel: 'C0QUIET', text: 't' }, 'not_in_channel'],
    ['nothing to show', { channel: ONCALL }, 'no_text'],
    ['no channel', { text: 't' }, 'invalid_arguments'],
    ['a reply to nothing', { channel: ONCALL, text: 't', thread_ts: '1.000001' }, 'cannot_reply_to_message'],
  ])('refuses %s', async (_what, args, error) => {
    expect(await refusalOf(client().apiCall('chat.postMessage', args))).toMatchObject({ error });
  });
});
