import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { EventBody } from './event.ts';
import { IntegrationBody } from './integration.ts';
import { MessageBody } from './message.ts';

/** The number of runs. For more certainty: `PROPERTY_RUNS=10000`. */
const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 300) };

const TIME = '2026-03-04T12:00:00.000Z';
const condition = {
  isNegated: false,
  type: 'GROUP',
  value: 'AND',
  children: [{ on: 'payload', field: 'a', operator: 'EQUAL', value: '1' }],
};
const detail = {
  _id: 'd-1',
  createdAt: TIME,
  status: 'Failed',
  detail: 'Refused',
  isRetry: false,
  isTest: false,
  providerId: 'sendgrid',
  raw: '{}',
  source: 'Internal',
};
const wait = { type: 'timed', amount: 5, unit: 'minutes', events: [{}], timed: { untilDate: TIME } };
const job = {
  ...{ _id: 'j-1', type: 'email', status: 'failed', providerId: 'sendgrid', updatedAt: TIME, digest: wait },
  ...{ payload: { a: 1 }, overrides: {}, scheduleExtensionsCount: 0, executionDetails: [detail] },
  step: { name: 'Send', metadata: wait, filters: [condition], issues: {} },
};
const subscriber = {
  subscriberId: 'user-1',
  firstName: 'Ann',
  lastName: 'Lee',
  email: 'ann@example.com',
  phone: '+3112345678',
};
const event = {
  ...{
    _id: 'e-1',
    _environmentId: 'v-1',
    _digestedNotificationId: 'e-0',
    transactionId: 't-1',
    subscriber,
    to: subscriber,
  },
  ...{
    createdAt: TIME,
    updatedAt: TIME,
    channels: ['email'],
    tags: ['billing'],
    contextKeys: ['eu'],
    payload: { a: 1 },
  },
  ...{ topics: [{ topicKey: 'news' }], severity: 'high', critical: true, jobs: [job] },
  template: { _id: 'w-1', name: 'Order', triggers: [{ identifier: 'order', variables: [{ name: 'a' }] }] },
};
const message = {
  ...{
    _id: 'm-1',
    _notificationId: 'e-1',
    transactionId: 't-1',
    channel: 'email',
    status: 'sent',
    providerId: 'sendgrid',
  },
  ...{
    email: 'ann@example.com',
    subject: 'Hi',
    errorId: 'x',
    errorText: 'Refused',
    createdAt: TIME,
    deliveredAt: [TIME],
  },
  ...{
    seen: true,
    read: false,
    contextKeys: ['eu'],
    subscriber,
    deviceTokens: ['t'],
    directWebhookUrl: 'https://example.com',
  },
};
const integration = {
  ...{
    _id: 'i-1',
    identifier: 'sendgrid-1',
    providerId: 'sendgrid',
    channel: 'email',
    _environmentId: 'v-1',
    active: true,
  },
  ...{
    name: 'SendGrid',
    primary: true,
    deleted: false,
    conditions: [condition],
    configurations: { inboundWebhookEnabled: true },
  },
};

type Place = readonly (string | number)[];

function placesIn(value: unknown, required: readonly string[], place: Place = []): Place[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const below = inner.flatMap(([key, part]) =>
    placesIn(part, required, [...place, Array.isArray(value) ? Number(key) : key]),
  );
  const isFree = place.length > 0 && !required.includes(place.filter((key) => typeof key === 'string').join('.'));
  return isFree ? [place, ...below] : below;
}

function putAt(value: unknown, [key, ...rest]: Place, put: unknown): unknown {
  if (key === undefined) return put;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? putAt(item, rest, put) : item));
  if (typeof value !== 'object' || value === null) return value;
  return { ...value, [key]: putAt(Reflect.get(value, key), rest, put) };
}

const odd = fc.constantFrom<unknown>(7, -0.5, true, 'x', '', ['x', null], [{}], [], { a: 1 }, {}, null, undefined);

const FAILURE = ['_id', 'executionDetails', 'executionDetails._id', 'executionDetails.status'];

const ITEMS: readonly [kind: string, item: object, body: z.ZodType, required: readonly string[]][] = [
  ['event', event, EventBody, ['transactionId', 'jobs', ...FAILURE.map((key) => `jobs.${key}`)]],
  ['message', message, MessageBody, ['_notificationId', 'transactionId', 'channel', 'status']],
  ['integration', integration, IntegrationBody, ['identifier', 'providerId', 'channel', '_environmentId', 'active']],
];

test.each(ITEMS)(
  'an %s is read with anything in its optional fields, and keeps its failures',
  (kind, item, body, required) => {
    const puts = fc.array(fc.tuple(fc.constantFrom(...placesIn(item, required)), odd), { maxLength: 3 });
    fc.assert(
      fc.property(puts, (changes) => {
        const changed = changes.reduce<unknown>((before, [place, value]) => putAt(before, place, value), item);
        const after = body.safeParse(changed);
        expect(after.success).toBe(true);
        if (kind === 'event')
          expect(after.data).toMatchObject({ jobs: [{ details: [{ id: 'd-1', status: 'Failed' }] }] });
      }),
      RUNS,
    );
  },
);
