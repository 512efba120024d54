import type { App } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { botOf, clientOf, startSlack } from '../local-slack.testing.ts';
import type { LocalSlack } from '../server.ts';

describe('events', () => {
  let slack: LocalSlack;
  let app: App;
  let heard: object[];

  beforeEach(async () => {
    slack = await startSlack();
    app = botOf(slack);
    heard = [];
    for (const name of ['app_mention', 'message']) app.event(name, async ({ event }) => void heard.push(event));
    await app.start();
  });
  afterEach(async () => {
    await app.stop();
    await slack.close();
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
