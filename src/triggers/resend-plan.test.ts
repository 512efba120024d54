import { describe, expect, test } from 'vitest';
import { judge } from '../failures/judge.ts';
import { HOUR_MS } from '../lib/time/durations.ts';
import { aDetail, aJob, anEvent, at, NOON } from '../service/event.testing.ts';
import { eventKey, type TriggeredEvent } from '../service/event.ts';
import { type BrokenEvent, noteNewest, planResend, type ResendChoices, resentId } from './resend-plan.ts';

const FAILED = aJob({ id: 'job-1', status: 'failed', details: [aDetail()] });
const DELIVERED = aJob({ id: 'job-2', type: 'in_app' });
const CHOICES: ResendChoices = {
  ...{ workflows: ['order-shipped'], isNewestOnly: true, sendsTwice: false },
  ...{ maxAgeMs: HOUR_MS, limit: 10 },
};

const event = (number: number, change: Partial<TriggeredEvent> = {}) =>
  anEvent({ id: `event-${number}`, transactionId: `txn-${number}`, createdAt: at(number), jobs: [FAILED], ...change });

function broken(of: TriggeredEvent, change: Partial<BrokenEvent> = {}): BrokenEvent {
  const { id: eventId, transactionId } = of;
  const key = { eventKey: eventKey(of), eventId, transactionId, workflow: 'order-shipped', subscriberId: 'user-1' };
  return { ...key, failedAt: of.createdAt ?? NOON, isSentAgain: false, ...change };
}

function planned(events: readonly TriggeredEvent[], { choices = {}, change = {}, others = [] }: PlanChange = {}) {
  const judged = (of: TriggeredEvent) => ({ event: of, judgement: judge(of, at(60)) });
  const newest: Parameters<typeof noteNewest>[0] = new Map();
  for (const of of [...others, ...events]) noteNewest(newest, judged(of));
  const read = { events: new Map(events.map((of) => [eventKey(of), judged(of)])), newest };
  const all = events.map((of) => broken(of, change));
  const plan = planResend(all, read, { ...CHOICES, ...choices }, at(60));
  return {
    sending: plan.sending.map(({ eventKey: key }) => key),
    leftOut: [...plan.leftOut],
    twice: [...plan.twice],
  };
}

interface PlanChange {
  choices?: Partial<ResendChoices>;
  change?: Partial<BrokenEvent>;
  others?: readonly TriggeredEvent[];
}

describe('what is sent again', () => {
  test('is what failed, to whom it failed, by the same workflow', () => {
    expect(planned([event(1)])).toEqual({ sending: ['event-1'], leftOut: [], twice: [] });
  });

  test.each<[string, Partial<TriggeredEvent>, Partial<BrokenEvent>]>([
    ['sent again before', {}, { isSentAgain: true }],
    ['of other workflows', {}, { workflow: 'welcome' }],
    ['failed more than 1 h ago', {}, { failedAt: at(-4_000) }],
    ['to a deleted subscriber', { subscriber: null }, {}],
    ['of a deleted workflow', { workflow: null }, {}],
    ['without a payload: the service keeps none', { hasPayload: false }, {}],
    ['not final yet', { jobs: [aJob({ status: 'running' })] }, {}],
    ['delivered since', { jobs: [aJob()] }, {}],
    ['delivered by another channel already', { jobs: [FAILED, DELIVERED] }, {}],
  ])('leaves out what is %s', (why, change, stored) => {
    expect(planned([event(1, change)], { change: stored })).toMatchObject({ sending: [], leftOut: [[why, 1]] });
  });

  test('leaves out what the service no longer has', () => {
    const { leftOut } = planResend([broken(event(1))], { events: new Map(), newest: new Map() }, CHOICES, at(60));
    expect([...leftOut]).toEqual([['no longer found', 1]]);
  });

  test('is only the newest of a subscriber and workflow, delivered or not, unless all are wanted', () => {
    expect(planned([event(1), event(2)])).toMatchObject({
      sending: ['event-2'],
      leftOut: [['followed by a newer one to the same person', 1]],
    });
    const newer = event(3, { jobs: [aJob()] });
    expect(planned([event(1)], { others: [newer] })).toMatchObject({
      leftOut: [['followed by a newer one to the same person', 1]],
    });
    expect(planned([event(1), event(2)], { choices: { isNewestOnly: false } }).sending).toEqual(['event-2', 'event-1']);
  });

  test('is also what another channel delivered, if that is wanted, and says which channel', () => {
    const { sending, twice } = planned([event(1, { jobs: [FAILED, DELIVERED] })], { choices: { sendsTwice: true } });
    expect({ sending, twice }).toEqual({ sending: ['event-1'], twice: [['in_app', 1]] });
  });

  test('is at most as much as wanted, the newest first', () => {
    const choices = { limit: 1, isNewestOnly: false };
    expect(planned([event(1), event(2)], { choices })).toMatchObject({
      sending: ['event-2'],
      leftOut: [['beyond the limit', 1]],
    });
  });

  test('has one transaction ID for an event of an incident, whoever sends it', () => {
    expect(resentId(7, 'production', 'event-1')).toBe(resentId(7, 'production', 'event-1'));
    const others = [resentId(8, 'production', 'event-1'), resentId(7, 'staging', 'event-1')];
    expect(new Set([resentId(7, 'production', 'event-1'), ...others]).size).toBe(3);
  });
});
