import type { App } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HTTP_MANIFEST, httpBotOf, serve, startSlack } from './local-slack.testing.ts';
import type { LocalSlack } from './server.ts';

describe('a bot without Socket Mode', () => {
  let slack: LocalSlack;
  let app: App;
  let origin: string;
  let stopBot: () => void;

  const start = async (options: { ackTimeoutMs?: number } = {}) => {
    slack = await startSlack({ ...options, manifestFile: HTTP_MANIFEST });
    const bot = httpBotOf(slack);
    app = bot.app;
    const server = await serve((request, response) => {
      if (request.url === '/slack/events') bot.listener(request, response);
      else response.writeHead(404).end();
    });
    origin = server.origin;
    stopBot = server.stop;
    await slack.postTo(`${origin}/slack/events`);
  };
  const stop = async () => {
    stopBot();
    await slack.close();
  };
  beforeEach(() => start());
  afterEach(stop);

  const ann = () => slack.workspace.as('U0ANN');
  const command = () => ann().types('C0ONCALL', '/notif help');

  test('that doesn’t acknowledge in time causes an error for the person', async () => {
    await stop();
    await start({ ackTimeoutMs: 1 });
    app.command('/notif', async () => {});
    expect(await command()).toMatchObject({ ok: false, error: 'operation_timeout' });
  });

  test('that isn’t running causes an error for the person', async () => {
    stopBot();
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    expect(await command()).toMatchObject({ ok: false, error: 'dispatch_failed' });
    const reason = expect.stringContaining('ECONNREFUSED');
    const url = `${origin}/slack/events`;
    expect(warn).toHaveBeenCalledWith('the bot could not be reached by HTTP', { url, reason });
    warn.mockRestore();
  });

  test('gets nothing at a URL that doesn’t answer the challenge', async () => {
    await expect(slack.postTo(`${origin}/nowhere`)).rejects.toThrow(/challenge: .* answered 404/);
    stopBot();
    await expect(slack.postTo(`${origin}/slack/events`)).rejects.toThrow();
  });
});
