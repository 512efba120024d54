import { describe, expect, test } from 'vitest';
import { aDetail, aJob, anEvent, aSubscriber, at, NOON } from './event.testing.ts';
import {
  completed,
  eventKey,
  hidesOutcome,
  isChannelType,
  isDelivery,
  isFinal,
  isKnown,
  isSettled,
  type Job,
} from './event.ts';

describe('a step', () => {
  test.for([
    ['completed', true, true],
    ['queued', false, true],
    ['delayed', false, true],
  ] as const)('that is %s is final: %s; Notif knows the status: %s', ([status, final, known]) => {
    expect(isFinal(aJob({ status }))).toBe(final);
    expect(isKnown(aJob({ status }))).toBe(known);
  });

  test.for([
    ['email', true, true],
    ['in_app', true, true],
    ['digest', false, false],
    ['wait', false, false],
    ['custom', false, true],
    ['carrier_pigeon', false, true],
  ] as const)('of type %s is on a known channel: %s; delivers something: %s', ([type, channel, delivery]) => {
    expect(isChannelType(type)).toBe(channel);
    expect(isDelivery(aJob({ type }))).toBe(delivery);
  });
});

describe('an event', () => {
  const [final, open] = [aJob({ status: 'completed' }), aJob({ status: 'queued' })];

  test('is settled once all its steps are final', () => {
    expect(isSettled(anEvent({ jobs: [final, final] }))).toBe(true);
    expect(isSettled(anEvent({ jobs: [final, open] }))).toBe(false);
  });

  test.each([true, false])(
    'of which a part is unreadable (%s), or that lists no steps, hides its outcome',
    (mayHideFailures) => {
      expect(hidesOutcome(anEvent({ mayHideFailures }))).toBe(mayHideFailures);
      expect(hidesOutcome(anEvent({ listsSteps: false, mayHideFailures }))).toBe(true);
    },
  );
});

describe('an event that a list leaves incomplete', () => {
  const bare = anEvent({ id: 'one', listsSteps: false, jobs: [] });
  const step = (id: string, change: Partial<Job> = {}) => aJob({ id, stepId: `step of ${id}`, ...change });
  const unexplained = anEvent({
    id: 'one',
    jobs: [step('sms', { status: 'failed', stepName: 'Text' }), step('email')],
  });
  const explained = step('sms', { status: 'failed', details: [aDetail()], updatedAt: at(9) });

  test('takes its steps from the answer to its ID', () => {
    expect(completed(bare, anEvent({ id: null }))).toEqual(anEvent({ id: 'one' }));
    expect(completed(bare, anEvent({ id: 'two' }))).toBe(bare);
    expect(completed(bare, anEvent({ id: 'one', listsSteps: false }))).toBe(bare);
    expect(completed(bare, null)).toBe(bare);
  });

  test('takes why a step failed from the answer, and keeps what only the list has', () => {
    const { jobs } = completed(unexplained, anEvent({ id: 'one', jobs: [explained] }));
    expect(jobs).toEqual([{ ...explained, stepName: 'Text' }, step('email')]);
    expect(completed(anEvent({ id: 'one', jobs }), anEvent({ id: 'one', jobs: [step('sms')] })).jobs).toEqual(jobs);
  });

  test.each([
    ["a stranger's step", [explained, step('of another recipient')]],
    ['a step of the workflow twice', [explained, step('again', { stepId: 'step of sms' })]],
  ])("doesn't take an answer with %s", (_, jobs) => {
    expect(completed(unexplained, anEvent({ id: 'one', jobs }))).toBe(unexplained);
  });
});

describe("an event's key", () => {
  const unnamed = anEvent({ id: null, transactionId: 'txn_1', subscriber: aSubscriber('user-1'), createdAt: NOON });

  test('is a hash of its transaction, subscriber and time if it has no ID', () => {
    const others = [{ transactionId: 'txn_2' }, { subscriber: aSubscriber('user-2') }, { createdAt: at(1) }];
    const keys = [unnamed, { ...unnamed }, ...others.map((other) => ({ ...unnamed, ...other }))].map(eventKey);
    expect(new Set(keys)).toHaveLength(4);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });

  test('is at most 512 bytes long, whatever the service names', () => {
    const long = 'ü'.repeat(2_000);
    for (const event of [anEvent({ id: long }), { ...unnamed, transactionId: long }]) {
      expect(Buffer.byteLength(eventKey(event))).toBeLessThanOrEqual(512);
    }
  });
});
