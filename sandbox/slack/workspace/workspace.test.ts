import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clientOf, startSlack, startSlackWith } from '../local-slack.testing.ts';
import { snapshotSchema } from '../page-protocol.ts';
import type { LocalSlack } from '../server.ts';

describe('the workspace', () => {
  let slack: LocalSlack;
  beforeEach(async () => {
    slack = await startSlack();
  });
  afterEach(() => slack.close());

  test('shows the newest 300 messages of a conversation on the page, each with its replies', async () => {
    const { chat } = clientOf(slack);
    const post = (text: string, thread_ts?: string) =>
      chat.postMessage({ channel: 'C0ONCALL', text, ...(thread_ts === undefined ? {} : { thread_ts }) });
    const [first, second] = [await post('first'), await post('second')];
    for (let count = 3; count <= 301; count += 1) await post(`${count}`);
    await post('to the second', second.ts);
    await post('to the first', first.ts);
    const answer = await fetch(`${slack.url}/page/snapshot?as=U0ANN`);
    const { conversations } = snapshotSchema.parse(await answer.json());
    const texts = conversations.find(({ id }) => id === 'C0ONCALL')?.messages.map(({ text }) => text) ?? [];
    expect(texts).toHaveLength(301);
    expect([texts[0], texts.at(-1)]).toEqual(['second', 'to the second']);
  });

  test('marks mentions for the people in a new message, but not in an edit', async () => {
    const client = clientOf(slack);
    const channel = 'C0ONCALL';
    const { ts = '' } = await client.chat.postMessage({ channel, text: '<!subteam^S0ONCALL> look' });
    const edited = await client.chat.postMessage({ channel, text: 'quietly' });
    await client.chat.update({ channel, ts: edited.ts ?? '', text: '<@U0ANN> <@U0BEN> look' });
    expect(slack.workspace.as('U0ANN').mentions(channel)).toMatchObject([{ ts, edits: 0 }]);
    expect(slack.workspace.as('U0BEN').mentions(channel)).toEqual([]);
    expect(slack.workspace.as('U0BEN').sees(channel)[1]).toMatchObject({ mentionsMe: false, edits: 1 });
  });

  test('refuses messages to a bot whose messages tab is read-only', async () => {
    const readOnly = await startSlackWith({ 'features.app_home.messages_tab_read_only_enabled': true });
    const ann = readOnly.workspace.as('U0ANN');
    for (const text of ['hello bot', '/notif help']) {
      expect(await ann.types('D0ANN', text)).toMatchObject({ ok: false, error: 'messages_tab_read_only' });
    }
    await readOnly.close();
  });
});
