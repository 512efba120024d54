import { createServer, type Server } from 'node:http';
import { App, HTTPReceiver } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listen } from './http/listen.ts';
import type { LocalSlack } from './server.ts';
import { quiet, startSlackWith } from './testing.ts';

describe('a bot without Socket Mode', () => {
  let slack: LocalSlack;
  let app: App;
  let server: Server;
  let origin: string;

  beforeEach(async () => {
    const events = ['settings', 'event_subscriptions', 'bot_events'];
    slack = await startSlackWith(events, ['channel_archive'], { ackTimeoutMs: 200 });
    const receiver = new HTTPReceiver({ signingSecret: slack.signingSecret, logger: quiet });
    app = new App({ token: slack.botToken, receiver, logger: quiet, clientOptions: { slackApiUrl: slack.apiUrl } });
    server = createServer((request, response) => {
      if (request.url === '/slack/events') receiver.requestListener(request, response);
      else response.writeHead(404).end();
    });
    origin = await listen(server, 0);
    slack.postTo(`${origin}/slack/events`);
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await slack.close();
  });

  const command = () => slack.workspace.as('U0ANN').types('C0ONCALL', '/notif help');

  it('is told by signed posts, and answers in its acknowledgement or by response_url', async () => {
    app.command('/notif', async ({ ack, respond }) => {
      await ack('at once');
      await respond('later');
    });
    expect(await command()).toMatchObject({ ok: true });
    const ann = slack.workspace.as('U0ANN');
    await slack.workspace.until(() => ann.sees('C0ONCALL').length === 2, { what: 'both answers' });
    expect(
      ann
        .sees('C0ONCALL')
        .map(({ text }) => text)
        .toSorted(),
    ).toEqual(['at once', 'later']);
  });

  it('hears shortcuts', async () => {
    app.shortcut('find_notification', ({ ack }) => ack());
    expect(await slack.workspace.as('U0ANN').choosesShortcut('find_notification')).toMatchObject({ ok: true });
  });

  it('hears events', async () => {
    const heard: object[] = [];
    app.event('channel_archive', async ({ event }) => {
      heard.push(event);
    });
    await slack.workspace.as('U0ANN').archives('C0ONCALL');
    await vi.waitFor(() => expect(heard).toMatchObject([{ channel: 'C0ONCALL', user: 'U0ANN' }]));
  });

  it('lets the person know when it does not acknowledge in time', async () => {
    app.command('/notif', async () => {});
    expect(await command()).toMatchObject({ ok: false, error: 'operation_timeout' });
  });

  it('lets the person know when it is not there', async () => {
    slack.postTo(`${origin}/nowhere`);
    expect(await command()).toMatchObject({ ok: false, error: 'dispatch_failed' });
    server.closeAllConnections();
    server.close();
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    expect(await command()).toMatchObject({ ok: false, error: 'dispatch_failed' });
    const reason = expect.stringContaining('ECONNREFUSED');
    expect(warn).toHaveBeenCalledWith('the bot could not be reached by HTTP', { url: `${origin}/nowhere`, reason });
    warn.mockRestore();
  });
});
