import { afterEach, expect, test } from 'vitest';
import type { Served } from '../lib/serve.testing.ts';
import { Payload } from '../lib/text/payload.ts';
import { aClient, anItem, answering, PERSON } from './client.testing.ts';
import type { NotificationService } from './operations.ts';

const SECRETS = {
  token: 'SG.Zx81mKq0NotARealKey7Wd2.NotARealSecretAtAll0123456789abcd',
  authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJub3QifQ.NotARealSignature000',
  webhook: 'https://hooks.slack.com/services/T0SANDBOX/B0SANDBOX/n0tARealW3bh00kOfAnyone',
  email: 'dana.private@customer.example',
  phone: '+4915550104477',
};
const API_KEY = 'plain words as a key';
const ALL = Object.values(SECRETS).join(' ');

let server: Served | undefined;
afterEach(() => server?.close());

const { email, phone } = SECRETS;
const people = { subscriberId: 'user-1', firstName: 'Dana', lastName: 'Private', email, phone };
const credentials = { webhookUrl: SECRETS.webhook, deviceTokens: [SECRETS.token], apiKey: SECRETS.token };
const detail = { _id: 'd', status: 'Failed', detail: ALL, raw: JSON.stringify({ ALL }), source: 'Internal' };
const job = {
  _id: 'j',
  type: 'email',
  status: 'failed',
  executionDetails: [detail],
  overrides: { ALL },
  payload: { ALL },
  step: { name: 'Send', template: { ALL }, controlVariables: { ALL } },
};
const event = {
  transactionId: 't-1',
  subscriber: people,
  to: { ...people, channels: [{ providerId: 'slack', credentials }] },
  payload: { note: ALL, apiKey: SECRETS.token },
  controls: { ALL },
  jobs: [job],
};
const message = {
  _notificationId: 'n',
  transactionId: 't-1',
  channel: 'email',
  status: 'error',
  email,
  phone,
  subscriber: { ...people, channels: [{ providerId: 'slack', credentials }] },
  content: ALL,
  subject: ALL,
  title: ALL,
  directWebhookUrl: SECRETS.webhook,
  deviceTokens: [SECRETS.token],
  errorId: ALL,
  errorText: ALL,
  payload: { ALL },
  overrides: { ALL },
  cta: {
    data: { url: `https://example.com/login?token=${SECRETS.token}` },
    action: { buttons: [{ type: 'primary', content: ALL }], result: { payload: { ALL } } },
  },
};
const integration = {
  identifier: 'i',
  providerId: 'slack',
  channel: 'chat',
  active: true,
  _environmentId: 'e',
  credentials,
  configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: SECRETS.token },
  conditions: [{ children: [{ on: 'payload', field: SECRETS.email, value: ALL, operator: 'EQUAL' }] }],
};
const subscription = { _id: 's', topic: { key: 'launch' }, subscriber: people };
const odd = { ...event, transactionId: { ALL }, createdAt: ALL };
const echo = `Invalid authentication scheme: "${API_KEY}" ${ALL}`;
const errors = { [echo]: { value: ALL }, general: { messages: [echo], value: ALL } };
const error = { statusCode: 422, message: [echo], path: `/v1?emails=${ALL}`, errors, errorId: ALL };

const item = anItem({ payload: new Payload({ ALL }) });
const key = { idempotencyKey: 'k' };
/** `event-answer.test.ts` and `contents.test.ts` have what is left of a whole answer and of a message's content. */
type Elsewhere = 'eventAnswer' | 'messageContents' | 'eventPages';
type Operation = Exclude<keyof NotificationService, Elsewhere | 'clockAheadMs' | 'heldForMs'>;
const calls: Record<Operation, [body: unknown, (client: NotificationService) => Promise<unknown>]> = {
  retrieveEvent: [event, (client) => client.retrieveEvent('1', PERSON)],
  listEvents: [
    { data: [event, odd], hasMore: false },
    (client) => client.listEvents({ emails: [SECRETS.email] }, PERSON),
  ],
  listMessages: [{ data: [message, odd], hasMore: false }, (client) => client.listMessages({}, PERSON)],
  listIntegrations: [[integration, odd], (client) => client.listIntegrations(PERSON)],
  listTopicSubscriptions: [
    { data: [subscription, odd], next: null },
    (client) => client.listTopicSubscriptions('launch', {}, PERSON),
  ],
  triggerEvents: [
    [{ acknowledged: true, status: 'error', error: [ALL] }],
    (client) => client.triggerEvents([item], key, PERSON),
  ],
  updateCredentials: [
    { ...people, channels: [{ providerId: 'slack', credentials }] },
    (client) => client.updateCredentials('user-1', { providerId: 'slack', credentials }, key, PERSON),
  ],
};

const dressings: Readonly<Record<string, (body: unknown) => [status: number, text: string]>> = {
  'an answer': (body) => [200, JSON.stringify(body)],
  'an error': () => [422, JSON.stringify(error)],
  'an error of its own': () => [500, JSON.stringify(error)],
  HTML: () => [502, `<html>${ALL}</html>`],
  'half an answer': (body) => [200, JSON.stringify(body).slice(0, -1)],
  'another shape': (body) => [200, JSON.stringify({ unexpected: body })],
};

const cases = Object.entries(calls).flatMap(([operation, call]) =>
  Object.entries(dressings).map(([dressing, dress]) => [operation, dressing, call, dress] as const),
);

test.each(cases)(
  'the client leaks no secret from %s when it gets %s',
  async (_operation, _dressing, [body, call], dress) => {
    const [status, text] = dress(body);
    server = await answering(status, text);
    const { client, log } = aClient(server.url, { apiKey: API_KEY });
    const result = await call(client).catch((thrown: unknown) => everythingOf(thrown));
    const output = JSON.stringify([result, log]);
    for (const secret of [...Object.values(SECRETS), API_KEY, 'Dana', 'dana.private'])
      expect(output).not.toContain(secret);
  },
);

function everythingOf(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const all = Object.fromEntries(Object.getOwnPropertyNames(thrown).map((name) => [name, Reflect.get(thrown, name)]));
  return { ...all, cause: everythingOf(thrown.cause) };
}
