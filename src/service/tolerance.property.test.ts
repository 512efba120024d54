import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventBody } from './event-body.ts';

/** The number of runs. For more certainty: `PROPERTY_RUNS=10000`. */
const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 300) };

const TIME = '2026-03-04T12:00:00.000Z';
const children = [{ on: 'payload', field: 'a', operator: 'EQUAL', value: '1' }];
const condition = { isNegated: false, type: 'GROUP', value: 'AND', children };
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
  _id: 'j-1',
  type: 'email',
  status: 'failed',
  providerId: 'sendgrid',
  updatedAt: TIME,
  digest: wait,
  payload: { a: 1 },
  overrides: {},
  scheduleExtensionsCount: 0,
  executionDetails: [detail],
  step: { name: 'Send', metadata: wait, filters: [condition], issues: {} },
};
const subscriber = { subscriberId: 'user-1', firstName: 'Ann', lastName: 'Lee', email: 'ann@example.com', phone: '1' };
const event = {
  _id: 'e-1',
  _environmentId: 'v-1',
  _digestedNotificationId: 'e-0',
  transactionId: 't-1',
  subscriber,
  to: subscriber,
  createdAt: TIME,
  updatedAt: TIME,
  channels: ['email'],
  tags: ['billing'],
  contextKeys: ['eu'],
  payload: { a: 1 },
  topics: [{ topicKey: 'news' }],
  severity: 'high',
  critical: true,
  template: { _id: 'w-1', name: 'Order', triggers: [{ identifier: 'order', variables: [{ name: 'a' }] }] },
  jobs: [job],
};

const REQUIRED = ['transactionId', 'jobs', 'jobs._id', 'jobs.executionDetails', 'jobs.executionDetails._id'];

type Place = readonly (string | number)[];

function placesIn(value: unknown, place: Place = []): Place[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const below = inner.flatMap(([key, part]) => placesIn(part, [...place, Array.isArray(value) ? Number(key) : key]));
  const name = place.filter((key) => typeof key === 'string').join('.');
  const isFree = place.length > 0 && ![...REQUIRED, 'jobs.executionDetails.status'].includes(name);
  return isFree ? [place, ...below] : below;
}

function putAt(value: unknown, [key, ...rest]: Place, put: unknown): unknown {
  if (key === undefined) return put;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? putAt(item, rest, put) : item));
  if (typeof value !== 'object' || value === null) return value;
  return { ...value, [key]: putAt(Reflect.get(value, key), rest, put) };
}

test('an event is read with anything in its optional fields, and keeps its failures', () => {
  const odd = fc.constantFrom<unknown>(7, -0.5, true, 'x', '', ['x', null], [{}], [], { a: 1 }, {}, null, undefined);
  const puts = fc.array(fc.tuple(fc.constantFrom(...placesIn(event)), odd), { maxLength: 3 });
  fc.assert(
    fc.property(puts, (changes) => {
      const changed = changes.reduce<unknown>((before, [place, value]) => putAt(before, place, value), event);
      expect(EventBody.safeParse(changed)).toMatchObject({
        data: { jobs: [{ details: [{ id: 'd-1', status: 'Failed' }] }] },
      });
    }),
    RUNS,
  );
});
