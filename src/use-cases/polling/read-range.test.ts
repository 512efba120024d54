import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../domain/errors.ts';
import { lengthOf, padded } from '../../domain/polling/reading-windows.ts';
import { anEvent, at } from '../../domain/service/event.testing.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import type { Page } from '../../domain/service/query.ts';
import { joinedRanges } from '../../domain/time/coverage.ts';
import { ModelService, settled } from '../model-service.testing.ts';
import { type RangeReading, readRange } from './read-range.ts';

const SPAN = { from: at(0), to: at(600) };
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Reads ten minutes of a service that has an event at each of these seconds. */
function reading(seconds: readonly number[]) {
  const clock = { now: at(700) };
  const service = new ModelService(() => clock.now);
  service.events.push(...seconds.map((second) => settled({ ...anEvent({ id: `${second}` }), createdAt: at(second) })));
  const read: string[] = [];
  const onPage = async ({ items }: Page<TriggeredEvent>) => void read.push(...items.map(({ id }) => id ?? ''));
  const parts = { service, logger: silent, now: () => clock.now, signal: new AbortController().signal };
  const until = { until: at(1e6) };
  const readIt = (change: Partial<RangeReading> = {}, range = SPAN, signal = parts.signal) =>
    readRange(range, { onPage, ...until, ...change }, { ...parts, signal });
  return { service, clock, read, readIt };
}

const everySecond = Array.from({ length: 600 }, (_, second) => second);

