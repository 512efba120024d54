import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { watchAlerts } from '../alerts/tables.ts';
import { eraseSubscriber } from '../app/erase.ts';
import { Payload } from '../lib/text/payload.ts';
import { DAY_MS } from '../lib/time/durations.ts';
import { messageWithId } from '../outbox/messages.ts';
import { slackMessages as messages } from '../outbox/tables.ts';
import { anEvent, aSubscriber, NO_OPTIONS } from '../service/event.testing.ts';
import { ServiceError } from '../service/service-error.ts';
import type { TriggerItem } from '../service/trigger.ts';
import { at, failureOf, NOON, recordFailures } from '../store/examples.testing.ts';
import { storedRows } from '../store/store.testing.ts';
import { USUAL_SETTINGS } from '../watches/settings.ts';
import { watches } from '../watches/tables.ts';
import { originalOf } from './original.ts';
import { sendingKind } from './progress.ts';
import type { TriggerService } from './reread-events.ts';
import { answered, BATCH, describeResends, FAILED, failuresOf, PEOPLE } from './resend.testing.ts';
import { brokenEvents, startResend, stopResends } from './resend.ts';
import { sendTrigger } from './send.ts';
import { continueSendings } from './sending-loop.ts';
import { sendingOf } from './sending-rows.ts';
import { refuseIfSentAgain, resentId } from './sent-again.ts';
import { triggers } from './tables.ts';

describeResends('sending again', (resends, store) => {
  const { aCtx, begin, command, incidentOfAll, openIn, proceed, progress, signal } = resends;

  async function alertedIn(channel: string, incidentId: number): Promise<string> {
    const { db } = store();
    const watch = { settings: USUAL_SETTINGS, number: 1, channel, createdAt: NOON, createdBy: 'U1' };
    const [{ id: watchId } = { id: '' }] = await db.insert(watches).values(watch).returning();
    const alert = { id: 'alert', owner: watchId, channel, kind: 'digest', createdAt: NOON, state: 'posted' } as const;
    await db.insert(messages).values(alert);
    await db.insert(watchAlerts).values({ watchId, incidentId, environment: 'production', messageId: alert.id });
    return channel;
  }

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
    await vi.waitUntil(() => continueSendings(ctx, signal).then(() => resends.sent.length >= PEOPLE.length));
    expect(resends.sent.toSorted()).toEqual(PEOPLE.toSorted());
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
    expect(resends.sent.toSorted()).toEqual(PEOPLE.toSorted());
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
    expect(resends.sent.toSorted()).toEqual(PEOPLE.toSorted());
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
      const isSending = eq(messages.kind, 'sending');
      const rows = await store().db.select().from(messages).where(isSending).orderBy(messages.createdAt);
      return rows.map(({ threadOf, channel }) => threadOf ?? channel);
    };
    await continueSendings(ctx, signal);
    expect(await sentTo()).toEqual(['alert']);
    resends.now = at(11);
    await Promise.all([continueSendings(ctx, signal), continueSendings(aCtx(), signal)]);
    expect(await sentTo()).toEqual(['alert', 'U1']);
  });

  test('what is stopped says so at once, sends no more, and what was not sent can be sent later', async () => {
    const ctx = aCtx();
    const incidentId = await begin(ctx);
    await continueSendings(ctx, signal);
    await ctx.db.update(messages).set({ state: 'posted', nextAt: null });
    expect(await stopResends(ctx, incidentId, 'U2')).toBe(true);
    expect(await ctx.db.select().from(messages)).toMatchObject([{ nextAt: resends.now }]);
    await continueSendings(ctx, signal);
    expect(resends.sent).toHaveLength(BATCH);
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
        time === erasedAt && (await eraseSubscriber(store().db, 'user-1', DAY_MS, resends.now));
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
    'a batch that was claimed when it is stopped is not resends.sent, also while a rate limit holds it back',
    async (holding) => {
      const ctx = aCtx(holding(() => stopResends(aCtx(), incidentId, 'U2')));
      const incidentId = await begin(ctx);
      for (const _ of [1, 2]) await continueSendings(ctx, signal);
      expect(resends.sent).toEqual([]);
      expect((await progress(incidentId)).counts).toEqual({ 'left-out': PEOPLE.length });
      expect(await openIn(incidentId)).toBe(PEOPLE.length);
    },
  );

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
