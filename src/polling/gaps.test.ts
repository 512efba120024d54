import { describe, expect, test } from 'vitest';
import { dueWindow, openGap, openWindows } from '../coverage/gaps.ts';
import { at } from '../service/event.testing.ts';
import { ServiceError } from '../service/service-error.ts';
import { ALWAYS, failsAt, HOUR, minutes, PolledEnvironment, sentAt } from './polling.testing.ts';

const polled = new PolledEnvironment();

describe('a moment that the service can’t show', () => {
  const POISONED = at(-minutes(2));

  test('is a gap of a second, and everything around it is read', async () => {
    Object.assign(polled.service, { aheadMs: 0, poisoned: [POISONED] });
    polled.service.events.push(failsAt(-minutes(3)), failsAt(-minutes(2) + 5), failsAt(-minutes(1)));
    expect(await polled.poll(0)).toMatchObject({ newFailures: 3 });
    const [gap] = await polled.gaps();
    expect(gap).toMatchObject({ cause: 'service-error', closedAt: null });
    const { from, to } = gap?.toRead[0] ?? ALWAYS;
    expect(to.getTime() - from.getTime()).toBeLessThanOrEqual(2_000);
    expect([from <= POISONED, to >= POISONED]).toEqual([true, true]);
    const whetherAway = polled.service.queries.filter(({ after, before }) => after?.getTime() === before.getTime());
    expect(whetherAway).toHaveLength(1);
  });

  test('is no gap if it lies just outside of what is read', async () => {
    Object.assign(polled.service, { aheadMs: 0, poisoned: [new Date(at(-minutes(60)).getTime() - 500)] });
    await polled.poll(0);
    expect(await polled.gaps()).toEqual([]);
    expect(polled.service.queries).toHaveLength(3);
  });

  test('is a gap too where only a pass meets it', async () => {
    await polled.poll(0);
    polled.service.poisoned = [POISONED];
    await polled.past(minutes(1));
    expect(await polled.gaps()).toMatchObject([{ cause: 'service-error', closedAt: null }]);
  });

  test('stays unchecked where its windows are damaged, and is read by passes', async () => {
    await polled.poll(0);
    polled.service.problem = { kind: 'unreachable' };
    for (const minute of [2, 4]) await expect(polled.poll(minutes(minute))).rejects.toThrow(ServiceError);
    polled.service.problem = null;
    await polled.db.write(`UPDATE gaps SET unchecked = '"erased"' WHERE environment = $1`, [polled.name]);
    polled.service.events.push({ ...failsAt(minutes(3)), listedAt: at(minutes(7)) });
    await polled.poll(minutes(6));
    await polled.both(9);
    expect(await polled.found()).toMatchObject({ failedEvents: 1 });
    const unchecked = { from: at(0), to: at(minutes(6)) };
    expect(await polled.gaps()).toMatchObject([
      { beginsAt: unchecked.from, endsAt: unchecked.to, closedAt: null, toRead: [unchecked] },
    ]);
  });

  test('is a gap of its own where another one is hours later', async () => {
    await polled.poll(0);
    const aside = (from: number, to: number) =>
      openGap(polled.db, polled.name, { from: at(from), to: at(to), cause: 'service-error', windows: [] }, polled.now);
    for (const begin of [-15, -400, -200, -20, -10].map(minutes)) await aside(begin, begin + 60);
    expect(await polled.gaps()).toMatchObject([
      { beginsAt: at(-minutes(400)), endsAt: at(-minutes(399)) },
      { beginsAt: at(-minutes(200)), endsAt: at(-minutes(199)) },
      { beginsAt: at(-minutes(20)), endsAt: at(-minutes(9)) },
    ]);
  });

  test('is one gap with what others find beside it at the same time', async () => {
    await polled.poll(0);
    const found = [-20, -17, -14, -11].map((minute) => ({ from: at(minutes(minute)), to: at(minutes(minute + 1)) }));
    const opened = found.map((range) => {
      const windows = [{ ...range, tries: 1, nextTryAt: at(60) }];
      const gap = { ...range, cause: 'timed-out', windows } as const;
      return polled.db.transaction((tx) => openGap(tx, polled.name, gap, polled.now));
    });
    await Promise.all(opened);
    expect(await polled.gaps()).toMatchObject([
      { beginsAt: at(-minutes(20)), endsAt: at(-minutes(10)), toRead: found },
    ]);
  });

  test('stays a gap of its own while another one is closed, and when the service is away as a whole', async () => {
    polled.service.poisoned = [-50, -20].map((minute) => at(minutes(minute)));
    polled.service.events.push(sentAt(-minutes(1)));
    await polled.poll(0);
    polled.service.poisoned = [at(-minutes(20))];
    await polled.past(60);
    const gaps = [
      { closedAt: at(60), toRead: [] },
      { closedAt: null, toRead: [expect.anything()] },
    ];
    expect(await polled.gaps()).toMatchObject(gaps);
    polled.service.problem = { kind: 'unreachable' };
    for (const second of [60, 120]) await expect(polled.poll(second)).rejects.toThrow(ServiceError);
    expect(await polled.gaps()).toMatchObject([...gaps, { beginsAt: at(0), endsAt: null, cause: 'unreachable' }]);
  });

  test('is read before an older one, once it is due', async () => {
    await polled.poll(0);
    for (const minute of [-50, -20, -35]) {
      const range = { from: at(minutes(minute)), to: at(minutes(minute + 1)) };
      const windows = [{ ...range, tries: 0, nextTryAt: at(5) }];
      await openGap(polled.db, polled.name, { ...range, cause: 'timed-out', windows }, polled.now);
    }
    const open = await openWindows(polled.db, polled.name);
    expect(dueWindow(open, at(5))).toMatchObject({ from: at(-minutes(20)) });
    expect(dueWindow(open, at(4))).toBeUndefined();
  });

  test('is given up apart from what is still to be read', async () => {
    await polled.poll(0);
    const window = (minute: number) => ({ from: at(minutes(minute)), to: at(minutes(minute + 5)) });
    const windows = [
      { ...window(-20), tries: 1, nextTryAt: polled.now },
      { ...window(-10), tries: 1, nextTryAt: null },
    ];
    const range = { from: at(-minutes(20)), to: at(-minutes(5)), cause: 'service-error', windows } as const;
    await openGap(polled.db, polled.name, range, polled.now);
    expect(await polled.gaps()).toMatchObject([{ toRead: [window(-20)], givenUp: [window(-10)] }]);
  });

  test('is left out while another second of its minute is read', async () => {
    polled.service.aheadMs = 0;
    await polled.poll(0);
    const window = (second: number, nextTryAt: Date) => ({ from: at(second), to: at(second + 6), tries: 9, nextTryAt });
    const windows = [window(-58, at(600)), window(-34, at(0)), window(-10, at(600))];
    await openGap(polled.db, polled.name, { from: at(-58), to: at(-4), cause: 'service-error', windows }, polled.now);
    polled.service.poisoned = [at(-55), at(-7)];
    await polled.past(1);
    const toRead = [windows[0], windows[2]].map((left) => ({ from: left?.from, to: left?.to }));
    expect(await polled.gaps()).toMatchObject([{ toRead }]);
    expect(polled.service.queries.filter(({ after, before }) => after?.getTime() === before.getTime())).toEqual([]);
  });

  test('is asked for again after a minute, and left out by everything else', async () => {
    polled.service.poisoned = [POISONED];
    await polled.poll(0);
    polled.service.queries.length = 0;
    await polled.past(30);
    await polled.poll(59);
    const { queries } = polled.service;
    expect(queries.filter(({ after = ALWAYS.from, before }) => after <= POISONED && before >= POISONED)).toEqual([]);
    polled.service.poisoned = [];
    polled.service.events.push(failsAt(-minutes(2)));
    expect(await polled.past(61)).toMatchObject({ newFailures: 1 });
    expect(await polled.gaps()).toMatchObject([{ closedAt: at(61), failures: 1 }]);
  });

  test('is given up at the horizon', async () => {
    polled.service.poisoned = [at(-minutes(50))];
    const horizonMs = HOUR;
    await polled.poll(0, { horizonMs });
    for (let minute = 5; minute <= 15; minute += 5) await polled.both(minute, { horizonMs });
    const [gap] = await polled.gaps();
    expect(gap).toMatchObject({ toRead: [], closedAt: expect.any(Date) });
    expect(gap?.givenUp).toHaveLength(1);
  });

  test.each([
    { clock: 'known', aheadMs: 0, minutesBefore: 1 },
    { clock: 'unknown', aheadMs: null, minutesBefore: 60 },
  ])(
    'that lies before what the plan keeps is given up at once in a gap, with what no pass has read by a clock that is $clock',
    async ({ aheadMs, minutesBefore }) => {
      polled.service.aheadMs = aheadMs;
      await polled.poll(0);
      polled.service.planFrom = at(minutes(100));
      polled.service.events.push(failsAt(minutes(101)), failsAt(minutes(120)), failsAt(minutes(178)));
      polled.service.events.push({ ...failsAt(minutes(179)), listedAt: at(minutes(181)) });
      await polled.poll(minutes(180));
      polled.service.queries.length = 0;
      expect(await polled.past(minutes(181))).toMatchObject({ newFailures: 3 });
      expect(polled.service.queries.length).toBeLessThan(60);
      await polled.poll(minutes(182));
      const [gap] = await polled.gaps();
      expect(gap?.givenUp).toEqual([{ from: at(-minutes(minutesBefore)), to: at(minutes(100) + 1) }]);
      expect(gap?.closedAt).toEqual(at(minutes(182)));
      polled.service.planFrom = at(minutes(150));
      await polled.poll(minutes(190));
      await polled.past(minutes(191));
      expect(await polled.known()).toMatchObject({ behindMs: 0 });
      expect(await polled.gaps()).toHaveLength(1);
    },
  );
});
