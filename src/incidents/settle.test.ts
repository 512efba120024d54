import { beforeEach, expect, test } from 'vitest';
import { ANN, describeNight, drawn } from '../alerts/night.testing.ts';
import { environmentOf, putPasses } from '../coverage/environments.ts';
import { gaps, successCounts } from '../coverage/tables.ts';
import { DAY_MS } from '../lib/time/durations.ts';
import { at, checkedTo, failureOf, reading, record, stretch } from '../store/examples.testing.ts';
import { prune } from '../store/prune.ts';
import { incidents, outbreaks } from './tables.ts';
import { timelineOf } from './timeline.ts';

describeNight('An incident in which nothing fails any more', (night, store) => {
  beforeEach(async () => {
    await night.watch();
    await night.poll(failureOf('a'));
  });
  const state = async () => (await drawn(night, 0)).rows[0]?.incident.state.is;

  test('is resolved by nobody, which its thread says once', async () => {
    await night.wait(5);
    expect(await state()).toBe('recovering');
    await night.succeed(20);
    await night.wait(9);
    expect(await state()).toBe('recovering');
    for (const minutes of [1, 1]) await night.wait(minutes);
    expect(await state()).toBe('resolved');
    const replies = night.channel.posted.filter(({ kind }) => kind === 'line');
    const entry = { actor: null, at: at(15), change: { action: 'ended', ending: 'recovered' } };
    expect(replies).toMatchObject([{ turns: [{ event: { entry } }] }]);
  });

  test('is over after a stop once late failures were looked for, too', async () => {
    await night.wait(5);
    await night.succeed(20);
    const passReads = async (to: Date) => {
      const known = await environmentOf(store().db, 'production');
      if (known !== null) await putPasses(store().db, known, new Map([[4, to]]));
    };
    await passReads(at(1));
    await night.wait(20);
    expect([await state(), night.lines()]).toEqual(['recovering', []]);
    await passReads(at(21));
    await night.wait(1);
    expect([await state(), night.lines()]).toEqual(['resolved', ['ended']]);
  });

  const unreadable = [{ key: 'event-9', createdAt: at(2.5) }];
  test.each([
    ['minutes that could not be read whole', 5, () => record(store(), 'production', reading({ unreadable }), at(3))],
    ['a gap', 6, () => checkedTo(store(), at(4), stretch(at(1), at(3)))],
  ])('is not calm in %s', async (_, minutes, interrupt) => {
    await interrupt();
    await night.wait(minutes);
    expect(await state()).toBe('firing');
    await night.wait(1);
    expect(await state()).toBe('recovering');
  });

  test('is not said to be over if it has another cause by now, of which more fail', async () => {
    for (night.minutes = 1; night.minutes < 20; night.minutes += 3) {
      const eventKey = night.minutes === 1 ? 'event-a' : `event-${night.minutes}`;
      await night.poll(failureOf('b', { eventKey, occurredAt: night.now() }));
    }
    expect([await states(), night.alerts(), night.lines()]).toEqual([['firing'], [['new #1 1'], ['every #1 5']], []]);
  });

  test('goes on recovering if a failure from before the deliveries that proved it is found late', async () => {
    night.minutes = 2;
    await night.succeed(400);
    await night.wait(1);
    expect(await state()).toBe('recovering');
    await night.poll(failureOf('a', { eventKey: 'late', occurredAt: at(1) }));
    expect([await state(), night.lines()]).toEqual(['recovering', []]);
    await night.poll(failureOf('a', { eventKey: 'again', occurredAt: at(3) }));
    expect([await state(), night.lines()]).toEqual(['firing', ['failing-again']]);
  });

  const states = async () => (await store().db.select().from(incidents).orderBy(incidents.id)).map((row) => row.state);
  const pruned = () => prune({ ...store(), retentionDays: 30, horizonMs: 3 * DAY_MS, now: night.now });

  test('that bounced is over by time, since later emails can bounce, too', async () => {
    await night.poll(failureOf('b', { verdict: 'bounced' }));
    for (const calm of [5, 11]) await night.wait(calm);
    expect((await states())[1]).toBe('resolved');
  });

  test('for weeks needs the deliveries of its last day, whatever is pruned', async () => {
    const times = Array.from({ length: 20 * 24 }, (_, index) => at(10 - 60 * index));
    const failing = times.slice(1).map((occurredAt, n) => failureOf('b', { eventKey: `${n}`, occurredAt }));
    await night.poll(...failing);
    const sent = { environment: 'production', workflow: 'order-shipped', channel: 'email', provider: 'sendgrid' };
    const counts = times.map((minute) => ({ ...sent, minute, created: minute, lastAt: minute, successes: 1_000 }));
    await store().db.insert(successCounts).values(counts);
    for (const calm of [5, 11, 24]) await night.wait(calm);
    expect((await states())[1]).toBe('unconfirmed');
    await pruned();
    await night.wait(1);
    expect((await states())[1]).toBe('unconfirmed');
  });

  test('ends unseen after 26 hours, without an all-clear, also while a note keeps it longer than its failures', async () => {
    for (const calm of [5, 25]) await night.wait(calm);
    expect(await states()).toEqual(['unconfirmed']);
    await night.does(1, { what: 'noted', text: 'key rotated' });
    await night.wait(31 * 24 * 60);
    await pruned();
    await night.wait(1);
    expect(await states()).toEqual(['resolved']);
    expect(await store().db.select().from(outbreaks)).toMatchObject([{ ending: 'unconfirmed', failures: 1 }]);
  });
});

