import type { App, SlackCommandMiddlewareArgs } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answer } from '../replies.ts';
import type { LocalSlack } from '../server.ts';
import { botOf, clientOf, startSlack } from '../testing.ts';
import { Traffic } from './traffic.ts';

const CHANNEL = 'C0ONCALL';
const TOO_LONG = { type: 'section', text: { type: 'plain_text', text: 'a'.repeat(3_001) } };

describe('the traffic between bot and workspace', () => {
  let slack: LocalSlack;
  let client: WebClient;
  let bot: App | undefined;
  beforeEach(async () => {
    slack = await startSlack();
    client = clientOf(slack);
  });
  afterEach(async () => {
    await bot?.stop();
    bot = undefined;
    await slack.close();
  });

  const startBot = async (onCommand: (args: SlackCommandMiddlewareArgs) => Promise<void>) => {
    bot = botOf(slack);
    bot.command('/notif', onCommand);
    await bot.start();
  };

  const lines = () => slack.traffic.lines();
  const last = () => lines().at(-1);
  const call = (method: string, args: Record<string, unknown>) => client.apiCall(method, args).catch(() => undefined);

  test('shows a call with short arguments, and with all of them when opened', async () => {
    await call('chat.postMessage', { channel: CHANNEL, text: 'hello', blocks: [{ type: 'divider' }] });
    const about = 'channel=C0ONCALL text=hello blocks=[1]';
    expect(last()).toMatchObject({ kind: 'call', what: 'chat.postMessage', about, outcome: { is: 'accepted' } });
    expect(slack.traffic.entry(last()?.id ?? 0)).toMatchObject({
      sent: { blocks: [{ type: 'divider' }] },
      answer: { ok: true, channel: CHANNEL },
    });
  });

  test('shows a refusal with its reason and its place in the blocks', async () => {
    await call('chat.postMessage', { channel: CHANNEL, text: 't', blocks: [TOO_LONG] });
    const problems = [{ message: 'must be less than 3001 characters', pointer: '/blocks/0/text/text' }];
    expect(last()?.outcome).toEqual({ is: 'refused', error: 'invalid_blocks', hint: null, problems });
  });

  test('shows a missing scope, and how long to wait at a limit', async () => {
    slack.workspace.revoke('chat:write');
    await call('chat.postMessage', { channel: CHANNEL, text: 't' });
    expect(last()?.outcome).toMatchObject({ error: 'missing_scope', hint: 'needs chat:write' });
    slack.faults.next('auth.test', { kind: 'rate-limited', retryAfterSeconds: 7 });
    await fetch(`${slack.apiUrl}auth.test`, { method: 'POST' });
    expect(last()?.outcome).toMatchObject({ error: 'ratelimited', hint: 'try again after 7 s' });
  });

  test('shows a lost answer', async () => {
    slack.faults.next('auth.test', { kind: 'reset', when: 'after' });
    await call('auth.test', {});
    expect(last()).toMatchObject({ what: 'auth.test', outcome: { is: 'lost' } });
  });

  test('shows what the bot received, and the time to its acknowledgment', async () => {
    await startBot(({ ack }) => ack());
    await slack.workspace.as('U0ANN').types(CHANNEL, '/notif failures 2h');
    const outcome = { is: 'acknowledged', afterMs: expect.any(Number) };
    expect(last()).toMatchObject({ kind: 'envelope', what: '/notif failures 2h', about: 'by ann', outcome });
  });

  test('shows a missing acknowledgment', async () => {
    await slack.close();
    slack = await startSlack({ ackTimeoutMs: 1 });
    await startBot(async () => {});
    await slack.workspace.as('U0ANN').types(CHANNEL, '/notif help');
    expect(last()?.outcome).toEqual({ is: 'never acknowledged', error: 'operation_timeout' });
  });

  test('shows what was wrong with the answer in an acknowledgment', async () => {
    await startBot(({ ack }) => ack({ text: 't', blocks: [{ type: 'section' }] }));
    await slack.workspace.as('U0ANN').types(CHANNEL, '/notif help');
    expect(last()?.outcome).toMatchObject({ is: 'refused', error: 'invalid_blocks', hint: 'in the acknowledgment' });
  });

  test('shows connections that open, are asked to close, and close', async () => {
    await startBot(async () => {});
    slack.faults.refreshSockets();
    await slack.workspace.until(() => lines().some(({ what }) => what === 'closed'), { what: 'the goodbye' });
    const connections = lines().filter(({ kind }) => kind === 'connection');
    expect(connections.map(({ what, about }) => [what, about])).toEqual([
      ['opened', '1 open'],
      ['asked to leave', 'refresh_requested'],
      ['closed', '0 open'],
    ]);
  });

  test('is sent to the page at once and continuously, without any secret', async () => {
    await startBot(async () => {});
    const page = await fetch(`${slack.url}/page/traffic`);
    const told = page.body?.pipeThrough(new TextDecoderStream()).getReader();
    const everything = (await told?.read())?.value ?? '';
    await call('auth.test', {});
    const news = (await told?.read())?.value ?? '';
    await told?.cancel();
    expect(everything).toContain('apps.connections.open');
    expect(news).toMatch(/^event: traffic\ndata: \[\{.*"what":"auth.test".*\}\]\n\n$/);
    const entries = lines().map(({ id }) =>
      fetch(`${slack.url}/page/traffic/entry?id=${id}`).then((got) => got.text()),
    );
    const all = [everything, news, ...(await Promise.all(entries))].join('');
    expect(all).toContain('/link/?ticket=•••');
    for (const secret of [slack.botToken, slack.appToken, slack.signingSecret]) expect(all).not.toContain(secret);
  });
});

test('keeps the newest 500 notes', () => {
  const traffic = new Traffic(() => 0);
  for (let count = 1; count <= 500; count += 1) traffic.call('auth.test', {}, answer({ ok: true }));
  expect(traffic.lines()).toHaveLength(500);
  traffic.call('auth.test', {}, answer({ ok: true }));
  expect(traffic.lines().map(({ id }) => id)).toEqual(Array.from({ length: 500 }, (_, index) => index + 2));
});
