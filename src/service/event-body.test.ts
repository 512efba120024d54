import { describe, expect, test } from 'vitest';
import { EventBody } from './event-body.ts';
import { wrongIn } from './schema.ts';

const read = (body: unknown) => EventBody.safeParse(body).data;

const detail = { _id: 'd-1', status: 'Failed', detail: 'Refused', isRetry: false, isTest: false, source: 'Internal' };
const job = { _id: 'j-1', type: 'email', status: 'failed', executionDetails: [detail], step: { name: 'Send' } };
const event = { transactionId: 't-1', _environmentId: 'e-1', jobs: [job] };

const readWith = (change: object, payload = {}) => read({ ...event, payload, jobs: [{ ...job, ...change }] });

/** Texts and payloads from outside can only be compared as JSON. */
const asJson = (value: unknown): object => JSON.parse(JSON.stringify(value));

test.each(['absent', null, '', 7])('an event is read without any of its optional fields: %j', (value) => {
  const keys = '_id createdAt updatedAt subscriber to template jobs payload tags topics severity critical'.split(' ');
  const fields = value === 'absent' ? {} : Object.fromEntries(keys.map((key) => [key, value]));
  expect(read({ transactionId: 't-1', ...fields })).toEqual({
    id: null,
    hasPayload: false,
    transactionId: 't-1',
    serviceEnvironmentId: null,
    mergedInto: null,
    isSubscriberDeleted: false,
    createdAt: null,
    updatedAt: null,
    subscriber: null,
    workflow: null,
    deletedWorkflowId: null,
    severity: null,
    critical: false,
    tags: [],
    topicKeys: [],
    contextKeys: [],
    payload: expect.anything(),
    jobs: [],
    listsSteps: false,
    // Where the steps should be, there's something that isn't a list.
    mayHideFailures: value === '' || value === 7,
  });
});

test('an event without steps is distinguished from an answer that leaves them out', () => {
  expect(read({ ...event, jobs: [] })).toMatchObject({ jobs: [], listsSteps: true });
  expect(read({ ...event, jobs: [7] })).toMatchObject({ jobs: [], listsSteps: false });
});

test.each(['pending', 'failed'])('a step that brings a snoozed message back counts once it failed: %s', (status) => {
  const snooze = { ...job, _id: 'j-2', status, type: 'in_app', payload: { unsnooze: true } };
  expect(read({ ...event, jobs: [job, snooze] })?.jobs).toHaveLength(status === 'failed' ? 2 : 1);
});

test.each([
  ['no object', 'x', 'item: expected object'],
  ['no transaction', { jobs: [] }, 'transactionId: expected string'],
])("an answer with %s isn't an event", (_case, body, reason) => {
  const { error } = EventBody.safeParse(body);
  expect(error && wrongIn(error)).toBe(reason);
});

describe('a field that differs from the contract', () => {
  test.each([
    ['a flag that is no boolean', { executionDetails: [{ ...detail, isTest: 'yes' }] }],
    ['a step that is no object', { step: 7 }],
    ['half a condition', { step: { filters: [{ isNegated: true }] } }],
    ['a status that is no text', { status: null, type: {} }],
  ])('hides neither the other fields nor its event: %s', (_case, change) => {
    expect(read({ ...event, jobs: [{ ...job, ...change }] })).toMatchObject({
      transactionId: 't-1',
      jobs: [{ id: 'j-1', details: [{ status: 'Failed' }] }],
    });
  });

  test('removes only the detail without a status or ID, and reports it', () => {
    const details = [{ ...detail, status: 1 }, { ...detail, _id: 'd-2' }, 7];
    expect(read({ ...event, jobs: [{ ...job, executionDetails: details }] })).toMatchObject({
      mayHideFailures: true,
      jobs: [{ details: [{ id: 'd-2' }] }],
    });
  });

  test.each([
    [null, false],
    [undefined, false],
    [{}, true],
  ])('counts a failed step whose details are %j as unreadable: %s', (executionDetails, isUnreadable) => {
    const failed = read({ ...event, jobs: [{ ...job, executionDetails }] });
    expect(failed?.mayHideFailures).toBe(isUnreadable);
    expect(failed?.jobs).toMatchObject([{ status: 'failed', details: [] }]);
  });
});

test('an event names the recipient of its trigger if the subscriber was deleted', () => {
  expect(read({ ...event, to: { subscriberId: 'user-9', email: 'anna@example.com' } })).toMatchObject({
    subscriber: { subscriberId: 'user-9', maskedEmail: 'a•••@example.com' },
  });
});

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
    expect(asJson(readWith(change))).toMatchObject({ jobs: [{ wait: asJson(wait) }] });
  });

  test.each([
    ['sendAt', { sendAt: '2026-03-05T08:00:00Z' }, new Date('2026-03-05T08:00:00Z')],
    ['payload.order.sendAt', { order: { sendAt: '2026-03-05T08:00:00Z' } }, new Date('2026-03-05T08:00:00Z')],
    ['sendAt', { sendAt: 'soon' }, null],
  ])('ends at the date that the payload has at %s', (delayPath, payload, until) => {
    const scheduled = { step: { metadata: { type: 'scheduled', delayPath } } };
    const wait = { type: 'scheduled', until };
    const expected = { jobs: [{ wait: asJson(wait) }] };
    expect(asJson(readWith(scheduled, payload))).toMatchObject(expected);
    expect(asJson(readWith({ ...scheduled, payload }))).toMatchObject(expected);
  });
});

test("a step's conditions are read, and invalid ones left out", () => {
  const part = { on: 'payload', field: 'plan', operator: 'EQUAL', value: 'pro for anna@example.com' };
  const filter = { isNegated: true, type: 'GROUP', value: 'OR', children: [part] };
  const parsed = readWith({ step: { filters: [filter, 'always'] } });
  expect(asJson(parsed)).toMatchObject({
    jobs: [{ conditions: [{ isNegated: true, needs: 'one', comparisons: [{ field: 'payload.plan' }] }] }],
  });
  expect(JSON.stringify(parsed)).toContain('pro for a•••@example.com');
});
