import { addSeconds, subSeconds } from 'date-fns';
import { expect, test, vi } from 'vitest';
import { newGate } from '../lib/gate.testing.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { aJob, aWait } from '../service/event.testing.ts';
import type { Job } from '../service/event.ts';
import { PERSON } from '../service/query.ts';
import { ServiceError } from '../service/service-error.ts';
import type { TriggerItem } from '../service/trigger.ts';
import { at } from '../store/examples.testing.ts';
import { moveBack } from '../store/set-back.ts';
import { reread, type TriggerService } from './reread-events.ts';
import { answered, BATCH, describeResends, FAILED, PEOPLE } from './resend.testing.ts';
import { brokenEvents, startResend, stopResends } from './resend.ts';
import { resendChoices } from './sending.testing.ts';
import { continueSendings } from './sending-loop.ts';
import { type SendCtx, sendingOf } from './sending-rows.ts';
import { sendings } from './tables.ts';

const SERVER_ERROR = { status: 500, errorId: 'e-1' };

describeResends('a batch that is sent again', (resends, store) => {
  const { aCtx, begin, command, incidentOfAll, proceed, progress, signal } = resends;

  const failingFor = (person: string, error: ServiceError) => {
    const { triggerEvents } = aCtx().serviceOf('production');
    return aCtx({
      triggerEvents: (items, ...others) =>
        items.some(({ subscriberId }) => subscriberId === person)
          ? Promise.reject(error)
          : triggerEvents(items, ...others),
    });
  };

  test('what a kill cut off before it was sent is sent after a minute, and the rest at once', async () => {
    await begin(aCtx());
    await new Promise<void>((reached) => {
      const triggerEvents = () => new Promise<never>(() => reached());
      void continueSendings(aCtx({ triggerEvents }), signal);
    });
    await continueSendings(aCtx(), signal);
    expect(resends.sent).toHaveLength(10);
    await proceed(aCtx(), 1, 1);
    expect(resends.sent.toSorted()).toEqual(PEOPLE.toSorted());
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

  test('what was delivered or has gone since it was confirmed is left out, and does not stop the rest', async () => {
    const jobsOf = (subscriberId: string) => (PEOPLE.indexOf(subscriberId) < 20 ? [aJob()] : [FAILED]);
    const ctx = aCtx({}, jobsOf);
    const incidentId = await begin(ctx);
    for (const _ of [1, 2]) await continueSendings(ctx, signal);
    expect(resends.sent.toSorted()).toEqual(PEOPLE.slice(20).toSorted());
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
    'a batch is planned again right before it is resends.sent, under the choices of the form: %j',
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
      expect(resends.sent.toSorted()).toEqual(people);
      expect((await progress(incidentId)).counts).toEqual(counts);
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
    expect(resends.sent).toEqual(['user-1']);
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
    expect(resends.sent.toSorted()).toEqual(people.filter((person) => person !== 'user-3'));
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
    expect(resends.sent.toSorted()).toEqual(PEOPLE.toSorted());
  });

  test('an event on which the service fails does not hold up the others', async () => {
    const problem = { kind: 'service-error', ...SERVER_ERROR } as const;
    const failure = new ServiceError('production', 'triggerEvents', problem, { outcomeUnknown: true });
    const ctx = failingFor('user-3', failure);
    const people = PEOPLE.slice(0, 8);
    const incidentId = await begin(ctx, people);
    await proceed(ctx, ...Array(60).keys());
    expect(resends.sent.toSorted()).toEqual(people.filter((person) => person !== 'user-3'));
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
      resends.now = subSeconds(at(10), secondsOn);
      // Each look at the clock takes a second.
      const ticking = () => {
        resends.now = addSeconds(resends.now, 1);
        return resends.now;
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
        stoppedAt: isStopped ? resends.now : null,
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
    expect(await sendingOf(store().db, 'first')).toMatchObject({ stoppedAt: resends.now, stoppedBy: actor });
  });

  /** Begins to send ten events each of two forms, of which the first is of the given environment. */
  async function beginBoth(environment: string): Promise<SendCtx> {
    const ctx = aCtx();
    const all = await command(await incidentOfAll(), 'first');
    await startResend(ctx, { ...all, toSend: all.toSend.slice(0, 10) });
    await store().db.update(sendings).set({ environment });
    resends.now = at(1);
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
    expect(resends.sent).toHaveLength(10);
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
    await vi.waitFor(() => expect(resends.sent).toHaveLength(10));
    hanging.open();
    await continued;
    expect(resends.sent).toHaveLength(20);
  });
});
