import { describe, expect, test } from 'vitest';
import { readEvent } from './event.ts';

const detail = { _id: 'd-1', status: 'Failed', detail: 'Refused', isRetry: false, isTest: false, source: 'Internal' };
const job = { _id: 'j-1', type: 'email', status: 'failed', executionDetails: [detail], step: { name: 'Send' } };
const event = { transactionId: 't-1', _environmentId: 'e-1', jobs: [job] };

test('readEvent fills in what the service can leave out', () => {
  expect(readEvent({ transactionId: 't-1' })).toEqual({
    ok: true,
    value: {
      id: null,
      transactionId: 't-1',
      serviceEnvironmentId: null,
      mergedInto: null,
      createdAt: null,
      updatedAt: null,
      subscriber: null,
      workflow: null,
      jobs: [],
      listsSteps: false,
      payload: expect.anything(),
      channels: [],
      tags: [],
      topicKeys: [],
      contextKeys: [],
      severity: null,
      critical: false,
      unreadable: [],
    },
    odd: [],
  });
});

test('readEvent treats null like an absent field', () => {
  const keys =
    '_id createdAt updatedAt subscriber to template jobs payload channels tags topics severity critical'.split(' ');
  const nulls = Object.fromEntries(keys.map((key) => [key, null]));
  expect(readEvent({ transactionId: 't-1', ...nulls })).toEqual(readEvent({ transactionId: 't-1' }));
});

test('readEvent distinguishes an event without steps from an answer that leaves them out', () => {
  expect(readEvent({ ...event, jobs: [] })).toMatchObject({ value: { jobs: [], listsSteps: true } });
  expect(readEvent({ ...event, jobs: undefined })).toMatchObject({ value: { jobs: [], listsSteps: false } });
});

test.each([
  ['no object', 'x', 'item: expected object'],
  ['no transaction', { jobs: [] }, 'transactionId: expected string'],
])('readEvent rejects an answer with %s', (_case, body, reason) => {
  expect(readEvent(body)).toEqual({ ok: false, reason });
});

describe('a field that differs from the contract', () => {
  const failed = { ...detail, _id: 'd-2' };

  test.each([
    ['a flag that is none', { executionDetails: [{ ...detail, isTest: 'yes' }] }, 'jobs.executionDetails.isTest'],
    ['a step that is none', { step: 7 }, 'jobs.step'],
    ['half a condition', { step: { filters: [{ isNegated: true }] } }, 'jobs.step.filters.value'],
    ['a status that is none', { status: null, type: {} }, 'jobs.type'],
  ])('hides neither the other fields nor its event: %s', (_case, change, name) => {
    const read = readEvent({ ...event, jobs: [{ ...job, ...change }] });
    expect(read).toMatchObject({
      value: { transactionId: 't-1', jobs: [{ id: 'j-1', details: [{ status: 'Failed' }] }] },
    });
    expect(read.ok && read.odd).toContain(name);
  });

  test('is treated as absent, and the valid fields are kept', () => {
    const read = readEvent({ ...event, tags: ['a', 1, 'b'], severity: 3, template: { name: 'Order', triggers: {} } });
    expect(read).toMatchObject({
      odd: ['severity', 'tags', 'template.triggers'],
      value: { tags: ['a', 'b'], severity: null, workflow: { name: 'Order', identifier: 'Order' } },
    });
  });

  test('removes only the detail without a status or ID, and reports it', () => {
    const read = readEvent({ ...event, jobs: [{ ...job, executionDetails: [{ ...detail, status: 1 }, failed, 7] }] });
    expect(read).toMatchObject({
      odd: ['jobs.executionDetails.status', 'jobs.executionDetails'],
      value: { unreadable: ['jobs.executionDetails', 'jobs.executionDetails'], jobs: [{ details: [{ id: 'd-2' }] }] },
    });
  });

  test.each([[null], [undefined], [{}]])(
    'counts a failed step whose details are %j as unreadable',
    (executionDetails) => {
      const read = readEvent({ ...event, jobs: [{ ...job, executionDetails }] });
      expect(read).toMatchObject({ value: { unreadable: ['jobs.executionDetails'] } });
      const completed = readEvent({ ...event, jobs: [{ ...job, status: 'completed', executionDetails: null }] });
      expect(completed).toMatchObject({ odd: [], value: { unreadable: [] } });
    },
  );
});

test('readEvent takes the recipient from the trigger if the subscriber was deleted', () => {
  expect(readEvent({ ...event, to: { subscriberId: 'user-9', email: 'anna@example.com' } })).toMatchObject({
    value: { subscriber: { subscriberId: 'user-9', maskedEmail: 'a•••@example.com' } },
  });
});

const jobsOf = (change: object, payload = {}) => readEvent({ ...event, payload, jobs: [{ ...job, ...change }] });

const asTold = (value: unknown): object => JSON.parse(JSON.stringify(value));

describe('how a step waits', () => {
  test.each([
    [{ digest: { amount: 5, unit: 'minutes' } }, { ms: 300_000 }],
    [
      { digest: { type: 'timed' }, step: { metadata: { amount: 1, unit: 'days' } } },
      { type: 'timed', ms: 86_400_000 },
    ],
    [{ digest: { amount: 1, unit: 'fortnights' } }, { ms: null }],
    [{ digest: { type: 'regular', events: [{}, {}, {}] } }, { collected: 3 }],
    [
      { digest: { type: 'timed', timed: { untilDate: '2026-03-09T09:00:00.000Z' } } },
      { type: 'timed', until: new Date('2026-03-09T09:00:00Z') },
    ],
    [{ digest: { type: 'timed', timed: 'daily', events: 'many' } }, { type: 'timed', until: null, collected: null }],
  ])('is parsed from %j', (change, wait) => {
    expect(asTold(jobsOf(change))).toMatchObject({ value: { jobs: [{ wait: asTold(wait) }] } });
  });

  test.each([
    ['sendAt', { sendAt: '2026-03-05T08:00:00Z' }, new Date('2026-03-05T08:00:00Z')],
    ['payload.order.sendAt', { order: { sendAt: '2026-03-05T08:00:00Z' } }, new Date('2026-03-05T08:00:00Z')],
    ['sendAt', { sendAt: 'soon' }, null],
  ])('ends at the date that the payload has at %s', (delayPath, payload, until) => {
    const scheduled = { step: { metadata: { type: 'scheduled', delayPath } } };
    const wait = { type: 'scheduled', until };
    const told = { value: { jobs: [{ wait: asTold(wait) }] } };
    expect(asTold(jobsOf(scheduled, payload))).toMatchObject(told);
    expect(asTold(jobsOf({ ...scheduled, payload }))).toMatchObject(told);
  });
});

test("readEvent reads a step's conditions and leaves out invalid ones", () => {
  const part = { on: 'payload', field: 'plan', operator: 'EQUAL', value: 'pro for anna@example.com' };
  const filter = { isNegated: true, type: 'GROUP', value: 'OR', children: [part] };
  const read = jobsOf({ step: { filters: [filter, 'always'] } });
  expect(asTold(read)).toMatchObject({
    value: {
      jobs: [{ conditions: [{ isNegated: true, needs: 'one', comparisons: [{ field: 'payload.plan' }] }] }],
    },
  });
  expect(JSON.stringify(read)).toContain('pro for a•••@example.com');
});

test('readEvent keeps overrides with their values masked', () => {
  const read = jobsOf({ overrides: { sendgrid: { apiKey: 'abc' } } });
  expect(JSON.stringify(read)).toContain('"overrides":{"sendgrid":{"apiKey":"•••"}}');
});
