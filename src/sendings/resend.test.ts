import { addSeconds, subSeconds } from 'date-fns';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, test, vi } from 'vitest';
import { watchAlerts } from '../alerts/tables.ts';
import { eraseSubscriber } from '../app/erase.ts';
import { incidents } from '../incidents/tables.ts';
import { newGate } from '../lib/gate.testing.ts';
import { silent } from '../lib/logger.testing.ts';
import { createSeal } from '../lib/seal.ts';
import { Payload } from '../lib/text/payload.ts';
import { DAY_MS, MINUTE_MS } from '../lib/time/durations.ts';
import { messageWithId } from '../outbox/messages.ts';
import { slackMessages as messages } from '../outbox/tables.ts';
import { aDetail, aJob, anEvent, aSubscriber, aWait, NO_OPTIONS } from '../service/event.testing.ts';
import type { Job } from '../service/event.ts';
import { PERSON } from '../service/query.ts';
import { ServiceError } from '../service/service-error.ts';
import type { TriggerItem } from '../service/trigger.ts';
import { at, failureOf, NOON, recordFailures } from '../store/examples.testing.ts';
import { moveBack } from '../store/set-back.ts';
import { describeStore, storedRows } from '../store/store.testing.ts';
import { USUAL_SETTINGS } from '../watches/settings.ts';
import { watches } from '../watches/tables.ts';
import { originalOf } from './original.ts';
import { progressOf } from './progress.ts';
import { reread, type TriggerService } from './read-events.ts';
import { brokenEvents, startResend, stopResends } from './resend.ts';
import { sendTrigger } from './send.ts';
import { resendChoices } from './sending.testing.ts';
import { sendingKind } from './sending-kind.ts';
import { continueSendings } from './sending-loop.ts';
import { type SendCtx, sendingOf } from './sending-rows.ts';
import { refuseIfSentAgain, resentId } from './sent-again.ts';
import { sendings, triggers } from './tables.ts';

const SERVER_ERROR = { status: 500, errorId: 'e-1' };
const FAILED = aJob({ status: 'failed', details: [aDetail()] });
/** How many events a batch has, at first. */
const BATCH = 50;
const PEOPLE = Array.from({ length: BATCH + 10 }, (_, index) => `user-${index}`);

const failuresOf = (cause: string, people: readonly string[]) =>
  people.map((subscriberId) => {
    const eventId = `event-${subscriberId}`;
    return failureOf(cause, { subscriberId, eventKey: eventId, eventId });
  });

const answered = (status: string, items: readonly TriggerItem[]) =>
  items.map(({ transactionId }) => ({ status, errors: [], transactionId }));

