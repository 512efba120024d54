import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { bodyOf } from '../../lib/http.ts';
import { heard } from '../../lib/logger.testing.ts';
import { unobserved } from '../../lib/logger.ts';
import { serve } from '../../lib/serve.testing.ts';
import { registerRoutes } from '../router/register.ts';
import { RoutedSlack } from '../router/routed-slack.testing.ts';
import { createSlackConnection, type SlackConnectionOptions } from './connection.ts';
import { type SlackServer, startSlackServer } from './slack-server.testing.ts';

const RUNS = Number(process.env.FUZZ_RUNS ?? 300);
const LIMIT_MS = 60_000 + RUNS * 100;

/** Each part of what Slack sends is replaced by this one time in five. */
const anything = fc.jsonValue({ maxDepth: 2 });
const or = <T>(value: fc.Arbitrary<T>) => fc.oneof({ arbitrary: value, weight: 4 }, { arbitrary: anything, weight: 1 });
const name = (...names: string[]) => or(fc.constantFrom(...names));
const some = (fields: Record<string, fc.Arbitrary<unknown>>) => or(fc.record(fields, { requiredKeys: [] }));
const person = some({ id: name('U0ANN'), team_id: anything });
const view = some({ id: anything, callback_id: name('watch'), private_metadata: anything, state: anything });
const event = some({
  type: name('app_mention', 'message', 'app_home_opened', 'ws_message', 'close', 'error', '__proto__'),
  user: name('U0ANN'),
  text: name('<@U0BOT> x'),
  channel: name('C0ONCALL'),
  ts: name('1.2'),
  tab: name('home'),
  channel_type: name('im'),
  edited: anything,
  blocks: anything,
});
const body = some({
  type: name('event_callback', 'block_actions', 'view_submission', 'shortcut', 'block_suggestion', 'url_verification'),
  event,
  authorizations: anything,
  event_id: anything,
  team_id: anything,
  team: anything,
  user: person,
  view,
  command: name('/notif'),
  text: name('help'),
  user_id: name('U0ANN'),
  channel_id: anything,
  channel: anything,
  actions: or(fc.array(some({ action_id: name('run:1'), type: name('button'), value: anything }))),
  trigger_id: anything,
  response_url: anything,
  container: anything,
  message: anything,
  ssl_check: anything,
});
const frame = some({
  type: name('events_api', 'slash_commands', 'interactive', 'slack_event', 'ws_message', 'close', 'error', 'connected'),
  envelope_id: name('e1'),
  payload: body,
  retry_attempt: anything,
  accepts_response_payload: anything,
});

const routed = new RoutedSlack();
const ends: unknown[] = [];
const end = (error: unknown) => void ends.push(error);
let slack: SlackServer;
let connection: ReturnType<typeof createSlackConnection>;

beforeAll(async () => {
  slack = await startSlackServer();
  for (const ending of ['unhandledRejection', 'uncaughtException']) process.on(ending, end);
});
afterEach(() => connection.stop());
afterAll(async () => {
  for (const ending of ['unhandledRejection', 'uncaughtException']) process.off(ending, end);
  await slack.close();
});

function connect(transport: SlackConnectionOptions['transport']) {
  const { logger, lines } = heard();
  const ears = { onFatal: end, onAcknowledged: () => {}, onHello: () => {}, observeCalls: unobserved };
  const to = { botToken: 'xoxb-bot', apiUrl: slack.apiUrl, storeCode: '1f2e3d4c', now: Date.now };
  const timing = { backoff: { firstMs: 5, longestMs: 20 }, openTimeoutMs: 60_000, drainMs: 100 };
  connection = createSlackConnection({ ...to, ...ears, transport, logger, timing });
  const { postingClient, newerKinds } = connection;
  registerRoutes({ ...routed.ctx, logger, postingClient, newerKinds }, connection.app, []);
  connection.app.command('/still-there', ({ ack }) => ack());
  return lines;
}

