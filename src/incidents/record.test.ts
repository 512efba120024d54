import { beforeEach, expect, test } from 'vitest';
import { describeNight } from '../alerts/night.testing.ts';
import { explainCause } from '../causes/explain-cause.ts';
import type { Failure } from '../judging/failure.ts';
import { at, failureOf, reading, readingsOf, record } from '../store/examples.testing.ts';
import { incidentNow } from './lists.ts';
import { countOpen, openRows } from './open-incidents.ts';
import { recordReadings } from './record.ts';
import { failures } from './tables.ts';
import { timelineOf } from './timeline.ts';

describeNight('Recording', (night) => {
  beforeEach(() => night.watch());
  const fails = (cause: string, changes: Partial<Failure> = {}) =>
    failureOf(cause, { occurredAt: night.now(), eventCreatedAt: night.now(), ...changes });
  const limited = (minute: number, changes: Partial<Failure> = {}) =>
    fails('rate limit exceeded', { eventKey: `at-${minute}`, occurredAt: at(minute), ...changes });
  const finds = (...found: Failure[]) => record(night.store, 'production', reading({ failures: found }), night.now());
  const shown = (id: number) => incidentNow(night.store.db, id, night.now());
  const edited = async () => {
    await night.announce();
    await night.deliver();
    return night.channel.edited.at(-1)?.content;
  };
  const happened = async (id: number) =>
    (await timelineOf(night.store.db, id)).map(({ change, outbreak }) => `${change?.action} in ${outbreak}`);

  test('failures are dated as stated, but never ahead, have not too many labels, and count once', async () => {
    const stated = (cause: string, changes: Partial<Failure>) =>
      failureOf(cause, { occurredAt: null, eventCreatedAt: null, ...changes });
    const page = [
      stated('a', {
        occurredAt: at(3),
        eventCreatedAt: at(1),
        tags: Array.from({ length: 600 }, (_, n) => `tag-${n}`),
      }),
      stated('b', { eventCreatedAt: at(1) }),
      stated('c', {}),
      stated('d', { occurredAt: at(99), eventCreatedAt: at(1) }),
    ];
    for (const _ of ['read', 'read again'])
      await night.store.db.transaction((tx) =>
        recordReadings(tx, 'production', readingsOf(page), { now: at(9), clockAheadMs: null, explainCause }),
      );
    expect(await night.store.db.select().from(failures).orderBy(failures.seq)).toMatchObject([
      { seq: 1, occurredAt: at(1), eventCreatedAt: at(1) },
      { seq: 2, occurredAt: at(3), eventCreatedAt: at(1), tags: { length: 500 } },
      { seq: 3, occurredAt: at(9), eventCreatedAt: at(9) },
      { seq: 4, occurredAt: at(9), eventCreatedAt: at(1) },
    ]);
  });

  test('an incident keeps number and acts while one failure after the other names its provider no more', async () => {
    const named = [1, 2, 3].map((place) => fails('unrendered', { eventKey: `event-${place}`, provider: 'svc' }));
    await night.poll(...named);
    await night.does(1, { what: 'acknowledged' });
    for (const failure of named) {
      const whole = readingsOf([{ ...failure, provider: null }]).map((read) => ({ ...read, isWhole: true }));
      const recording = { now: night.now(), clockAheadMs: null, explainCause };
      await night.store.db.transaction((tx) => recordReadings(tx, 'production', whole, recording));
    }
    await night.poll(fails('unrendered', { eventKey: 'event-4', provider: null }));
    expect(await shown(1)).toMatchObject({ provider: null, failures: 4, acknowledged: { actor: 'U0ANN' } });
    expect([await shown(2), night.alerts()]).toEqual([null, [['new #1 3']]]);
  });

  test('failures of one page go on with the incident of the earliest, and late ones wake none but their own', async () => {
    await night.poll(limited(0), fails('b'));
    await night.does(1, { what: 'resolved' });
    night.minutes = 48 * 60;
    const others = [24, 48].map((hour) => fails('b', { eventKey: `b-${hour}`, occurredAt: at(hour * 60) }));
    await finds(limited(27 * 60), ...others);
    await finds(limited(25 * 60));
    expect(await shown(1)).toMatchObject({ state: { is: 'resolved' }, outbreak: 1, failures: 1 });
    expect(await shown(2)).toMatchObject({ failures: 3 });
    expect(await shown(3)).toMatchObject({ firstAt: at(25 * 60), failures: 2 });
  });

  test('an incident that fails after its end begins anew at once, and stays with who has it', async () => {
    await night.poll(limited(0, { workflow: 'alpha', critical: true, verdict: 'bounced' }), limited(0.5));
    for (const deed of [{ what: 'acknowledged' }, { what: 'assigned', to: 'U0ANN' }] as const)
      await night.does(1, deed);
    night.minutes = 5;
    await night.store.db.write('UPDATE environments SET clock_ahead_ms = -120000');
    await night.does(1, { what: 'resolved' });
    night.minutes = 5.5;
    await finds(limited(2, { critical: true }));
    expect(await shown(1)).toMatchObject({ state: { is: 'resolved' }, failures: 3 });
    await finds(limited(4.9, { severity: 'low' }));
    const counts = { failures: 1, subscribers: 1, critical: false, verdict: 'failed', failuresInAll: 4 };
    expect(await shown(1)).toMatchObject({
      headline: 'rate limit reached',
      state: { is: 'firing' },
      outbreak: 2,
      firstAt: at(0),
      beganAt: at(4.9),
      acknowledged: null,
      formerly: { actor: 'U0ANN', at: at(0) },
      assignedTo: 'U0ANN',
      workflows: [{ workflow: 'order-shipped', failures: 1 }],
      ...counts,
    });
    for (const minute of [4.5, 1]) await finds(limited(minute));
    expect(await shown(1)).toMatchObject({ failures: 2, failuresInAll: 6, beganAt: at(4.5) });
    await edited();
    await finds(limited(3.5));
    expect(await shown(1)).toMatchObject({ failures: 3, beganAt: at(4.5), firstAt: at(0) });
    expect(await happened(1)).toEqual([
      ...['began in 1', 'acknowledged in 1', 'assigned in 1', 'resolved in 1', 'back in 2'],
      ...['found-later in 1', 'began-earlier in 2'],
    ]);
  });

  test('an incident that is recovering is woken only by new failures, and counts on', async () => {
    await night.poll(limited(0));
    await night.wait(5);
    await finds(limited(-1));
    expect(await shown(1)).toMatchObject({ state: { is: 'recovering' }, beganAt: at(0), firstAt: at(-1) });
    await finds(limited(-2), limited(5));
    expect(await shown(1)).toMatchObject({ state: { is: 'firing' }, outbreak: 1, workflows: [{ failures: 4 }] });
  });

  test('what is only counted stays one incident, since nothing ends it', async () => {
    for (const minute of [0, 5, 10]) {
      night.minutes = minute;
      await night.poll({ ...night.gone(minute), verdict: 'undeliverable' });
    }
    expect(await shown(1)).toMatchObject({ failures: 3, beganAt: at(0) });
  });

  test.each(['retried-then-fine', 'undeliverable', 'skipped-by-design'] as const)(
    'failures leave what they were counted in once they turn out to be %s, which opens nothing',
    async (verdict) => {
      const first = limited(-1);
      const second = limited(0, { workflow: 'alpha', critical: true });
      await night.poll(first, second);
      const noFailure = (failure: Failure): Failure => ({ ...failure, verdict });
      await finds(noFailure(second));
      night.minutes = 1;
      const workflows = [{ failures: 1 }];
      const counts = { failures: 1, subscribers: 1, critical: false };
      expect(await edited()).toMatchObject({ rows: [{ incident: { ...counts, workflows } }] });
      night.minutes = 2;
      const open = async () => countOpen(await openRows(night.store.db, ['production'], night.now()));
      expect(await open()).toMatchObject({ firing: 1, unconfirmed: 0 });
      await finds(noFailure(first), noFailure(limited(2)));
      expect(await open()).toMatchObject({ firing: 0, unconfirmed: 0 });
      expect(await shown(1)).toMatchObject({ failures: 0, example: { eventId: null, transactionId: '' } });
      expect(await shown(2)).toMatchObject({ state: { is: 'resolved' }, outbreak: 1, failures: 3 });
    },
  );
});