describeStore('sending again', (store) => {
  let sent: string[];
  let now: Date;
  const signal = new AbortController().signal;

  beforeEach(() => {
    sent = [];
    now = NOON;
  });

  /** The service as it is after the failures: whoever asks for an event gets it, and a trigger is taken. */
  function aCtx(change: Partial<TriggerService> = {}, jobsOf = (_: string) => [FAILED]): SendCtx {
    const listed = (subscriberId: string) => {
      const subscriber = aSubscriber(subscriberId);
      const jobs = jobsOf(subscriberId);
      return anEvent({ id: `event-${subscriberId}`, transactionId: `txn-${subscriberId}`, subscriber, jobs });
    };
    return {
      db: store().db,
      seal: createSeal('xoxb-secret'),
      serviceOf: () => ({
        clockAheadMs: () => 0,
        retrieveEvent: async () => null,
        listEvents: async () => ({ items: [], unreadable: [], hasMore: false }),
        async *eventPages({ subscriberIds = [] }) {
          yield { items: subscriberIds.map(listed), unreadable: [], hasMore: false };
        },
        triggerEvents: async (items: readonly TriggerItem[]) => {
          sent.push(...items.map(({ subscriberId }) => subscriberId));
          return answered('processed', items);
        },
        ...change,
      }),
      logger: silent,
      now: () => now,
      newId: () => 'key',
      wakeOutbox: async () => {},
    };
  }

  async function incidentOfAll(all = PEOPLE, cause = 'Key refused'): Promise<number> {
    await recordFailures(store(), NOON, failuresOf(cause, all));
    const [row] = await store().db.select().from(incidents);
    return row?.id ?? 0;
  }

  async function command(incidentId: number, intent: string) {
    const broken = await brokenEvents(store().db, incidentId);
    const toSend = broken.map(({ eventKey, subscriberId }) => {
      return { eventKey, subscriberId: subscriberId ?? '', workflow: 'order-shipped' };
    });
    return { intent, actor: 'U1', channel: null, incidentId, toSend, choices: resendChoices() };
  }

  async function alertedIn(channel: string, incidentId: number): Promise<string> {
    const { db } = store();
    const watch = { settings: USUAL_SETTINGS, number: 1, channel, createdAt: NOON, createdBy: 'U1' };
    const [{ id: watchId } = { id: '' }] = await db.insert(watches).values(watch).returning();
    const alert = { id: 'alert', owner: watchId, channel, kind: 'digest', createdAt: NOON, state: 'posted' } as const;
    await db.insert(messages).values(alert);
    await db.insert(watchAlerts).values({ watchId, incidentId, environment: 'production', messageId: alert.id });
    return channel;
  }

  /** Begins to send all of an incident again. Returns the incident. */
  async function begin(ctx: SendCtx, people = PEOPLE): Promise<number> {
    const incidentId = await incidentOfAll(people);
    await startResend(ctx, await command(incidentId, 'first'));
    return incidentId;
  }

  /** Continues what is sent, at each of these minutes after noon. */
  async function proceed(ctx: SendCtx, ...minutes: readonly number[]): Promise<void> {
    for (const minute of minutes) {
      now = at(minute);
      await continueSendings(ctx, signal);
    }
  }

  const progress = (incidentId: number) => progressOf(store().db, { id: 'first', incidentId });

  const openIn = async (incidentId: number) =>
    (await brokenEvents(store().db, incidentId)).filter(({ sentAgain }) => sentAgain === null).length;

  const failingFor = (person: string, error: ServiceError) => {
    const { triggerEvents } = aCtx().serviceOf('production');
    return aCtx({
      triggerEvents: (items, ...others) =>
        items.some(({ subscriberId }) => subscriberId === person)
          ? Promise.reject(error)
          : triggerEvents(items, ...others),
    });
  };

  test('two people, a double submission and two replicas at once send each event once', async () => {
    const ctx = aCtx();
    const incidentId = await incidentOfAll();
    const first = await command(incidentId, 'first');
    const second = await command(incidentId, 'second');
    const began = await Promise.all(
      [first, first, second].map((each) => startResend(ctx, each).catch((error: Error) => error.message)),
    );
    expect(began.filter((start) => start !== null && typeof start === 'object')).toHaveLength(1);
    expect(began).toContain('Somebody else has just sent this again.');
    await Promise.all([continueSendings(ctx, signal), continueSendings(aCtx(), signal)]);
    // The connection of a start that came too late holds its locks a moment longer.
    await vi.waitUntil(() => continueSendings(ctx, signal).then(() => sent.length >= PEOPLE.length));
    expect(sent.toSorted()).toEqual(PEOPLE.toSorted());
  });

  test('an event that failed on two channels is sent again once, for whichever incident and by whomever', async () => {
    const emails = await incidentOfAll();
    const sms = failuresOf('Key refused', PEOPLE.slice(20)).map((failure) => ({
      ...failure,
      channel: 'sms',
      jobId: 'job-2',
    }));
    await recordFailures(store(), NOON, sms);
    const started = await Promise.all([
      startResend(aCtx(), await command(emails, 'first')),
      startResend(aCtx(), await command(emails + 1, 'second')).catch((error: Error) => ({ events: 0, error })),
    ]);
    expect(started.reduce((sum, start) => sum + (start?.events ?? 0), 0)).toBe(PEOPLE.length);
    for (const _ of [1, 2]) await continueSendings(aCtx(), signal);
    expect(sent.toSorted()).toEqual(PEOPLE.toSorted());
    expect([await openIn(emails), await openIn(emails + 1)]).toEqual([0, 0]);
  });

  test('what failed again is not sent twice, but what it was sent as can be sent again, from its own incident', async () => {
    const incidentId = await begin(aCtx(), ['user-1']);
    await continueSendings(aCtx(), signal);
    const [{ id = '' } = {}] = await store().db.select().from(triggers);
    const again = anEvent({ id: 'event-again', transactionId: id, subscriber: aSubscriber('user-1'), jobs: [FAILED] });
    const eventPages: TriggerService['eventPages'] = async function* () {
      yield { items: [again], unreadable: [], hasMore: false };
    };
    await continueSendings(aCtx({ eventPages }), signal);
    await recordFailures(store(), NOON, [
      failureOf('Key expired', { eventKey: 'event-again', subscriberId: 'user-1' }),
    ]);
    expect(await brokenEvents(store().db, incidentId)).toMatchObject([
      { sentAgain: 'failed', failedAgainIn: incidentId + 1 },
    ]);
    await startResend(aCtx(), await command(incidentId + 1, 'second'));
    expect((await store().db.select().from(triggers)).map(({ id }) => id)).toContain(
      resentId('production', 'event-again'),
    );
    const original = originalOf(anEvent({ id: 'event-user-1' }), 'production');
    await expect(refuseIfSentAgain(store().db, original)).rejects.toThrow('already sent again, and failed again');
  });

  test('what was sent again from its card is not sent again for an incident, but for a refusal, with the same ID', async () => {
    const incidentId = await incidentOfAll(['user-1']);
    const resend = await command(incidentId, 'first');
    const event = { subscriberId: 'user-1', payload: new Payload({}), profile: null };
    const ids: string[] = [];
    const send = (intent: string, status: string) => {
      const triggerEvents = async (items: readonly TriggerItem[]) => {
        ids.push(...items.map(({ transactionId }) => transactionId));
        return answered(status, items);
      };
      const form = { environment: 'production', workflow: 'order-shipped', events: [event], options: NO_OPTIONS };
      return sendTrigger(aCtx({ triggerEvents }), {
        ...form,
        intent,
        actor: 'U2',
        channel: null,
        eventKey: 'event-user-1',
      });
    };
    await send('refused', 'trigger_not_active');
    await send('accepted', 'processed');
    expect(ids).toEqual(Array(2).fill(resentId('production', 'event-user-1')));
    await expect(send('repeated', 'processed')).rejects.toThrow('Somebody else has just sent this again.');
    await expect(startResend(aCtx(), resend)).rejects.toThrow('Somebody else has just sent this again.');
    expect([ids.length, await openIn(incidentId)]).toEqual([2, 0]);
  });

  test('events that count under another cause by now are sent all the same, and not again for that', async () => {
    const incidentId = await begin(aCtx());
    await continueSendings(aCtx(), signal);
    await incidentOfAll(PEOPLE, 'Key expired');
    expect(await openIn(incidentId + 1)).toBe(0);
    await continueSendings(aCtx(), signal);
    expect(sent.toSorted()).toEqual(PEOPLE.toSorted());
  });

  test('what a kill cut off before it was sent is sent after a minute, and the rest at once', async () => {
    await begin(aCtx());
    await new Promise<void>((reached) => {
      const triggerEvents = () => new Promise<never>(() => reached());
      void continueSendings(aCtx({ triggerEvents }), signal);
    });
    await continueSendings(aCtx(), signal);
    expect(sent).toHaveLength(10);
    await proceed(aCtx(), 1, 1);
    expect(sent.toSorted()).toEqual(PEOPLE.toSorted());
  });

  test('its progress is posted in the thread of an alert in the channel where it was asked for, else to who asked', async () => {
    const incidentId = await incidentOfAll();
    const { db } = store();
    await alertedIn('C0ONCALL', incidentId);
    const place = async (channel: string | null) => {
      const resend = await command(incidentId, `in ${channel}`);
      return startResend(aCtx(), { ...resend, channel, toSend: resend.toSend.slice(0, 1) });
    };
    expect(await place('C0ONCALL')).toMatchObject({ inThread: true });
    await db.delete(triggers);
    expect(await place('C0GENERAL')).toMatchObject({ inThread: false });
    await db.delete(triggers);
    expect(await place(null)).toMatchObject({ inThread: false });
    const progress = await db.select().from(messages).where(eq(messages.kind, 'sending')).orderBy(messages.owner);
    expect(progress.map(({ threadOf, channel }) => threadOf ?? channel)).toEqual(['U1', 'alert', 'U1']);
    const last = await messageWithId(db, progress[2]?.id ?? '');
    const drawn = last && (await sendingKind.draw(db, last, NOON));
    const content = { kind: 'resend', channel: 'U1', sending: { incidentId }, counts: { waiting: 1 } };
    expect(drawn).toMatchObject({ is: 'drawn', content });
  });

  test('its outcome is sent to who asked once, by a direct message, if its progress is in a thread', async () => {
    const incidentId = await incidentOfAll(['user-1']);
    const channel = await alertedIn('C0ONCALL', incidentId);
    const ctx = aCtx();
    await startResend(ctx, { ...(await command(incidentId, 'first')), channel });
    const sentTo = async () => {
      const rows = await store().db.select().from(messages).where(eq(messages.kind, 'sending'));
      return rows.map(({ threadOf, channel }) => threadOf ?? channel);
    };
    await continueSendings(ctx, signal);
    expect(await sentTo()).toEqual(['alert']);
    now = at(11);
    await Promise.all([continueSendings(ctx, signal), continueSendings(aCtx(), signal)]);
    expect(await sentTo()).toEqual(['alert', 'U1']);
  });

  test('events of contacts are asked for by their IDs, never so many at once that others wait', async () => {
    let asking = 0;
    let most = 0;
    const retrieveEvent = async () => {
      most = Math.max(most, ++asking);
      await new Promise((resolve) => setImmediate(resolve));
      asking -= 1;
      return null;
    };
    const ctx = aCtx({ retrieveEvent });
    const id = await incidentOfAll(PEOPLE.map((person) => `${person}@example.com`));
    await reread(await brokenEvents(ctx.db, id), { ...ctx, service: ctx.serviceOf('production'), call: PERSON });
    expect(most).toBe(12);
  });

  test('what is stopped says so at once, sends no more, and what was not sent can be sent later', async () => {
    const ctx = aCtx();
    const incidentId = await begin(ctx);
    await continueSendings(ctx, signal);
    await ctx.db.update(messages).set({ state: 'posted', nextAt: null });
    expect(await stopResends(ctx, incidentId, 'U2')).toBe(true);
    expect(await ctx.db.select().from(messages)).toMatchObject([{ nextAt: now }]);
    await continueSendings(ctx, signal);
    expect(sent).toHaveLength(BATCH);
    expect((await progress(incidentId)).counts).toEqual({ sent: BATCH, 'left-out': 10 });
    expect(await openIn(incidentId)).toBe(10);
  });

  test('what nobody knows of when it is stopped can be sent later', async () => {
    const problem = { kind: 'timed-out' } as const;
    const lost = new ServiceError('production', 'triggerEvents', problem, { outcomeUnknown: true });
    const ctx = aCtx({ triggerEvents: () => Promise.reject(lost) });
    const incidentId = await begin(ctx);
    await continueSendings(ctx, signal);
    await stopResends(ctx, incidentId, 'U2');
    await continueSendings(ctx, signal);
    expect((await progress(incidentId)).counts).toEqual({ sending: BATCH, 'left-out': 10 });
    expect(await openIn(incidentId)).toBe(10);
    await proceed(ctx, 11);
    expect((await progress(incidentId)).counts).toEqual({ unclear: BATCH, 'left-out': 10 });
    expect(await openIn(incidentId)).toBe(PEOPLE.length);
  });

  test.each(['before it began', 'while it ran', 'after it ended'] as const)(
    'who is sent something again is forgotten once that is over, also if they were erased %s',
    async (erasedAt) => {
      const ctx = aCtx();
      const erase = async (time: typeof erasedAt) =>
        time === erasedAt && (await eraseSubscriber(store().db, 'user-1', DAY_MS, now));
      const incidentId = await incidentOfAll();
      const planned = await command(incidentId, 'first');
      await erase('before it began');
      await startResend(ctx, planned);
      await erase('while it ran');
      await proceed(ctx, 0, 1, 12);
      expect((await sendingOf(store().db, 'first'))?.endedAt).not.toBeNull();
      await erase('after it ended');
      const isTheirs = (row: string) => /^triggers .*"user-1"/.test(row);
      expect((await storedRows(store().db)).filter(isTheirs)).toEqual([]);
    },
  );

  test('what was delivered or has gone since it was confirmed is left out, and does not stop the rest', async () => {
    const jobsOf = (subscriberId: string) => (PEOPLE.indexOf(subscriberId) < 20 ? [aJob()] : [FAILED]);
    const ctx = aCtx({}, jobsOf);
    const incidentId = await begin(ctx);
    for (const _ of [1, 2]) await continueSendings(ctx, signal);
    expect(sent.toSorted()).toEqual(PEOPLE.slice(20).toSorted());
    expect(await progress(incidentId)).toMatchObject({
      counts: { sent: 40, 'left-out': 20 },
      reasons: [{ state: 'left-out', why: 'delivered since', events: 20 }],
    });
  });

  test.each([
    [{}, ['user-1'], { sent: 1, 'left-out': 3 }],
    [{ sendsTwice: true }, ['user-1', 'user-2'], { sent: 2, 'left-out': 2 }],
    [{ workflows: ['welcome'] }, [], { 'left-out': 4 }],
    [{ maxAgeMs: MINUTE_MS }, [], { 'left-out': 4 }],
  ])(
    'a batch is planned again right before it is sent, under the choices of the form: %j',
    async (choices, people, counts) => {
      const others: Record<string, Job[]> = {
        'user-2': [aJob({ type: 'in_app' })],
        'user-3': [aJob({ type: 'sms', status: 'queued' })],
        'user-4': [aJob({ type: 'delay', status: 'delayed', wait: aWait() })],
      };
      const ctx = aCtx({}, (subscriberId) => [FAILED, ...(others[subscriberId] ?? [])]);
      const incidentId = await incidentOfAll(['user-1', 'user-2', 'user-3', 'user-4']);
      await startResend(ctx, { ...(await command(incidentId, 'first')), choices: resendChoices(choices) });
      await proceed(ctx, 2);
      expect(sent.toSorted()).toEqual(people);
      expect((await progress(incidentId)).counts).toEqual(counts);
    },
  );

  // While its events are read, and while the limiter holds it back.
  test.each<(stop: () => Promise<unknown>) => Partial<TriggerService>>([
    (stop) => ({
      async *eventPages(...query) {
        await stop();
        yield* aCtx()
          .serviceOf('production')
          .eventPages(...query);
      },
    }),
    (stop) => ({
      triggerEvents: async (_items, _options, { signal }) => {
        await stop();
        await vi.waitUntil(() => signal?.aborted, { timeout: 60_000 });
        throw signal?.reason;
      },
    }),
  ])(
    'a batch that was claimed when it is stopped is not sent, also while a rate limit holds it back',
    async (holding) => {
      const ctx = aCtx(holding(() => stopResends(aCtx(), incidentId, 'U2')));
      const incidentId = await begin(ctx);
      for (const _ of [1, 2]) await continueSendings(ctx, signal);
      expect(sent).toEqual([]);
      expect((await progress(incidentId)).counts).toEqual({ 'left-out': PEOPLE.length });
      expect(await openIn(incidentId)).toBe(PEOPLE.length);
    },
  );

  test.each([0, 60])(
    'what has no readable answer is tried three times, by a clock that is set back by %i min',
    async (setBackMinutes) => {
      const triggerEvents = vi.fn(async (items: readonly TriggerItem[]) => answered('accepted', items));
      const ctx = aCtx({ triggerEvents });
      const incidentId = await begin(ctx, ['user-1', 'user-2']);
      await proceed(ctx, setBackMinutes);
      await moveBack(store().db, at(0));
      await proceed(ctx, ...Array(30).keys());
      expect(triggerEvents).toHaveBeenCalledTimes(3);
      expect(await progress(incidentId)).toMatchObject({
        counts: { unclear: 2 },
        reasons: [{ state: 'unclear', why: 'no clear answer in three tries', events: 2 }],
      });
      expect((await sendingOf(store().db, 'first'))?.endedAt).not.toBeNull();
    },
  );

  test.each([
    { kind: 'refused', status: 422, message: 'malformed' },
    { kind: 'unreadable', status: 200, wrong: 'transactionId: expected string' },
    { kind: 'service-error', ...SERVER_ERROR },
  ] as const)('an event that the service cannot show does not hold up the others: %j', async (problem) => {
    const ctx = aCtx({ retrieveEvent: () => Promise.reject(new ServiceError('production', 'retrieveEvent', problem)) });
    await begin(ctx, ['a•••@example.com', 'user-1']);
    await continueSendings(ctx, signal);
    expect(sent).toEqual(['user-1']);
  });

  test('no event is left out while the service is away', async () => {
    const away = () =>
      Promise.reject(new ServiceError('production', 'any', { kind: 'service-error', ...SERVER_ERROR }));
    const incidentId = await begin(aCtx(), ['a•••@example.com']);
    await continueSendings(aCtx({ retrieveEvent: away, listEvents: away }), signal);
    expect((await progress(incidentId)).counts).toEqual({ waiting: 1 });
  });

  test('an event that the service refuses to send again is named, and does not hold up the others', async () => {
    const problem = { kind: 'refused', status: 422, message: 'malformed' } as const;
    const ctx = failingFor('user-3', new ServiceError('production', 'triggerEvents', problem));
    const people = PEOPLE.slice(0, 8);
    const incidentId = await begin(ctx, people);
    for (let round = 0; round < 2 * people.length; round++) await continueSendings(ctx, signal);
    expect(sent.toSorted()).toEqual(people.filter((person) => person !== 'user-3'));
    expect((await sendingOf(store().db, 'first'))?.stoppedAt).toBeNull();
    expect(await progress(incidentId)).toMatchObject({
      counts: { sent: 7, refused: 1 },
      reasons: [{ state: 'refused', why: 'it refused the request (422): malformed' }],
    });
  });

  test('a batch that is too large is halved until it fits, and stays so', async () => {
    const sizes: number[] = [];
    const { triggerEvents } = aCtx().serviceOf('production');
    const ctx = aCtx({
      triggerEvents: (items, ...others) => {
        sizes.push(items.length);
        const problem = { kind: 'refused', status: 413, message: 'Payload Too Large' } as const;
        if (items.length > 20) return Promise.reject(new ServiceError('production', 'triggerEvents', problem));
        return triggerEvents(items, ...others);
      },
    });
    await begin(ctx);
    for (let round = 0; round < 7; round++) await continueSendings(ctx, signal);
    expect(sizes).toEqual([BATCH, 25, 13, 13, 13, 13, 8]);
    expect(sent.toSorted()).toEqual(PEOPLE.toSorted());
  });

  test('an event on which the service fails does not hold up the others', async () => {
    const problem = { kind: 'service-error', ...SERVER_ERROR } as const;
    const failure = new ServiceError('production', 'triggerEvents', problem, { outcomeUnknown: true });
    const ctx = failingFor('user-3', failure);
    const people = PEOPLE.slice(0, 8);
    const incidentId = await begin(ctx, people);
    await proceed(ctx, ...Array(60).keys());
    expect(sent.toSorted()).toEqual(people.filter((person) => person !== 'user-3'));
    const lastRefusal = 'it reported an error of its own (500, error ID e-1)';
    expect(await sendingOf(store().db, 'first')).toMatchObject({ lastRefusal, stoppedAt: null });
    expect((await progress(incidentId)).counts).toEqual({ 'no-event': 7, unclear: 1 });
  });

  test.each([1, 2, 3, 4, 5, 6])(
    'what has no event is said to have none, at whatever step its ten minutes end: %i s on',
    async (secondsOn) => {
      const incidentId = await begin(aCtx(), ['user-1']);
      await continueSendings(aCtx(), signal);
      const ctx = aCtx({
        async *eventPages() {
          yield { items: [], unreadable: [], hasMore: false };
        },
      });
      now = subSeconds(at(10), secondsOn);
      // Each look at the clock takes a second.
      const ticking = () => {
        now = addSeconds(now, 1);
        return now;
      };
      for (const _ of [1, 2, 3]) await continueSendings({ ...ctx, now: ticking }, signal);
      expect((await progress(incidentId)).counts).toEqual({ 'no-event': 1 });
    },
  );

  test.each([
    [{ kind: 'unreachable' }, false],
    [{ kind: 'key-refused', status: 401 }, true],
  ] as const)(
    'a batch that is refused ten times ends it, but not a service that is away: %j',
    async (problem, isStopped) => {
      const failure = new ServiceError('production', 'triggerEvents', problem);
      const ctx = aCtx({ triggerEvents: () => Promise.reject(failure) });
      const incidentId = await begin(ctx, PEOPLE.slice(0, 2));
      for (let round = 0; round < 10; round++) await continueSendings(ctx, signal);
      expect(await sendingOf(store().db, 'first')).toMatchObject({
        stoppedAt: isStopped ? now : null,
        stoppedBy: null,
      });
      expect((await progress(incidentId)).counts).toEqual({ waiting: 2 });
    },
  );

  test.each(['U2', null])('too many refusals stop it, in the name of who stopped it meanwhile: %s', async (actor) => {
    const incidentId = await incidentOfAll();
    const ctx = aCtx({
      triggerEvents: async (items) => {
        if (actor !== null) await stopResends(ctx, incidentId, actor);
        return answered('trigger_not_active', items);
      },
    });
    await startResend(ctx, await command(incidentId, 'first'));
    await continueSendings(ctx, signal);
    expect(await sendingOf(store().db, 'first')).toMatchObject({ stoppedAt: now, stoppedBy: actor });
  });

  /** Begins to send ten events each of two forms, of which the first is of the given environment. */
  async function beginBoth(environment: string): Promise<SendCtx> {
    const ctx = aCtx();
    const all = await command(await incidentOfAll(), 'first');
    await startResend(ctx, { ...all, toSend: all.toSend.slice(0, 10) });
    await store().db.update(sendings).set({ environment });
    now = at(1);
    await startResend(ctx, { ...all, intent: 'second', toSend: all.toSend.slice(10, 20) });
    return ctx;
  }

  test('a form whose environment is no longer configured does not hold up another', async () => {
    const ctx = await beginBoth('gone');
    const serviceOf = (environment: string) => {
      if (environment === 'gone') throw new Error('not configured');
      return ctx.serviceOf(environment);
    };
    await continueSendings({ ...ctx, serviceOf }, signal);
    expect(sent).toHaveLength(10);
  });

  test('a form whose service hangs does not hold up another', async () => {
    const ctx = await beginBoth('hanging');
    const hanging = newGate();
    const serviceOf = (environment: string) => ({
      ...ctx.serviceOf(environment),
      async *eventPages(...query: Parameters<TriggerService['eventPages']>) {
        if (environment === 'hanging') await hanging.opened;
        yield* ctx.serviceOf(environment).eventPages(...query);
      },
    });
    const continued = continueSendings({ ...ctx, serviceOf }, signal);
    await vi.waitFor(() => expect(sent).toHaveLength(10));
    hanging.open();
    await continued;
    expect(sent).toHaveLength(20);
  });

  test('an incident of more than can be read at once is sent again bit by bit', async () => {
    const ctx = aCtx();
    const incidentId = await incidentOfAll(['many-0']);
    await store().db.write(`INSERT INTO failures OVERRIDING SYSTEM VALUE
      SELECT (jsonb_populate_record(f, jsonb_build_object('seq', f.seq + n, 'event_key', 'event-many-' || n))).*
      FROM failures AS f, generate_series(1, 2000) AS n`);
    const first = await command(incidentId, 'first');
    expect(first.toSend).toHaveLength(2_000);
    for (const from of [0, 1_000])
      await startResend(ctx, { ...first, intent: `${from}`, toSend: first.toSend.slice(from, from + 1_000) });
    expect(await openIn(incidentId)).toBe(1);
  });
});