describeNight('An incident of a few failures', (night, store) => {
  test('isn’t worse because more is delivered, until more fails', async () => {
    await night.watch();
    const rises = async () => (await timelineOf(store().db, 1)).filter(({ change }) => change?.action === 'worse');
    const failAt = (minute: number) => {
      night.minutes = minute;
      return night.poll(night.refused(minute));
    };
    await night.succeed(3);
    for (const minute of [0, 4, 8, 12, 16]) await failAt(minute);
    night.minutes = 17;
    await night.succeed(9);
    await night.poll();
    expect(await rises()).toEqual([]);
    await failAt(18);
    expect(await rises()).toMatchObject([{ change: { badness: 'many', failed: 2, tried: 11 } }]);
  });
});

describeNight('Steps that are stuck', (night) => {
  test('are no attempts at their provider: they have no share, and are in no other one', async () => {
    await night.watch();
    const stuck = { verdict: 'stuck', cause: { text: 'Still pending', key: 'still pending' } } as const;
    await night.poll(...night.many(5, stuck), ...night.many(2, { from: 5 }));
    const incidents = (await drawn(night, 0)).rows.map(({ incident }) => incident);
    const shareOf = ({ verdict, badness, attempts }: (typeof incidents)[number]) => [
      ...[verdict, badness, attempts?.failed, attempts?.tried],
    ];
    expect(incidents.map(shareOf)).toEqual([
      ['stuck', 'some', 0, 2],
      ['failed', 'some', 2, 2],
    ]);
  });
});

describeNight('Failures that are found long after they happened', (night, store) => {
  beforeEach(() => night.watch({ mention: ANN }));
  const findLate = (minute: number) => night.poll(failureOf('a', { eventKey: `${minute}`, occurredAt: at(minute) }));

  test.each([
    ['without a gap', null],
    ['with a gap of a second', { beginsAt: at(10), endsAt: at(10.02), openedAt: at(10), closedAt: at(10.5) }],
  ])(
    'of a queue that is stuck keep their incident firing until none was found for five minutes, %s',
    async (_, gap) => {
      if (gap !== null)
        await store()
          .db.insert(gaps)
          .values({ ...gap, environment: 'production', cause: 'unreachable' });
      for (const minute of [1, 2, 3]) {
        night.minutes = minute + 20;
        await findLate(minute);
      }
      expect((await drawn(night, 0)).rows[0]?.incident.state).toMatchObject({ is: 'firing' });
      expect(night.digests()).toMatchObject([{ mention: { id: 'U0ANN' } }]);
      await night.wait(5);
      expect((await drawn(night, 0)).rows[0]?.incident.state).toMatchObject({ is: 'recovering' });
    },
  );

  test.each([
    { when: 'in a gap', failedAt: 2 },
    { when: 'just before one, in which they were listed', failedAt: 0.5 },
  ])('$when, are alerted as over', async ({ failedAt }) => {
    await checkedTo(store(), at(30), stretch(at(1), at(15)));
    night.minutes = 31;
    await findLate(failedAt);
    await night.wait(1);
    expect((await drawn(night, 0)).rows[0]?.incident.state).toMatchObject({ is: 'recovering' });
    expect(night.digests()).toMatchObject([{ mention: null }]);
  });

  test('before Notif first started are alerted as over', async () => {
    night.minutes = 1;
    await findLate(-30);
    expect((await drawn(night, 0)).rows[0]?.incident.state).toMatchObject({ is: 'recovering' });
    expect(night.digests()).toMatchObject([{ mention: null }]);
  });
});
