import { describe, expect, test } from 'vitest';
import { judge } from '../failures/judge.ts';
import { Payload } from '../lib/text/payload.ts';
import { HOUR_MS } from '../lib/time/durations.ts';
import { aDetail, aJob, anEvent, aSubscriber, at, aWait, NOON } from '../service/event.testing.ts';
import { eventKey, type Job, type TriggeredEvent } from '../service/event.ts';
import {
  type BrokenEvent,
  countsBy,
  noteNewest,
  pathsOf,
  planResend,
  type ResendChoices,
  resentId,
} from './resend-plan.ts';

const FAILED = aJob({ id: 'job-1', status: 'failed', details: [aDetail()] });
const DELIVERED = aJob({ id: 'job-2', type: 'in_app' });
const CHOICES: ResendChoices = {
  ...{ workflows: ['order-shipped'], isNewestOnly: false, sendsTwice: false },
  ...{ maxAgeMs: HOUR_MS, limit: 10 },
};

const event = (number: number, change: Partial<TriggeredEvent> = {}) =>
  anEvent({
    ...{ id: `event-${number}`, transactionId: `txn-${number}`, createdAt: at(number), jobs: [FAILED] },
    ...{ payload: new Payload({ orderId: number }), ...change },
  });

const judged = (item: TriggeredEvent, minutes = 60) => ({ event: item, judgment: judge(item, at(minutes)) });

function broken(item: TriggeredEvent, change: Partial<BrokenEvent> = {}): BrokenEvent {
  const { id: eventId, transactionId } = item;
  const key = { eventKey: eventKey(item), eventId, transactionId, workflow: 'order-shipped', subscriberId: 'user-1' };
  const times = { createdAt: item.createdAt ?? NOON, failedAt: item.createdAt ?? NOON };
  return { ...key, ...times, isSentAgain: false, ...change };
}