test(
  'a frame of the socket never ends the process or the connection, whatever it is, and one that is malformed is a line in the log',
  async () => {
    const lines = connect({ mode: 'socket', appToken: 'xapp-app' });
    await connection.start();
    const send = (text: string) => slack.sockets[0]?.send(text);
    const isHeard = async (id: string) => {
      const payload = { command: '/still-there', trigger_id: id };
      send(JSON.stringify({ type: 'slash_commands', envelope_id: id, payload }));
      const ids = () => slack.acknowledgments.map(({ envelope_id }) => envelope_id);
      await vi.waitFor(() => expect(ids()).toContain(id), { timeout: 60_000, interval: 5 });
    };
    const malformed = [
      ...['null', '7', '[]', '{', '{"type":"close"}'],
      '{"type":"events_api","envelope_id":"e","payload":{"event":null}}',
      '{"type":"events_api","envelope_id":"e","payload":"x"}',
      '{"type":"interactive","envelope_id":"e","payload":{"type":{"toString":7}}}',
    ];
    for (const text of malformed) send(text);
    await isHeard('first');
    expect(lines().filter((line) => line.includes('is malformed'))).toHaveLength(malformed.length);
    const sent = slack.calls.length;
    let batch = 0;
    const frames = fc.array(
      fc.oneof(
        frame.map((value) => JSON.stringify(value)),
        fc.string(),
      ),
      { minLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(frames, async (texts) => {
        for (const text of texts) send(text);
        batch += 1;
        await isHeard(`batch-${batch}`);
        expect(ends).toEqual([]);
      }),
      { numRuns: Math.ceil(RUNS / 20), endOnFailure: true },
    );
    expect(slack.calls.slice(sent)).not.toContain('apps.connections.open');
  },
  LIMIT_MS,
);

describe('a post to /slack/events', () => {
  const SECRET = 'signing-secret';
  const FORM = 'application/x-www-form-urlencoded';
  const signed = (text: string, stamp = Math.floor(Date.now() / 1000)) => ({
    'x-slack-request-timestamp': `${stamp}`,
    'x-slack-signature': `v0=${createHmac('sha256', SECRET).update(`v0:${stamp}:${text}`).digest('hex')}`,
  });

  async function started() {
    const lines = connect({ mode: 'http', signingSecret: SECRET });
    await connection.start();
    const server = await serve((request, response) => {
      connection.answerRequest?.(request, response).catch(end);
    });
    const post = (text: string, type: string, headers: Record<string, string> = signed(text), forMs = LIMIT_MS) => {
      const sent = { method: 'POST', body: text, headers: { 'content-type': type, ...headers } };
      const signal = AbortSignal.timeout(forMs);
      return fetch(`${server.url}/slack/events`, { ...sent, signal }).then(({ status }) => status);
    };
    return { lines, post, close: server.close };
  }

  test(
    'never ends the process, whatever is signed, and what is malformed is answered with 400',
    async () => {
      const { post, close } = await started();
      for (const text of ['null', '7', '{', '{"event":null}', '{"event":{"type":7}}', '{"type":{"toString":7}}'])
        expect([text, await post(text, 'application/json')]).toEqual([text, 400]);
      for (const text of ['payload=null', 'payload=%7B', 'payload=7']) expect(await post(text, FORM)).toBe(400);
      const asForm = (value: unknown) => `payload=${encodeURIComponent(JSON.stringify(value))}`;
      const posts = fc.oneof(
        fc.tuple(
          body.map((value) => JSON.stringify(value)),
          fc.constant('application/json'),
        ),
        fc.tuple(body.map(asForm), fc.constant(FORM)),
        fc.tuple(fc.string(), fc.constantFrom(FORM, 'application/json', 'text/plain')),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(posts, { minLength: 60, maxLength: 60 }), async (many) => {
          // Bolt keeps a delivery that nothing acknowledges for three seconds.
          await Promise.all(many.map(([text, type]) => post(text, type, undefined, 200).catch(() => null)));
          expect(ends).toEqual([]);
        }),
        { numRuns: Math.ceil(RUNS / 60) },
      );
      close();
    },
    LIMIT_MS,
  );

  test('is refused with a time to come, with none, and if it is too long, or takes too much memory', async () => {
    const { post, close } = await started();
    const text = '{"type":"event_callback"}';
    const json = 'application/json';
    expect(await post(text, json, signed(text, Math.floor(Date.now() / 1000) + 600))).toBe(401);
    expect(await post(text, json, { ...signed(text), 'x-slack-request-timestamp': 'soon' })).toBe(401);
    expect(await post('x'.repeat(5 * 2 ** 20), json).catch(() => 413)).toBe(413);
    expect(await bodyOf(Readable.from(Array(1_000).fill(Buffer.from('x'))), 100_000)).toBeNull();
    close();
  });

  test('that is not signed is logged once a minute, however many there are', async () => {
    const { lines, post, close } = await started();
    for (let each = 0; each < 200; each += 1) expect(await post('{}', 'application/json', {})).toBe(401);
    expect(lines().filter((line) => line.startsWith('A post was refused'))).toHaveLength(1);
    close();
  });
});
