import { describe, expect, test } from 'vitest';
import { readEvent } from './event.ts';

const detail = { _id: 'd-1', status: 'Failed', detail: 'Refused', isRetry: false, isTest: false, source: 'Internal' };
const job = { _id: 'j-1', type: 'email', status: 'failed', executionDetails: [detail], step: { name: 'Send' } };
const event = { transactionId: 't-1', _environmentId: 'e-1', jobs: [job] };

test('fills in what the service may leave out', () => {
  expect(readEvent({ transactionId: 't-1' })).toEqual({
    ok: true,
    value: {
      id: null,
      transactionId: 't-1',
      serviceEnvironmentId: '',
      mergedInto: null,
      createdAt: null,
      updatedAt: null,
      subscriber: null,
      workflow: null,
      jobs: [],
      payload: expect.anything(),
      channels: [],
      tags: [],
      topicKeys: [],
      contextKeys: [],
      severity: null,
      critical: false,
    },
  });
});

test('takes null and absent as the same', () => {
  const keys =
    '_id createdAt updatedAt subscriber to template jobs payload channels tags topics severity critical'.split(' ');
  const nulls = Object.fromEntries(keys.map((key) => [key, null]));
  expect(readEvent({ transactionId: 't-1', ...nulls })).toEqual(readEvent({ transactionId: 't-1' }));
});

test('takes channels, statuses, providers and severities that nobody has heard of', () => {
  const odd = { ...job, type: 'http_request', status: 'paused', providerId: 'pigeon' };
  const read = readEvent({ ...event, severity: 'apocalyptic', jobs: [odd] });
  expect(read).toMatchObject({
    value: { severity: 'apocalyptic', jobs: [{ type: 'http_request', status: 'paused', provider: 'pigeon' }] },
  });
});

test.each([
  ['no object', 'x', 'event: not an object'],
  ['no transaction', { jobs: [] }, 'transactionId: not a text'],
  ['a job without a status', { ...event, jobs: [{ ...job, status: undefined }] }, 'jobs.status: not a text'],
  ['jobs that are no list', { ...event, jobs: {} }, 'jobs: not a list'],
  [
    'a flag that is none',
    { ...event, jobs: [{ ...job, executionDetails: [{ ...detail, isTest: 'yes' }] }] },
    'jobs.executionDetails.isTest: not true or false',
  ],
  ['a tag that is no text', { ...event, tags: [1] }, 'tags: not a text'],
  ['a template without a name', { ...event, template: {} }, 'template.name: not a text'],
])('does not guess at %s', (_case, body, reason) => {
  expect(readEvent(body)).toEqual({ ok: false, reason });
});

test('takes a date that is none for no date', () => {
  expect(readEvent({ ...event, createdAt: 'yesterday' })).toMatchObject({ value: { createdAt: null } });
});

describe('the workflow', () => {
  const template = { _id: 'w-1', name: 'Order shipped', triggers: [] };

  test('goes by its name where it lists no trigger', () => {
    expect(readEvent({ ...event, template })).toMatchObject({ value: { workflow: { identifier: 'Order shipped' } } });
  });

  test('names the fields of its payload, each once', () => {
    const trigger = { identifier: 'order-shipped', variables: [{ name: 'a' }, { name: 'b' }, { name: 'a' }] };
    expect(readEvent({ ...event, template: { ...template, triggers: [trigger] } })).toMatchObject({
      value: { workflow: { id: 'w-1', identifier: 'order-shipped', variables: ['a', 'b'] } },
    });
  });
});

test('takes the recipient from the trigger where the subscriber was deleted', () => {
  expect(readEvent({ ...event, to: { subscriberId: 'user-9', email: 'anna@example.com' } })).toMatchObject({
    value: { subscriber: { subscriberId: 'user-9', maskedEmail: 'a•••@example.com' } },
  });
});

test.each([
  [{ digest: { amount: 5, unit: 'minutes' } }, 300_000],
  [{ step: { metadata: { amount: 2, unit: 'hours' } } }, 7_200_000],
  [{ digest: { type: 'timed', timed: {} }, step: { metadata: { amount: 1, unit: 'days' } } }, 86_400_000],
  [{ digest: { amount: 1, unit: 'fortnights' } }, null],
  [{ digest: { amount: '5', unit: 'minutes' } }, null],
  [{ step: { metadata: { type: 'scheduled', delayPath: 'sendAt' } } }, null],
])('tells how long a step waits from %j', (change, waitMs) => {
  expect(readEvent({ ...event, jobs: [{ ...job, ...change }] })).toMatchObject({ value: { jobs: [{ waitMs }] } });
});