function planned(events: readonly TriggeredEvent[], { choices = {}, change = {}, others = [] }: PlanChange = {}) {
  const newest: Parameters<typeof noteNewest>[0] = new Map();
  for (const item of [...others, ...events]) noteNewest(newest, judged(item));
  const read = { events: new Map(events.map((item) => [eventKey(item), judged(item)])), newest };
  const all = events.map((item) => broken(item, change));
  const plan = planResend(all, read, { ...CHOICES, ...choices }, at(60));
  return {
    toSend: plan.toSend.map(({ eventKey: key }) => key),
    leftOut: [...countsBy([...plan.leftOut.values()], String)],
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
    expect(planned([event(1)])).toEqual({ toSend: ['event-1'], leftOut: [], twice: [] });
  });

  test.each<[string, Partial<TriggeredEvent>, Partial<BrokenEvent>]>([
    ['sent again before', {}, { isSentAgain: true }],
    ['of other workflows', {}, { workflow: 'welcome' }],
    ['failed more than 1 h ago', {}, { failedAt: at(-4_000) }],
    ['to a deleted subscriber', { subscriber: null }, {}],
    ['of a deleted workflow', { workflow: null }, {}],
    ['without a payload: the service keeps none', { hasPayload: false }, {}],
    ['without an address now', { jobs: [aJob({ status: 'canceled', details: [aDetail({ status: 'Warning' })] })] }, {}],
    ['delivered since', { jobs: [aJob()] }, {}],
    ['delivered by another channel already', { jobs: [FAILED, DELIVERED] }, {}],
  ])('leaves out what is %s', (why, change, stored) => {
    expect(planned([event(1, change)], { change: stored })).toMatchObject({ toSend: [], leftOut: [[why, 1]] });
  });

  test.each<[string, Partial<Job>]>([
    ['in progress', { status: 'queued' }],
    ['delayed for hours', { type: 'delay', status: 'delayed', wait: aWait({ ms: 3 * HOUR_MS }) }],
    ['stuck', { type: 'sms', status: 'pending' }],
    ['of a status that Notif does not know', { status: 'paused' }],
  ])('leaves out an event of which another step is %s', (_, change) => {
    const minutes = change.status === 'queued' ? 1 : 60;
    const item = event(1, { jobs: [FAILED, aJob({ id: 'job-2', details: [], ...change })] });
    const read = { events: new Map([[eventKey(item), judged(item, 1 + minutes)]]), newest: new Map() };
    const { toSend, leftOut } = planResend([broken(item)], read, CHOICES, at(60));
    expect({ toSend, leftOut }).toEqual({
      toSend: [],
      leftOut: new Map([['event-1', 'not settled: a step is in progress or stuck']]),
    });
  });

  test('leaves out what the service no longer has', () => {
    const { leftOut } = planResend([broken(event(1))], { events: new Map(), newest: new Map() }, CHOICES, at(60));
    expect([...leftOut]).toEqual([['event-1', 'no longer found']]);
  });

  test('counts the same payload to the same person as one, whatever became of the newer', () => {
    const payload = new Payload({ orderId: 17 });
    const same = 'triggered again later with the same payload';
    expect(planned([event(1, { payload }), event(2, { payload })])).toMatchObject({
      toSend: ['event-2'],
      leftOut: [[same, 1]],
    });
    for (const jobs of [[aJob()], [aJob({ status: 'running' })]])
      expect(planned([event(1, { payload })], { others: [event(2, { payload, jobs })] })).toMatchObject({
        leftOut: [[same, 1]],
      });
    const others = [event(2, { payload, subscriber: aSubscriber('user-2') }), event(0, { payload, jobs: [aJob()] })];
    expect(planned([event(1, { payload })], { others }).toSend).toEqual(['event-1']);
  });

  test('is each of different orders, or if that is wanted only the newest of a subscriber and workflow', () => {
    expect(planned([event(1), event(2)]).toSend).toEqual(['event-2', 'event-1']);
    const choices = { isNewestOnly: true };
    const leftOut = [['followed by a newer one to the same person', 1]];
    expect(planned([event(1), event(2)], { choices })).toMatchObject({ toSend: ['event-2'], leftOut });
    const newer = event(3, { jobs: [aJob()] });
    expect(planned([event(1)], { choices, others: [newer] })).toMatchObject({ toSend: [], leftOut });
  });

  test('is also what another channel delivered, if that is wanted, and says which channel', () => {
    const { toSend, twice } = planned([event(1, { jobs: [FAILED, DELIVERED] })], { choices: { sendsTwice: true } });
    expect({ toSend, twice }).toEqual({ toSend: ['event-1'], twice: [['in_app', 1]] });
  });

  test('is at most as much as wanted, the newest first', () => {
    const choices = { limit: 1 };
    expect(planned([event(1), event(2)], { choices })).toMatchObject({
      toSend: ['event-2'],
      leftOut: [['beyond the limit', 1]],
    });
  });

  test.each<[string, Partial<Job>[], number[] | [null]]>([
    ['of no wait', [], []],
    ['that was skipped', [{ type: 'delay', status: 'skipped', wait: aWait() }], []],
    [
      'of two waits',
      [
        { type: 'delay', wait: aWait({ ms: HOUR_MS }) },
        { type: 'digest', wait: aWait({ ms: HOUR_MS }) },
      ],
      [2 * HOUR_MS],
    ],
    ['until a time', [{ type: 'delay', wait: aWait({ ms: null, until: at(90) }) }], [30_000]],
    ['that nobody knows', [{ type: 'digest', wait: aWait() }, { type: 'delay' }], [null]],
  ])('is as late as its delay and digest steps: %s', (_, changes, waits) => {
    const item = event(1, { jobs: [...changes.map((change) => aJob(change)), FAILED] });
    const read = { events: new Map([[eventKey(item), judged(item)]]), newest: new Map() };
    const paths = pathsOf(planResend([broken(item)], read, CHOICES, at(60)), read, at(60));
    expect(paths.waits).toEqual(waits);
    const uses = [null, 'sendgrid', 'ses'].map((provider) => paths.usesStep({ channel: 'email', provider }));
    expect([...uses, paths.usesStep({ channel: 'sms', provider: null })]).toEqual([true, true, false, false]);
  });

  test('has one transaction ID for an event of an incident, whoever sends it', () => {
    expect(resentId(7, 'production', 'event-1')).toBe(resentId(7, 'production', 'event-1'));
    const others = [resentId(8, 'production', 'event-1'), resentId(7, 'staging', 'event-1')];
    expect(new Set([resentId(7, 'production', 'event-1'), ...others]).size).toBe(3);
  });
});
