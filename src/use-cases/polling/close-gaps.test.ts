import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../domain/errors.ts';
import { aFailedEvent, anEvent, at, NOON } from '../../domain/service/event.testing.ts';
import { keptStore } from '../../store/store.testing.ts';
import { settled } from '../model-service.testing.ts';
import { readEnvironment } from './reading.testing.ts';

const store = keptStore();

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const failed = (id: string, seconds: number) => settled({ ...aFailedEvent({ id }), createdAt: at(seconds) });

describe('missed events', () => {
  test('from when Notif did not run are read after the present, newest first', async () => {
    const { service, pollAndRecheck, gaps } = readEnvironment(store());
    await pollAndRecheck(NOON);
    service.events.push(failed('missed', 30 * MINUTE), failed('now', 2 * HOUR - 10));
    service.queries.length = 0;
    expect(await pollAndRecheck(at(2 * HOUR))).toMatchObject({ newFailures: 2, caughtUp: true });
    const read = service.queries.filter(({ channels }) => channels === undefined).map(({ before }) => before);
    expect(read[0]).toEqual(at(2 * HOUR + 1));
    expect([...read].sort((a, b) => b.getTime() - a.getTime())).toEqual(read);
    expect(await gaps()).toMatchObject([
      {
        from: NOON,
        to: at(2 * HOUR),
        cause: 'not-running',
        closedAt: at(2 * HOUR),
        events: 1,
        failures: 1,
        unchecked: [],
      },
    ]);
  });

  test('are read newest first where the first poll was cut', async () => {
    const { service, pollAndRecheck, found } = readEnvironment(store());
    service.events.push(...Array.from({ length: 300 }, (_, i) => failed(`e${i}`, -i * 12)));
    let pages = 0;
    service.beforePage = () => {
      pages += 1;
      service.problem = pages === 2 ? { kind: 'rate-limited', retryAfterMs: 5_000 } : null;
    };
    await pollAndRecheck(NOON);
    const read = service.queries.filter(({ channels }) => channels === undefined).map(({ before }) => before);
    expect(read.length).toBeGreaterThan(3);
    expect([...read].sort((a, b) => b.getTime() - a.getTime())).toEqual(read);
    expect((await found()).eventsChecked).toBe(300);
  });

  test('during a restart of a quarter of an hour are no gap', async () => {
    const { service, pollAndRecheck, gaps } = readEnvironment(store());
    await pollAndRecheck(NOON);
    service.events.push(failed('missed', 30));
    expect(await pollAndRecheck(at(15 * MINUTE))).toMatchObject({ newFailures: 1 });
    expect(await gaps()).toEqual([]);
  });

  test('are a gap from the fifth minute on, closed when the service is back', async () => {
    const { service, pollAndRecheck, gaps } = readEnvironment(store());
    await pollAndRecheck(NOON);
    service.problem = { kind: 'key-refused', status: 401 };
    for (const minute of [1, 3, 5]) await expect(pollAndRecheck(at(minute * MINUTE))).rejects.toThrow();
    expect(await gaps()).toEqual([]);
    await expect(pollAndRecheck(at(6 * MINUTE))).rejects.toThrow();
    await expect(pollAndRecheck(at(7 * MINUTE))).rejects.toThrow();
    expect(await gaps()).toMatchObject([{ from: NOON, to: null, cause: 'key-refused', closedAt: null }]);
    service.problem = null;
    await pollAndRecheck(at(8 * MINUTE));
    expect(await gaps()).toMatchObject([{ from: NOON, to: at(8 * MINUTE), closedAt: at(8 * MINUTE), givenUp: [] }]);
  });

  test('during hours of failure are one gap, read afterwards', async () => {
    const { service, pollAndRecheck, gaps, found } = readEnvironment(store());
    await pollAndRecheck(NOON);
    service.problem = { kind: 'unreachable' };
    for (const minute of [1, 7, 118]) await expect(pollAndRecheck(at(minute * MINUTE))).rejects.toThrow();
    service.events.push(failed('missed', HOUR));
    service.problem = null;
    await pollAndRecheck(at(2 * HOUR));
    expect((await found()).counts).toEqual({ failed: 1 });
    expect(await gaps()).toMatchObject([
      { from: NOON, to: at(2 * HOUR), cause: 'unreachable', closedAt: at(2 * HOUR) },
    ]);
  });

  test('beyond the horizon are given up for good', async () => {
    const { pollAndRecheck, gaps } = readEnvironment(store());
    await pollAndRecheck(NOON);
    await pollAndRecheck(at(80 * HOUR));
    expect(await gaps()).toMatchObject([
      { givenUp: [{ from: at(-11 * MINUTE), to: at(8 * HOUR) }], unchecked: [], closedAt: at(80 * HOUR) },
    ]);
  });

  test("are given up at the horizon by the service's clock", async () => {
    const { service, pollAndRecheck, gaps } = readEnvironment(store());
    service.aheadMs = -8 * MINUTE * 1000;
    await pollAndRecheck(NOON);
    await pollAndRecheck(at(80 * HOUR));
    expect(await gaps()).toMatchObject([{ givenUp: [{ to: at(8 * HOUR - 8 * MINUTE) }], unchecked: [] }]);
  });

  test("beyond the plan's retention are given up at once", async () => {
    const { service, pollAndRecheck, gaps, found } = readEnvironment(store());
    await pollAndRecheck(NOON);
    service.planFrom = at(10 * HOUR);
    service.events.push(failed('kept', 11 * HOUR), failed('lost', 9 * HOUR));
    await pollAndRecheck(at(12 * HOUR));
    expect((await found()).counts).toEqual({ failed: 1 });
    expect(await gaps()).toMatchObject([
      { givenUp: [{ from: at(-11 * MINUTE), to: at(10 * HOUR + 1) }], unchecked: [] },
    ]);
  });

  test('are read piece by piece when time is short, and never twice', async () => {
    const { service, pollAndRecheck, gaps, found, clock } = readEnvironment(store());
    await pollAndRecheck(NOON);
    service.events.push(...Array.from({ length: 400 }, (_, i) => failed(`e${i}`, 10 * MINUTE + i)));
    service.beforePage = () => {
      clock.now = new Date(clock.now.getTime() + 20_000);
    };
    const counts: number[] = [];
    for (let n = 0; n < 6; n++) {
      await pollAndRecheck(at(HOUR + n * 3 * MINUTE));
      counts.push((await found()).counts.failed ?? 0);
    }
    expect(counts.some((count) => count > 0 && count < 400)).toBe(true);
    expect([...counts].sort((a, b) => a - b)).toEqual(counts);
    service.beforePage = () => {};
    await pollAndRecheck(at(HOUR + 20 * MINUTE));
    expect(await found()).toMatchObject({ eventsChecked: 400, counts: { failed: 400 } });
    expect(await gaps()).toMatchObject([{ unchecked: [], events: 400 }]);
  });
});

