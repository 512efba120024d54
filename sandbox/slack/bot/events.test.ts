import { describe, expect, test, vi } from 'vitest';
import { botEachTest, clientOf, slackEachTest } from '../local-slack.testing.ts';

describe('events', () => {
  const slack = slackEachTest();
  const heard: object[] = [];
  botEachTest(slack, (app) => {
    for (const name of ['app_mention', 'message']) app.event(name, async ({ event }) => void heard.push(event));
  });

  const ann = () => slack.workspace.as('U0ANN');

  test('report a direct message, but not the bot’s own and no edits', async () => {
    const client = clientOf(slack);
    const { ts = '' } = await client.chat.postMessage({ channel: 'D0ANN', text: 'mine' });
    await client.chat.update({ channel: 'D0ANN', ts, text: 'still mine' });
    await ann().says('D0ANN', 'txn_1');
    await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 60_000 });
    expect(heard).toMatchObject([
      { type: 'message', channel_type: 'im', channel: 'D0ANN', user: 'U0ANN', text: 'txn_1' },
    ]);
  });
});
