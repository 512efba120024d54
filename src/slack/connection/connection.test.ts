import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newGate } from '../../lib/gate.testing.ts';
import { heard } from '../../lib/logger.testing.ts';
import type { SlackConnection, SlackConnectionOptions } from './connection.ts';
import {
  answering,
  connectionTo,
  hanging,
  type SlackServer,
  startSlackServer,
  TIMING,
} from './slack-server.testing.ts';

let slack: SlackServer;
let connection: SlackConnection;
let log: ReturnType<typeof heard>;
let fatal: unknown[];
let acknowledged: string[];

beforeEach(async () => {
  slack = await startSlackServer();
  log = heard();
  fatal = [];
  acknowledged = [];
});

afterEach(async () => {
  await connection.stop();
  await slack.close();
});

function connect(options: Partial<SlackConnectionOptions> = {}): SlackConnection {
  connection = connectionTo(slack, {
    logger: log.logger,
    onFatal: (error) => fatal.push(error),
    onAcknowledged: (requestType) => acknowledged.push(requestType),
    ...options,
  });
  return connection;
}

const callsOf = (method: string) => slack.calls.filter((call) => call === method).length;
const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 5 });

async function startWithBothSockets(): Promise<void> {
  await connection.start();
  await until(() => expect(slack.sockets).toHaveLength(2));
}

function command(id: string, more: object = {}): object {
  const payload = {
    command: '/notif',
    text: 'help',
    user_id: 'U0ANN',
    team_id: 'T1',
    channel_id: 'C0ONCALL',
    trigger_id: `trigger-${id}`,
    response_url: `${slack.origin}/response`,
    ...more,
  };
  return { envelope_id: id, type: 'slash_commands', payload, accepts_response_payload: true };
}

function event(id: string, eventId: string, retry: object = {}): object {
  const body = {
    type: 'event_callback',
    event_id: eventId,
    team_id: 'T1',
    authorizations: [{ team_id: 'T1' }],
    event: { type: 'channel_archive', channel: 'C0ONCALL', user: 'U0ANN' },
  };
  return { envelope_id: id, type: 'events_api', payload: body, ...retry };
}

describe('start', () => {
  test("asks for the bot's identity, then opens two sockets", async () => {
    connect();
    await startWithBothSockets();
    const connecting = slack.calls.filter((call) => call !== 'blocks.validate');
    expect(connecting).toEqual(['auth.test', 'apps.connections.open', 'apps.connections.open']);
    expect(connection.isConnected()).toBe(true);
  });

  test.each(['auth.test', 'apps.connections.open'])('retries while %s fails', async (method) => {
    slack.answers.set(method, answering({ ok: false, error: 'internal_error' }));
    connect();
    const started = connection.start();
    await until(() => expect(callsOf(method)).toBeGreaterThan(3));
    expect(connection.isConnected()).toBe(false);
    slack.answers.set(method, answering({}, 503));
    await until(() => expect(callsOf(method)).toBeGreaterThan(6));
    slack.answers.delete(method);
    await started;
    expect(connection.isConnected()).toBe(true);
    expect(log.lines().join()).toContain("Slack can't be reached; trying again");
  });

  test('fails when Slack refuses the token for sockets, and names it', async () => {
    slack.answers.set('apps.connections.open', answering({ ok: false, error: 'invalid_auth' }));
    await expect(connect().start()).rejects.toThrow('Slack refuses SLACK_APP_TOKEN with invalid_auth. Next: ');
  });

  test('retries when a socket is accepted without a hello', async () => {
    slack.greets = false;
    connect({ timing: { ...TIMING, openTimeoutMs: 100 } });
    const started = connection.start();
    // Each of the two sockets was tried, and one of them again.
    await until(() => expect(callsOf('apps.connections.open')).toBeGreaterThan(2));
    slack.greets = true;
    await started;
    expect(connection.isConnected()).toBe(true);
  });

  test('keeps the app token and the bot token out of the log', async () => {
    slack.answers.set('apps.connections.open', answering({}, 500));
    connect();
    const started = connection.start();
    await until(() => expect(log.log.length).toBeGreaterThan(3));
    slack.answers.delete('apps.connections.open');
    await started;
    expect(log.lines().join()).not.toMatch(/xapp-|xoxb-/);
  });
});

