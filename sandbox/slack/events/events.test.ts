import type { App } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stringIn } from '../json.ts';
import { botOf, clientOf, HTTP_MANIFEST, httpBotOf, serve, startSlack } from '../local-slack.testing.ts';
import type { LocalSlack } from '../server.ts';

interface Heard {
  event: object;
  body: object;
}

describe.each(['sockets', 'HTTP'])('events by %s', (way) => {
  let slack: LocalSlack;
  let app: App;
  let heard: Heard[];
  let stop: () => Promise<void>;

  beforeEach(async () => {
    slack = await startSlack(way === 'sockets' ? {} : { manifestFile: HTTP_MANIFEST });
    ({ app, stop } = way === 'sockets' ? await startSocketBot(slack) : await startHttpBot(slack));
    heard = [];
    for (const name of ['app_mention', 'message', 'app_home_opened']) {
      app.event(name, async ({ event, body }) => {
        heard.push({ event, body });
      });
    }
  });
  afterEach(async () => {
    await stop();
    await slack.close();
  });

  const ann = () => slack.workspace.as('U0ANN');
  const events = () => heard.map(({ event }) => event);

  test('report a mention in a channel that the bot is in, and in a thread there', async () => {
    await ann().says('C0ONCALL', 'hey @Notif, where is txn_1?');
    const { ts = '' } = ann().sees('C0ONCALL')[0] ?? {};
    await ann().says('C0ONCALL', '@notif and txn_2?', { threadTs: ts });
    await ann().says('C0ONCALL', 'not for you');
    await ann().says('C0QUIET', '@Notif are you here?');
    await vi.waitFor(() => expect(heard).toHaveLength(2), { timeout: 60_000 });
    const text = 'hey <@U0BOT>, where is txn_1?';
    const said = { type: 'app_mention', channel: 'C0ONCALL', user: 'U0ANN' };
    expect(events()).toMatchObject([
      { ...said, text, ts, event_ts: ts },
      { ...said, thread_ts: ts },
    ]);
    expect(events()[0]).not.toHaveProperty('thread_ts');
  });

  test('report a direct message, but not the bot’s own and no edits', async () => {
    const client = clientOf(slack);
    const { ts = '' } = await client.chat.postMessage({ channel: 'D0ANN', text: 'mine' });
    await client.chat.update({ channel: 'D0ANN', ts, text: 'still mine' });
    await ann().says('D0ANN', 'txn_1');
    await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 60_000 });
    expect(events()).toMatchObject([
      { type: 'message', channel_type: 'im', channel: 'D0ANN', user: 'U0ANN', text: 'txn_1' },
    ]);
  });

  test('are repeated under the same ID when Slack takes an acknowledgment for lost', async () => {
    await ann().says('C0ONCALL', '@Notif');
    await slack.faults.redeliver();
    await vi.waitFor(() => expect(heard).toHaveLength(2), { timeout: 60_000 });
    const [first, second] = heard.map(({ body }) => stringIn(body, 'event_id'));
    expect(second).toBe(first);
  });
});

async function startSocketBot(slack: LocalSlack) {
  const app = botOf(slack);
  await app.start();
  return { app, stop: async () => void (await app.stop()) };
}

async function startHttpBot(slack: LocalSlack) {
  const { app, listener } = httpBotOf(slack);
  const server = await serve(listener);
  await slack.postTo(`${server.origin}/slack/events`);
  return { app, stop: async () => server.stop() };
}
