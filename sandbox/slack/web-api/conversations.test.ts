import { describe, expect, test } from 'vitest';
import { stringIn } from '../json.ts';
import { clientOf, refusalOf, slackEachTest } from '../local-slack.testing.ts';
import { CHANNELS } from '../seed.ts';

const channel = 'C0ONCALL';

describe('conversations.*', () => {
  const group = { id: 'C0GROUP', name: 'mpdm-ann--notif-1', kind: 'group', members: ['U0ANN', 'U0BOT'] } as const;
  const slack = slackEachTest({ channels: [...CHANNELS, group] });
  const client = () => clientOf(slack);

  const post = async (text: string, more: Record<string, unknown> = {}) =>
    stringIn(await client().apiCall('chat.postMessage', { channel, text, ...more }), 'ts') ?? '';
  const texts = async (args: Record<string, unknown> = {}) =>
    ((await client().conversations.history({ channel, ...args })).messages ?? []).map(({ text }) => text);

  test('read history newest first, without ephemeral messages and replies', async () => {
    const ts = await post('one');
    await post('reply', { thread_ts: ts });
    await client().chat.postEphemeral({ channel, user: 'U0ANN', text: 'psst' });
    await post('two');
    expect(await texts()).toEqual(['two', 'one']);
    const { messages } = await client().conversations.replies({ channel, ts });
    expect(messages?.map(({ text }) => text)).toEqual(['one', 'reply']);
  });

  test('return the parent of a thread in which nothing is as new as the oldest', async () => {
    const ts = await post('one');
    await post('old reply', { thread_ts: ts });
    const oldest = await post('two');
    const thread = async () => (await client().conversations.replies({ channel, ts, oldest })).messages;
    expect(await thread()).toMatchObject([{ text: 'one' }]);
    await post('new reply', { thread_ts: ts });
    expect(await thread()).toMatchObject([{ text: 'one' }, { text: 'new reply' }]);
  });

  test.each([
    ['D0ANN', 'im:history'],
    ['C0GROUP', 'mpim:history'],
  ])('need the scope of the conversation’s type: %s', async (channel, needed) => {
    slack.workspace.revoke(needed);
    expect(await refusalOf(client().conversations.history({ channel }))).toMatchObject({
      error: 'missing_scope',
      needed,
      provided: expect.stringContaining('channels:history'),
    });
  });
});
