import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type LocalSlack, startLocalSlack } from '../../../sandbox/slack/server.ts';
import { heard, silent } from '../../lib/logger.testing.ts';
import { unobserved } from '../../lib/logger.ts';
import { type Served, serve } from '../../lib/serve.testing.ts';
import { createSlackConnection } from './connection.ts';

type SlackConnection = ReturnType<typeof createSlackConnection>;

const EARS = { onFatal: () => {}, onAcknowledged: () => {}, onHello: () => {} };
const UNOBSERVED = { ...EARS, observeCalls: unobserved, storeCode: '1f2e3d4c', now: Date.now };

describe('a connection by HTTP', () => {
  let slack: LocalSlack;
  let connection: SlackConnection;
  let connect: () => SlackConnection;
  let server: Served;
  let url: string;
  let logged: () => string[];
  let said: string[];

  beforeEach(async () => {
    slack = await startLocalSlack({ manifestFile: 'manifest.http.yml' });
    said = [];
    const { logger, lines } = heard();
    logged = lines;
    const { botToken, apiUrl, signingSecret } = slack;
    const taken = new Set<string>();
    const isFirst = async (interaction: string) => !taken.has(interaction) && taken.add(interaction) !== undefined;
    connect = () => {
      const connected = createSlackConnection({
        botToken,
        apiUrl,
        logger,
        isFirst,
        ...UNOBSERVED,
        transport: { mode: 'http', signingSecret },
        timing: { drainMs: 1_000 },
      });
      connected.app.command('/notif', async ({ ack, command, respond }) => {
        await ack();
        said.push(command.text);
        await respond(`answer to ${command.text}`);
      });
      connected.app.event('app_mention', async ({ event }) => void said.push(event.text));
      return connected;
    };
    connection = connect();
    server = await serve((request, response) => void connection.answerRequest?.(request, response));
    url = `${server.url}/slack/events`;
  });
  afterEach(async () => {
    await connection.stop();
    server.close();
    await slack.close();
  });

  const ann = () => slack.workspace.as('U0ANN');

  async function start(): Promise<void> {
    await connection.start();
    await slack.postTo(url);
  }

  test('answers the challenge before it has reached Slack, and refuses requests until then, and once it has stopped', async () => {
    await expect(slack.postTo(slack.apiUrl)).rejects.toThrow('challenge');
    await slack.postTo(url);
    expect(connection.isConnected()).toBe(false);
    expect(await ann().types('C0ONCALL', '/notif too early')).toMatchObject({ ok: false, error: 'dispatch_failed' });
    await connection.start();
    expect(connection.isConnected()).toBe(true);
    expect(await ann().types('C0ONCALL', '/notif now')).toMatchObject({ ok: true });
    await vi.waitFor(() => expect(said).toEqual(['now']), { timeout: 60_000 });
    await connection.stop();
    expect(await ann().types('C0ONCALL', '/notif too late')).toMatchObject({ ok: false });
  });

  test('handles a request once, even if Slack repeats it or someone replays it', async () => {
    await start();
    await ann().says('C0ONCALL', '@Notif hello');
    await slack.faults.redeliver();
    expect(await slack.forge('replay')).toBe(200);
    await ann().types('C0ONCALL', '/notif once');
    expect(await slack.forge('replay')).toBe(200);
    await vi.waitFor(() => expect(said).toHaveLength(2), { timeout: 60_000 });
    expect(logged().filter((line) => line.startsWith('A repeated request'))).toHaveLength(3);
  });

  test('only acknowledges what a person did before a restart, if someone replays it', async () => {
    await start();
    await ann().types('C0ONCALL', '/notif once');
    await vi.waitFor(() => expect(said).toEqual(['once']), { timeout: 60_000 });
    await connection.stop();
    connection = connect();
    await connection.start();
    expect(await slack.forge('replay')).toBe(200);
    await ann().types('C0ONCALL', '/notif twice');
    await vi.waitFor(() => expect(said).toEqual(['once', 'twice']), { timeout: 60_000 });
  });

  test("refuses requests that aren't from Slack, and logs why", async () => {
    await start();
    await ann().types('C0ONCALL', '/notif mine');
    await vi.waitFor(() => expect(said).toEqual(['mine']), { timeout: 60_000 });
    expect(await slack.forge('wrong signature')).toBe(401);
    expect(await slack.forge('old timestamp')).toBe(401);
    expect(await slack.forge('altered body')).toBe(401);
    expect((await fetch(url, { method: 'POST' })).status).toBe(401);
    expect((await fetch(url)).status).toBe(405);
    expect(said).toEqual(['mine']);
    const refused = logged().filter((line) => line.startsWith('A post was refused'));
    expect(refused.join()).toMatch(/signature mismatch.*stale.*x-slack-signature/s);
    expect(logged().join()).not.toContain(slack.signingSecret);
  });
});

describe('a request whose listener fails', () => {
  const transport = { mode: 'http', signingSecret: 'secret' } as const;
  const mention = { body: { event_id: 'Ev1', event: { type: 'app_mention' } }, ack: async () => {} };
  const started = (said: () => Promise<void>) => {
    const options = { botToken: 'xoxb-bot', transport, apiUrl: null, logger: silent, ...UNOBSERVED };
    const { app } = createSlackConnection(options);
    app.isTaking = true;
    app.event('app_mention', said);
    return app;
  };

  test('is handled when Slack repeats it', async () => {
    const said = vi.fn().mockRejectedValueOnce(new Error('broken'));
    const app = started(said);
    await expect(app.processEvent(mention)).rejects.toThrow('broken');
    await app.processEvent(mention);
    await app.processEvent(mention);
    expect(said).toHaveBeenCalledTimes(2);
  });

  test('is reported as the error, which the log shows with its message', async () => {
    const app = started(() => Promise.reject(new Error('broken')));
    const failed = vi.fn();
    app.error(failed);
    await app.processEvent(mention);
    expect(failed.mock.calls).toEqual([[expect.objectContaining({ message: 'broken' })]]);
  });
});