describe('a page that keeps failing', () => {
  test('blocks neither the rest of its window nor the next poll, and is reported once it is given up', async () => {
    const { service, pollAndRecheck, gaps, found } = readEnvironment(store());
    service.events.push(...Array.from({ length: 10 }, (_, i) => failed(`e${i}`, -35 + i * 3)));
    service.poisoned = [at(-20)];
    expect(await pollAndRecheck(NOON)).toMatchObject({ checkedTo: NOON, newFailures: 9 });
    service.events.push(failed('next', 30));
    expect(await pollAndRecheck(at(60))).toMatchObject({ checkedTo: at(60), newFailures: 1 });
    expect(await gaps()).toMatchObject([{ from: at(-21), to: at(-19), cause: 'service-error', closedAt: null }]);
    service.queries.length = 0;
    await pollAndRecheck(at(70));
    expect(service.queries.filter(({ channels }) => channels === undefined).length).toBeLessThan(10);
    service.poisoned = [];
    await pollAndRecheck(at(10 * MINUTE));
    expect((await found()).counts).toEqual({ failed: 11 });
    expect(await gaps()).toMatchObject([{ unchecked: [], givenUp: [], failures: 1, closedAt: at(10 * MINUTE) }]);
  });

  test('leaves everything else read and the present up to date, whichever events are poisoned', async () => {
    const moments = fc.array(fc.integer({ min: -600_000, max: 300_000 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(moments, async (poisoned) => {
        const { service, pollAndRecheck, gaps, found } = readEnvironment(store());
        service.poisoned = poisoned.map((ms) => at(ms / 1000));
        const seconds = Array.from({ length: 60 }, (_, i) => -590 + i * 15 + 0.5);
        service.events.push(...seconds.map((second) => failed(`e${second}`, second)));
        for (const minute of [0, 1, 2, 4, 6]) {
          expect(await pollAndRecheck(at(minute * MINUTE))).toMatchObject({ checkedTo: at(minute * MINUTE) });
        }
        const isNear = (second: number) => poisoned.some((ms) => Math.abs(ms / 1000 - second) <= 1);
        const unchecked = (await gaps()).flatMap((gap) => gap.unchecked);
        const isUnchecked = (second: number) =>
          unchecked.some(({ from, to }) => at(second) >= from && at(second) <= to);
        expect(seconds.filter((second) => isUnchecked(second) && !isNear(second))).toEqual([]);
        expect((await found()).eventsChecked).toBe(seconds.filter((second) => !isUnchecked(second)).length);
      }),
      { numRuns: 8 },
    );
  });
});

describe('an event that the list shows late', () => {
  /** A poll leaves a part of a gap; a recheck begins to read it, and ends after another poll or before it. */
  async function listedWhileRead(ends: 'after a poll' | 'before a poll') {
    const read = readEnvironment(store());
    const { service, pollAndRecheck, recheck, poll, clock } = read;
    service.events.push(failed('first', 119), failed('newest', 955));
    await pollAndRecheck(at(2 * MINUTE));
    service.events.push(...Array.from({ length: 90 }, (_, i) => failed(`e${i}`, 899 - i / 2)));
    const inApp = { ...anEvent({ id: 'late', channels: ['in_app'] }), createdAt: at(872) };
    service.events.push({ ...settled(inApp), listedAt: at(927) });
    let pages = 0;
    service.beforePage = () => {
      pages += 1;
      service.problem = pages > 1 ? { kind: 'rate-limited', retryAfterMs: 5_000 } : null;
    };
    await pollAndRecheck(at(15 * MINUTE));
    service.beforePage = () => {};
    service.problem = null;
    const pagesOf = service.eventPages.bind(service);
    service.eventPages = async function* (query) {
      service.eventPages = pagesOf;
      for await (const page of pagesOf(query)) {
        yield page;
        clock.now = at(16 * MINUTE);
        if (ends === 'after a poll') await poll(at(16 * MINUTE));
        clock.now = at(16 * MINUTE + 5);
      }
    };
    await recheck(at(926));
    if (ends === 'before a poll') await poll(at(16 * MINUTE + 5));
    return read;
  }

  test('in a part of a gap is found, though it was read before that and a poll left the part out', async () => {
    const { pollAndRecheck, found, gaps } = await listedWhileRead('after a poll');
    expect((await gaps()).map(({ closedAt }) => closedAt)).toEqual([null]);
    await pollAndRecheck(at(17 * MINUTE));
    expect((await found()).eventsChecked).toBe(93);
    expect((await gaps()).map(({ closedAt }) => closedAt)).toEqual([at(17 * MINUTE)]);
  });

  test('in a part of a gap is found by the next poll, if none was made during its reading', async () => {
    const { found, gaps } = await listedWhileRead('before a poll');
    expect((await gaps()).map(({ closedAt }) => closedAt)).toEqual([at(16 * MINUTE + 5)]);
    expect((await found()).eventsChecked).toBe(93);
  });
});

describe('a service with a low rate limit', () => {
  const LIMITED = { kind: 'rate-limited', retryAfterMs: 30_000 } as const;

  test.each([2, 5])('has its whole list read eventually, with %i requests a minute', async (requests) => {
    const { service, pollAndRecheck, found, gaps } = readEnvironment(store());
    await pollAndRecheck(NOON);
    service.events.push(...Array.from({ length: 220 }, (_, i) => failed(`e${i}`, 14 * MINUTE - i * 3)));
    for (let minute = 14; minute < 34; minute++) {
      let made = 0;
      service.beforePage = () => {
        made += 1;
        if (made > requests) throw new ServiceError('production', 'listEvents', LIMITED);
      };
      await pollAndRecheck(at(minute * MINUTE)).catch((error: unknown) => expect(error).toBeInstanceOf(ServiceError));
    }
    expect((await found()).eventsChecked).toBe(220);
    expect((await gaps()).every(({ closedAt }) => closedAt !== null)).toBe(true);
  });

  test('has its wait reported by the poll, and by the recheck of the gap, that it cut off', async () => {
    const { service, poll, recheck } = readEnvironment(store());
    service.events.push(...Array.from({ length: 220 }, (_, i) => failed(`e${i}`, -i * 3)));
    const cutAfter = (requests: number) => {
      let made = 0;
      service.beforePage = () => {
        made += 1;
        if (made > requests) throw new ServiceError('production', 'listEvents', LIMITED);
      };
    };
    cutAfter(2);
    expect(await poll(NOON)).toMatchObject({ recheckNow: true, retryAfterMs: 30_000 });
    cutAfter(1);
    expect(await recheck(at(5))).toMatchObject({ retryAfterMs: 30_000 });
    cutAfter(100);
    expect(await recheck(at(MINUTE))).toMatchObject({ retryAfterMs: 0 });
    expect(await poll(at(2 * MINUTE))).toMatchObject({ retryAfterMs: 0 });
  });

  test('has the newest events recorded although an older part of the present is cut off', async () => {
    const { service, pollAndRecheck, gaps } = readEnvironment(store());
    await pollAndRecheck(NOON);
    service.order = (newestFirst) => newestFirst.toReversed();
    service.events.push(...Array.from({ length: 200 }, (_, i) => failed(`e${i}`, 10 + i / 5)), failed('new', 90));
    const limited = (requests: number) => {
      let made = 0;
      service.beforePage = () => {
        made += 1;
        if (made > requests) throw new ServiceError('production', 'listEvents', LIMITED);
      };
    };
    limited(2);
    expect(await pollAndRecheck(at(MINUTE))).toMatchObject({ newEvents: 100, checkedTo: at(MINUTE) });
    limited(1);
    expect(await pollAndRecheck(at(2 * MINUTE))).toMatchObject({ newEvents: 1, checkedTo: at(2 * MINUTE) });
    const [gap] = await gaps();
    expect(gap?.unchecked.some(({ from, to }) => from <= at(10) && to >= at(29))).toBe(true);
    limited(100);
    expect(await pollAndRecheck(at(3 * MINUTE))).toMatchObject({ newEvents: 100, caughtUp: true });
    expect((await gaps()).every(({ closedAt }) => closedAt !== null)).toBe(true);
  });

  test('has the whole gap read if its list is oldest first', async () => {
    const { service, pollAndRecheck, found, clock } = readEnvironment(store());
    await pollAndRecheck(NOON);
    service.order = (newestFirst) => newestFirst.toReversed();
    service.events.push(...Array.from({ length: 350 }, (_, i) => failed(`e${i}`, MINUTE + i * 10)));
    service.beforePage = () => {
      clock.now = new Date(clock.now.getTime() + 10_000);
    };
    for (let minute = 60; minute <= 75; minute++) await pollAndRecheck(at(minute * MINUTE));
    expect((await found()).eventsChecked).toBe(350);
  });
});