describe('requests', () => {
  test('are handled once, and repeats are only acknowledged', async () => {
    const said: string[] = [];
    connect().app.command('/notif', async ({ ack, command: { text } }) => {
      said.push(text);
      await ack('at once');
    });
    await startWithBothSockets();
    slack.send(slack.sockets[0], command('e1'));
    slack.send(slack.sockets[1], command('e1'));
    slack.send(slack.sockets[1], command('e2', { trigger_id: 'trigger-e1' }));
    await until(() => expect(slack.acknowledgments).toHaveLength(3));
    expect(said).toEqual(['help']);
    // Nobody knows which socket is read first.
    const answers = slack.acknowledgments.map(({ payload }) => JSON.stringify(payload));
    expect(answers.sort()).toEqual(['{"text":"at once"}', '{}', '{}']);
    expect(acknowledged).toEqual(['slash_commands']);
  });

  test('marked as repeats are handled if the first never arrived', async () => {
    const said: unknown[] = [];
    connect().app.event('channel_archive', async ({ context }) => void said.push(context.retryNum));
    await startWithBothSockets();
    slack.send(slack.sockets[0], event('e1', 'Ev1', { retry_attempt: 2, retry_reason: 'timeout' }));
    slack.send(slack.sockets[0], event('e2', 'Ev1', { retry_attempt: 3, retry_reason: 'timeout' }));
    await until(() => expect(slack.acknowledgments).toHaveLength(2));
    expect(said).toEqual([2]);
  });

  test('are acknowledged while the Web API hangs', async () => {
    connect({ timing: { drainMs: 20 } }).app.command('/notif', async ({ ack }) => {
      await ack();
      await connection.postingClient.chat.postMessage({ channel: 'C0ONCALL', text: 'found' });
    });
    await startWithBothSockets();
    slack.answers.set('chat.postMessage', hanging);
    for (let each = 0; each < 100; each += 1) slack.send(slack.sockets[each % 2], command(`e${each}`));
    await until(() => expect(slack.acknowledgments).toHaveLength(100));
  });
});

describe('an ending connection', () => {
  test.each([['warning'], ['refresh_requested']])('is reopened, while the other one is open (%s)', async (reason) => {
    const said: string[] = [];
    connect().app.command('/notif', async ({ ack, command: { text } }) => {
      await ack();
      said.push(text);
    });
    await startWithBothSockets();
    const [first, second] = [...slack.sockets];
    slack.send(first, { type: 'disconnect', reason });
    slack.send(second, command('e1'));
    await until(() => expect(said).toEqual(['help']));
    expect(connection.isConnected()).toBe(true);
    await until(() => expect(callsOf('apps.connections.open')).toBe(3));
    await until(() => expect(slack.sockets).toHaveLength(2));
    expect(slack.sockets).toContain(second);
  });

  test('has Slack say how many there are, once for two recounts at once', async () => {
    const hellos: number[] = [];
    connect({ onHello: (connections) => hellos.push(connections) });
    await startWithBothSockets();
    await until(() => expect(hellos).toHaveLength(2));
    const [, second] = slack.sockets;
    connection.recount();
    connection.recount();
    await until(() => expect(hellos).toHaveLength(3));
    expect(slack.sockets).toHaveLength(2);
    expect(slack.sockets[0]).toBe(second);
  });

  test('costs no answer if it closes before the acknowledgment', async () => {
    let answered = false;
    const closed = newGate();
    connect().app.command('/notif', async ({ ack }) => {
      await closed.opened;
      await ack();
      answered = true;
    });
    await startWithBothSockets();
    const [first] = slack.sockets;
    slack.answers.set('apps.connections.open', answering({}, 500));
    slack.send(first, command('e1'));
    slack.send(first, { type: 'disconnect', reason: 'refresh_requested' });
    await until(() => expect(slack.sockets).not.toContain(first));
    closed.open();
    await until(() => expect(answered).toBe(true));
    expect(log.lines().join()).toContain("An acknowledgment couldn't be sent");
  });

  test('is retried for as long as Slack is away', async () => {
    connect();
    await startWithBothSockets();
    slack.answers.set('apps.connections.open', answering({}, 500));
    for (const socket of [...slack.sockets]) socket.terminate();
    await until(() => expect(connection.isConnected()).toBe(false));
    // After the two that succeeded, both sockets are tried several times.
    await until(() => expect(callsOf('apps.connections.open')).toBeGreaterThan(2 + 4));
    slack.answers.delete('apps.connections.open');
    await until(() => expect(connection.isConnected()).toBe(true));
    expect(fatal).toEqual([]);
  });

  test('is reported as fatal, once, when Slack refuses the token', async () => {
    connect();
    await startWithBothSockets();
    slack.answers.set('apps.connections.open', answering({ ok: false, error: 'account_inactive' }));
    for (const socket of [...slack.sockets]) socket.terminate();
    await until(() => expect(fatal).toHaveLength(1));
    expect(`${fatal[0]}`).toContain('Slack refuses SLACK_APP_TOKEN with account_inactive.');
  });
});

describe('stop', () => {
  test('waits for a running listener, then closes the sockets', async () => {
    const finished = newGate();
    let done = false;
    connect().app.command('/notif', async ({ ack }) => {
      await ack();
      await finished.opened;
      done = true;
    });
    await startWithBothSockets();
    slack.send(slack.sockets[0], command('e1'));
    await until(() => expect(slack.acknowledgments).toHaveLength(1));
    const stopped = connection.stop();
    expect(slack.sockets).toHaveLength(2);
    finished.open();
    await stopped;
    expect(done).toBe(true);
    await until(() => expect(slack.sockets).toHaveLength(0));
    expect(connection.isConnected()).toBe(false);
  });

  test('gives up on a listener that never ends, and logs that', async () => {
    connect({ timing: { drainMs: 20 } }).app.command('/notif', async ({ ack }) => {
      await ack();
      await new Promise(() => {});
    });
    await startWithBothSockets();
    slack.send(slack.sockets[0], command('e1'));
    await until(() => expect(slack.acknowledgments).toHaveLength(1));
    await connection.stop();
    expect(log.lines().join()).toContain('with answers still under way {"abandoned":1}');
  });
});