describe('a time range of the list', () => {
  test('is read newest first, in one pass', async () => {
    const { service, read, readIt } = reading(everySecond);
    expect(await readIt()).toEqual([]);
    expect(read).toEqual(everySecond.map(String).reverse());
    expect(service.queries).toHaveLength(1);
  });

  test('ends where time ran out, after at least one page', async () => {
    const { clock, read, readIt } = reading(everySecond);
    clock.now = at(800);
    expect(await readIt({ until: at(750) })).toEqual([{ window: { from: at(0), to: at(550) }, problem: null }]);
    expect(read).toHaveLength(50);
  });

  test('is read beyond the time limit while all events have the same timestamp, to ensure progress', async () => {
    const { service, readIt, read } = reading([]);
    service.events.push(
      ...Array.from({ length: 120 }, (_, i) => settled({ ...anEvent({ id: `${i}` }), createdAt: at(600) })),
    );
    expect(await readIt({ until: at(0) })).toEqual([]);
    expect(read).toHaveLength(120);
  });

  test("is read except for a second that the service can't return", async () => {
    const { service, read, readIt } = reading(everySecond);
    service.poisoned = [at(300.5)];
    expect(await readIt()).toMatchObject([
      { window: { from: at(300), to: at(301) }, problem: { kind: 'service-error' } },
    ]);
    expect(new Set(read).size).toBe(600);
  });

  test("isn't halved if the service answers nothing at all", async () => {
    const { service, readIt } = reading(everySecond);
    service.problem = { kind: 'service-error', status: 500, errorId: null };
    await expect(readIt()).rejects.toMatchObject({ problem: { kind: 'service-error' } });
    expect(service.queries).toHaveLength(2);
  });

  test('is left for later, so that others get their turn, once its failures have used up the rate limit', async () => {
    const { service, readIt } = reading(everySecond);
    const limited = { kind: 'rate-limited', retryAfterMs: 5_000 } as const;
    service.poisoned = [at(300.5)];
    service.beforePage = () => {
      if (service.queries.length > 2) service.problem = limited;
    };
    const left = await readIt({ keepsProgress: true });
    expect(joinedRanges(left.map(({ window }) => window))).toEqual([SPAN]);
    expect(left.every(({ problem }) => problem === limited)).toBe(true);
    service.problem = null;
    service.queries.length = 0;
    await expect(readIt()).rejects.toMatchObject({ problem: limited });
  });

  test("isn't requested again if the problem is unrelated to it", async () => {
    const { service, readIt } = reading(everySecond);
    service.problem = { kind: 'key-refused', status: 401 };
    await expect(readIt()).rejects.toMatchObject({ problem: { kind: 'key-refused' } });
    expect(service.queries).toHaveLength(1);
  });

  test('is read as far back as the plan reaches, which takes a few requests to find', async () => {
    const { service, read, readIt } = reading(everySecond);
    service.planFrom = at(200.5);
    const unchecked = await readIt();
    expect(unchecked.every(({ problem }) => problem?.kind === 'beyond-plan')).toBe(true);
    expect(Math.max(...unchecked.map(({ window }) => window.to.getTime()))).toBe(at(201).getTime());
    expect(new Set(read).size).toBe(399);
    expect(service.queries.length).toBeLessThan(40);
  });

  test('is read completely while the list shifts during the reading', async () => {
    const arrivals = fc.array(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 60 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(arrivals, async (arriving) => {
        const { service, read, readIt } = reading(everySecond);
        let page = 0;
        service.beforePage = () => {
          const arrived = arriving[page] ?? [];
          service.events.push(
            ...arrived.map((second, i) => settled({ ...anEvent({ id: `late-${page}-${i}` }), createdAt: at(second) })),
          );
          page += 1;
        };
        expect(await readIt()).toEqual([]);
        expect(everySecond.filter((second) => !read.includes(String(second)))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  test('is read except for what is poisoned, and names everything left out', async () => {
    const moments = fc.array(fc.integer({ min: -5_000, max: 605_000 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(moments, async (poisoned) => {
        const { service, read, readIt } = reading(everySecond);
        service.poisoned = poisoned.map((ms) => at(ms / 1000));
        const unchecked = await readIt();
        const isUnchecked = (second: number) =>
          unchecked.some(({ window }) => at(second) >= window.from && at(second) <= window.to);
        const missing = everySecond.filter((second) => !read.includes(String(second)));
        expect(missing.filter((second) => !isUnchecked(second))).toEqual([]);
        const tried = unchecked.filter(({ problem }) => problem !== null);
        for (const { window } of tried) {
          expect(lengthOf(window)).toBeLessThanOrEqual(1000);
          const { from, to } = padded(window, 1);
          expect(service.poisoned.some((moment) => moment >= from && moment <= to)).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});

const ascending = (events: readonly TriggeredEvent[]) => events.toReversed();

/** Unordered, but the same for each request: even seconds first. */
const mixed = (events: readonly TriggeredEvent[]) =>
  events.toSorted(
    (a, b) => (Number(a.id) % 2) - (Number(b.id) % 2) || ((Number(a.id) * 7919) % 601) - ((Number(b.id) * 7919) % 601),
  );

describe('a list whose order or bounds the contract leaves open', () => {
  test('is read completely if its bounds are exclusive, including between the halves of a failing window', async () => {
    const { service, read, readIt } = reading([0, 600, ...everySecond]);
    service.isExclusive = true;
    service.poisoned = [at(300.5)];
    await readIt();
    expect(new Set(read).size).toBe(601);
  });

  test('leaves the rest from the last event on if it is oldest first and time ran out', async () => {
    const { service, clock, readIt } = reading(everySecond);
    service.order = ascending;
    clock.now = at(800);
    expect(await readIt({ until: at(750) })).toEqual([{ window: { from: at(49), to: at(600) }, problem: null }]);
  });

  test('leaves two halves if it is unordered, so that the next attempt gets further', async () => {
    const { service, clock, readIt } = reading(everySecond);
    service.order = mixed;
    clock.now = at(800);
    expect(await readIt({ until: at(750) })).toMatchObject([
      { window: { from: at(0), to: at(300) } },
      { window: { from: at(300), to: at(600) } },
    ]);
  });

  test('keeps what was read, and names the rest, when the rate limit is hit midway', async () => {
    const { service, read, readIt } = reading(everySecond);
    limit(service, 3);
    const problem = { kind: 'rate-limited', retryAfterMs: 5_000 } as const;
    expect(await readIt({ keepsProgress: true })).toEqual([{ window: { from: at(0), to: at(450) }, problem }]);
    expect(read).toHaveLength(150);
    limit(service, 3);
    await expect(readIt()).rejects.toMatchObject({ problem });
    limit(service, 0);
    await expect(readIt({ keepsProgress: true })).rejects.toMatchObject({ problem });
  });

  test('names what is left when the signal ends a request', async () => {
    const { service, readIt } = reading(everySecond);
    const stop = new AbortController();
    service.beforePage = () => {
      if (service.queries.length > 0 && stop.signal.aborted) throw stop.signal.reason;
    };
    let pages = 0;
    const onPage = async () => {
      pages += 1;
    };
    const pulled = service.eventPages.bind(service);
    service.eventPages = async function* (query) {
      for await (const page of pulled(query)) {
        if (pages === 2) stop.abort();
        stop.signal.throwIfAborted();
        yield page;
      }
    };
    expect(await readIt({ onPage }, SPAN, stop.signal)).toEqual([
      { window: { from: at(0), to: at(500) }, problem: null },
    ]);
  });

  test('is read completely in the end, whatever its order and however few requests an attempt can make', async () => {
    const orders = fc.constantFrom(ascending, mixed, (events: readonly TriggeredEvent[]) => events);
    const seconds = fc.array(fc.nat(600), { maxLength: 150 });
    const plan = fc.record({
      isExclusive: fc.boolean(),
      order: orders,
      requests: fc.integer({ min: 1, max: 4 }),
      seconds,
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ isExclusive, order, requests, seconds: some }) => {
        const { service, read, readIt } = reading(some);
        Object.assign(service, { isExclusive, order });
        const waiting = [SPAN];
        for (let tries = 0; waiting.length > 0; tries++) {
          expect(tries).toBeLessThan(60);
          limit(service, requests);
          const window = waiting.pop() ?? SPAN;
          waiting.push(...(await readIt({ keepsProgress: true }, window)).map((unchecked) => unchecked.window));
        }
        expect(some.filter((second) => !read.includes(`${second}`))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test('is read or named as left, event by event, whatever its order, whichever pages fail and whenever it is cut off', async () => {
    const plan = fc.record({
      isExclusive: fc.boolean(),
      order: fc.constantFrom(ascending, mixed, (events: readonly TriggeredEvent[]) => events),
      failing: fc.array(fc.nat(20), { maxLength: 5 }),
      poisoned: fc.array(fc.nat(600), { maxLength: 2 }),
      cutAfter: fc.nat(25),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ isExclusive, order, failing, poisoned, cutAfter }) => {
        const { service, clock, read, readIt } = reading(everySecond);
        Object.assign(service, { isExclusive, order, poisoned: poisoned.map((second) => at(second)) });
        let requests = 0;
        service.beforePage = () => {
          requests += 1;
          if (requests > cutAfter) clock.now = at(2e6);
          if (failing.includes(requests) && requests > 1) throw new ServiceError('production', 'listEvents', BROKEN);
        };
        const unchecked = await readIt({ keepsProgress: true }).catch(() => [{ window: SPAN }]);
        const isNamed = (second: number) =>
          unchecked.some(({ window }) => at(second) >= window.from && at(second) <= window.to);
        expect(everySecond.filter((second) => !read.includes(`${second}`) && !isNamed(second))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

const BROKEN = { kind: 'service-error', status: 500, errorId: null } as const;

/** Allows this many requests from here on. */
function limit(service: ModelService, requests: number): void {
  let made = 0;
  service.beforePage = () => {
    made += 1;
    if (made > requests)
      throw new ServiceError('production', 'listEvents', { kind: 'rate-limited', retryAfterMs: 5_000 });
  };
}
