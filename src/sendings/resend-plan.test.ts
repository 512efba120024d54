import { describe, expect, test } from 'vitest';
import { judge } from '../judging/judge.ts';
import { countsBy } from '../lib/group-by.ts';
import { Payload } from '../lib/text/payload.ts';
import { HOUR_MS } from '../lib/time/durations.ts';
import { aDetail, aJob, anEvent, aSubscriber, at, aWait, NOON } from '../service/event.testing.ts';
import { eventKey, type Job, type TriggeredEvent } from '../service/event.ts';
import { noteNewest } from './newest-events.ts';
import { type BrokenEvent, pathsOf, planResend, type ResendChoices } from './resend-plan.ts';
import { resendChoices } from './sending.testing.ts';
import { resentId } from './sent-again.ts';
import { StoredChoices } from './tables.ts';

const FAILED = aJob({ id: 'job-1', status: 'failed', details: [aDetail()] });
const DELIVERED = aJob({ id: 'job-2', type: 'in_app' });
const CHOICES = resendChoices({ workflows: ['order-shipped'], maxAgeMs: HOUR_MS, limit: 10 });

const eventOf = (orderId: number, change: Partial<TriggeredEvent> = {}) =>
  anEvent({
    id: `event-${orderId}`,
    transactionId: `txn-${orderId}`,
    createdAt: at(orderId),
    jobs: [FAILED],
    payload: new Payload({ orderId }),
    ...change,
  });

const judged = (event: TriggeredEvent, seconds = 60) => ({ event, judgment: judge(event, at(seconds)) });

function broken(event: TriggeredEvent, change: Partial<BrokenEvent> = {}): BrokenEvent {
  const { id: eventId, transactionId } = event;
  const key = { eventKey: eventKey(event), eventId, transactionId, workflow: 'order-shipped', subscriberId: 'user-1' };
  const times = { createdAt: event.createdAt ?? NOON, failedAt: event.createdAt ?? NOON };
  return { ...key, ...times, sentAgain: null, failedAgainIn: null, labels: [], ...change };
}

interface PlanChange {
  choices?: Partial<ResendChoices>;
  change?: Partial<BrokenEvent>;
  /** Newer or older events that aren't broken. */
  others?: readonly TriggeredEvent[];
}

function planned(events: readonly TriggeredEvent[], { choices = {}, change = {}, others = [] }: PlanChange = {}) {
  const newest: Parameters<typeof noteNewest>[0] = new Map();
  for (const event of [...others, ...events]) noteNewest(newest, judged(event));
  const read = { events: new Map(events.map((event) => [eventKey(event), judged(event)])), newest };
  const all = events.map((event) => broken(event, change));
  const plan = planResend(all, read, { ...CHOICES, ...choices }, at(60));
  return {
    toSend: plan.toSend.map(({ eventKey: key }) => key),
    leftOut: [...countsBy([...plan.leftOut.values()], String)],
    twice: [...plan.twice],
  };
}

describe('what is sent again', () => {
  const payload = new Payload({ orderId: 17 });
  const same = 'triggered again later with the same payload';

  test('is what failed, to whom it failed, by the same workflow', () => {
    expect(planned([eventOf(1)])).toEqual({ toSend: ['event-1'], leftOut: [], twice: [] });
  });

  test.each<[string, Partial<TriggeredEvent>, Partial<BrokenEvent>]>([
    ['being sent again now', {}, { sentAgain: 'sending' }],
    ['already sent again, and delivered', {}, { sentAgain: 'delivered' }],
    ['already sent again, and failed again', {}, { sentAgain: 'failed' }],
    ['of other workflows', {}, { workflow: 'welcome' }],
    ['failed more than 1 h ago', {}, { failedAt: at(-4_000) }],
    ['to a deleted subscriber', { subscriber: null }, {}],
    ['of a deleted workflow', { workflow: null }, {}],
    ['without a payload: the service keeps none', { hasPayload: false }, {}],
    ['without an address now', { jobs: [aJob({ status: 'canceled', details: [aDetail({ status: 'Warning' })] })] }, {}],
    ['delivered since', { jobs: [aJob()] }, {}],
    ['delivered by another channel already', { jobs: [FAILED, DELIVERED] }, {}],
  ])('leaves out what is %s', (why, change, stored) => {
    expect(planned([eventOf(1, change)], { change: stored })).toMatchObject({ toSend: [], leftOut: [[why, 1]] });
  });

  test.each<[step: string, change: Partial<Job>, ageSeconds: number]>([
    ['in progress', { status: 'queued' }, 1],
    ['delayed for hours', { type: 'delay', status: 'delayed', wait: aWait({ ms: 3 * HOUR_MS }) }, 60],
    ['stuck', { type: 'sms', status: 'pending' }, 60],
    ["of a status that Notif doesn't know", { status: 'paused' }, 60],
  ])('leaves out an event of which another step is %s', (_, change, ageSeconds) => {
    const event = eventOf(1, { jobs: [FAILED, aJob({ id: 'job-2', details: [], ...change })] });
    const read = { events: new Map([[eventKey(event), judged(event, 1 + ageSeconds)]]), newest: new Map() };
    const { toSend, leftOut } = planResend([broken(event)], read, CHOICES, at(60));
    expect(toSend).toEqual([]);
    expect([...leftOut]).toEqual([['event-1', 'not settled: a step is in progress or stuck']]);
  });

  test('leaves out what the service no longer has', () => {
    const { leftOut } = planResend([broken(eventOf(1))], { events: new Map(), newest: new Map() }, CHOICES, at(60));
    expect([...leftOut]).toEqual([['event-1', 'no longer found']]);
  });

  test('leaves out what the same person got again later with the same payload, even if that is delivered or runs', () => {
    expect(planned([eventOf(1, { payload }), eventOf(2, { payload })])).toMatchObject({
      toSend: ['event-2'],
      leftOut: [[same, 1]],
    });
    for (const jobs of [[aJob()], [aJob({ status: 'running' })]])
      expect(planned([eventOf(1, { payload })], { others: [eventOf(2, { payload, jobs })] })).toMatchObject({
        leftOut: [[same, 1]],
      });
  });

  test('keeps what another person got later with the same payload, or the same person got before', () => {
    const subscriber = aSubscriber('user-2');
    const others = [eventOf(2, { payload, subscriber }), eventOf(0, { payload, jobs: [aJob()] })];
    expect(planned([eventOf(1, { payload })], { others }).toSend).toEqual(['event-1']);
  });

  test('leaves out what a newer one replaced that the same person got, unless that is wanted', () => {
    const newer = eventOf(9, { jobs: [DELIVERED] });
    const older = eventOf(0, { jobs: [DELIVERED] });
    const leftOut = [['replaced by a newer one that the same person got', 1]];
    expect(planned([eventOf(1)], { others: [newer] })).toMatchObject({ toSend: [], leftOut });
    expect(planned([eventOf(1)], { others: [older, eventOf(9)] })).toMatchObject({ toSend: ['event-1'] });
    const choices = { sendsReplaced: true };
    expect(planned([eventOf(1)], { choices, others: [newer] })).toMatchObject({ toSend: ['event-1'] });
  });

  test('is only what was picked, by itself or by what it has in common', () => {
    const both = [eventOf(1), eventOf(2)];
    expect(planned(both, { choices: { eventKeys: ['event-2'] } })).toMatchObject({
      toSend: ['event-2'],
      leftOut: [['not picked', 1]],
    });
    const choices = { labels: ['tenant:acme'] };
    expect(planned(both, { choices, change: { labels: ['vip', 'tenant:acme'] } }).toSend).toHaveLength(2);
    expect(planned(both, { choices, change: { labels: ['vip'] } }).toSend).toEqual([]);
  });

  test('is everything where the choices are those of a version that stored nothing picked', () => {
    const { workflows, isNewestOnly, sendsTwice, maxAgeMs, limit } = CHOICES;
    const choices = StoredChoices.parse({ workflows, isNewestOnly, sendsTwice, maxAgeMs, limit });
    expect(planned([eventOf(1), eventOf(2)], { choices }).toSend).toEqual(['event-2', 'event-1']);
  });

  test('is each of different orders, whose numbers may differ by their last digit alone', () => {
    expect(planned([eventOf(1), eventOf(2)]).toSend).toEqual(['event-2', 'event-1']);
    const orders = ['1234567890123456788', '1234567890123456789'].map((id) => new Payload(`{"orderId": ${id}}`));
    expect(planned(orders.map((payload, index) => eventOf(index, { payload }))).toSend).toHaveLength(2);
  });

  test('is only the newest of a subscriber and workflow, if that is wanted', () => {
    const choices = { isNewestOnly: true };
    const leftOut = [['followed by a newer one to the same person', 1]];
    expect(planned([eventOf(1), eventOf(2)], { choices })).toMatchObject({ toSend: ['event-2'], leftOut });
    const newer = eventOf(3, { jobs: [aJob()] });
    expect(planned([eventOf(1)], { choices, others: [newer] })).toMatchObject({ toSend: [], leftOut });
  });

  test('is also what another channel delivered, if that is wanted, and says which channel', () => {
    const plan = planned([eventOf(1, { jobs: [FAILED, DELIVERED] })], { choices: { sendsTwice: true } });
    expect(plan).toMatchObject({ toSend: ['event-1'], twice: [['in_app', 1]] });
  });

  test('is at most as much as wanted, the newest first', () => {
    const choices = { limit: 1 };
    expect(planned([eventOf(1), eventOf(2)], { choices })).toMatchObject({
      toSend: ['event-2'],
      leftOut: [['beyond the limit', 1]],
    });
  });

  test.each<[string, Partial<Job>[], number[] | [null]]>([
    ['no step', [], []],
    ['a skipped step', [{ type: 'delay', status: 'skipped', wait: aWait() }], []],
    [
      'two steps',
      [
        { type: 'delay', wait: aWait({ ms: HOUR_MS }) },
        { type: 'digest', wait: aWait({ ms: HOUR_MS }) },
      ],
      [2 * HOUR_MS],
    ],
    ['a step until a time', [{ type: 'delay', wait: aWait({ ms: null, until: at(90) }) }], [30_000]],
    ['steps of unknown length', [{ type: 'digest', wait: aWait() }, { type: 'delay' }], [null]],
  ])('waits as long as its delay and digest steps: %s', (_, changes, waits) => {
    const event = eventOf(1, { jobs: [...changes.map((change) => aJob(change)), FAILED] });
    const read = { events: new Map([[eventKey(event), judged(event)]]), newest: new Map() };
    expect(pathsOf(planResend([broken(event)], read, CHOICES, at(60)), read, at(60)).waits).toEqual(waits);
  });

  test('uses the channels of the steps that failed, each at its provider', () => {
    const read = { events: new Map([['event-1', judged(eventOf(1))]]), newest: new Map() };
    const paths = pathsOf(planResend([broken(eventOf(1))], read, CHOICES, at(60)), read, at(60));
    const uses = [null, 'sendgrid', 'ses'].map((provider) => paths.usesStep({ channel: 'email', provider }));
    expect([...uses, paths.usesStep({ channel: 'sms', provider: null })]).toEqual([true, true, false, false]);
  });

  test('has a transaction ID that depends only on the environment and the event', () => {
    expect(resentId('production', 'event-1')).toBe(resentId('production', 'event-1'));
    const others = [resentId('production', 'event-2'), resentId('staging', 'event-1')];
    expect(new Set([resentId('production', 'event-1'), ...others]).size).toBe(3);
  });
});
