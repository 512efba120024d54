import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anEnvironment } from '../../domain/environment.testing.ts';
import { ServiceError } from '../../domain/errors.ts';
import { ALL_FAILURES, type FailureFilter } from '../../domain/failures/failure-filter.ts';
import { emptySummary, type FailureSummary } from '../../domain/failures/tally.ts';
import type { Check } from '../../domain/polling/check.ts';
import type { Gap } from '../../domain/polling/gap.ts';
import { aFailedEvent, aJob, anEvent, at, NOON } from '../../domain/service/event.testing.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import type { EventQuery, Page } from '../../domain/service/query.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import { findFailures, split } from './find-failures.ts';

const environment = anEnvironment();

const hour: TimeRange = { from: at(-3600), to: NOON };
const unreachable = new ServiceError('production', 'listEvents', { kind: 'unreachable' });

function asking(options: {
  events?: TriggeredEvent[];
  coverage?: TimeRange | null;
  check?: Check;
  gaps?: Gap[];
  stored?: FailureSummary;
  failsAfterPages?: number;
  filter?: FailureFilter;
  now?: Date;
  order?: (newestFirst: TriggeredEvent[]) => TriggeredEvent[];
  byId?: TriggeredEvent[];
  clockAheadMs?: number | null;
  polledAheadMs?: number | null;
  saidAheadMs?: number;
  isExclusive?: boolean;
}) {
  const queries: EventQuery[] = [];
  const retrieved: string[] = [];
  const fromStore: { readonly range: TimeRange; readonly within: TimeRange }[] = [];
  let pages = 0;
  const { order = (events) => events, isExclusive = false } = options;
  const isWithin = (time: Date, { after, before }: { after: Date; before: Date }) =>
    isExclusive ? time > after && time < before : time >= after && time <= before;
  const firstClock = options.clockAheadMs === undefined ? 0 : options.clockAheadMs;
  const service = {
    clockAheadMs: () => (pages > 0 ? options.saidAheadMs : undefined) ?? firstClock,
    retrieveEvent: async (id: string) => {
      retrieved.push(id);
      return options.byId?.find((event) => event.id === id) ?? null;
    },
    async *eventPages(query: EventQuery & { readonly before: Date }): AsyncGenerator<Page<TriggeredEvent>> {
      queries.push(query);
      const { after = new Date(0), before } = query;
      const all = (options.events ?? []).filter(
        ({ createdAt }) => createdAt !== null && isWithin(createdAt, { after, before }),
      );
      const listed = order(all);
      for (let first = 0; first === 0 || first < listed.length; first += 50) {
        if (pages === options.failsAfterPages) throw unreachable;
        pages += 1;
        yield { items: listed.slice(first, first + 50), unreadable: [], hasMore: first + 50 < listed.length };
      }
    },
  };
  const store = {
    coverage: async () => (options.coverage ? { ...options.coverage, checkedAt: options.coverage.to } : null),
    gapsIn: async () => options.gaps ?? [],
    failuresIn: async (_: string, range: TimeRange, within: TimeRange) => {
      fromStore.push({ range, within });
      return options.stored ?? emptySummary();
    },
    clockAheadMs: async () => (options.polledAheadMs === undefined ? 0 : options.polledAheadMs),
  };
  const { check } = options;
  const checks: string[] = [];
  const checking = (result: Check) => async (name: string) => {
    checks.push(name);
    return result;
  };
  const parts = {
    environment,
    service,
    store,
    checkNow: check ? checking(check) : null,
    now: () => options.now ?? NOON,
  };
  return {
    checks,
    queries,
    retrieved,
    fromStore,
    ask: (asked = hour) => findFailures(asked, options.filter ?? ALL_FAILURES, parts),
  };
}

const manyEvents = (count: number) =>
  Array.from({ length: count }, (_, i) => aFailedEvent({ id: `e${i}`, createdAt: at(-i) }));

function hash({ id }: TriggeredEvent): number {
  return (Number(id?.slice(1)) * 7_919) % 2_999;
}

describe('finding failures', () => {
  const coverage = { from: at(-7200), to: at(-30) };

  test('is as current as the check made for the question', async () => {
    const check: Check = { outcome: 'checked', problem: null };
    const found = await asking({ coverage: { ...coverage, to: NOON }, check }).ask();
    expect(found.freshness).toEqual({ asOf: NOON, isCurrent: true });
  });

  test('skips the service if no check has finished, and leaves what is new unchecked', async () => {
    const check: Check = { outcome: 'still checking', problem: null };
    const { queries, ask } = asking({ coverage, check, events: [aFailedEvent({ createdAt: at(-10) })] });
    expect(await ask()).toMatchObject({
      freshness: { asOf: at(-30), isCurrent: false },
      read: { from: hour.from, to: at(-30) },
      trouble: null,
    });
    expect(queries).toEqual([]);
  });

  test('reads times before the coverage from the service, whatever a check of the present gives', async () => {
    const check: Check = { outcome: 'still checking', problem: null };
    const asked = { from: at(-9000), to: at(-8000) };
    const { checks, queries, ask } = asking({ coverage, check, events: [aFailedEvent({ createdAt: at(-8500) })] });
    expect(await ask(asked)).toMatchObject({
      freshness: { asOf: NOON, isCurrent: true },
      read: asked,
      unchecked: null,
      summary: { eventsChecked: 1, failedEvents: 1 },
    });
    expect(queries).toMatchObject([{ after: at(-9001), before: at(-7999) }]);
    expect(checks).toEqual([]);
  });

  test('reports why the check failed', async () => {
    const problem = { kind: 'key-refused', status: 401 } as const;
    const { queries, ask } = asking({ coverage, check: { outcome: 'failed', problem } });
    expect(await ask()).toMatchObject({ trouble: { problem }, read: { to: at(-30) } });
    expect(queries).toEqual([]);
  });

  test('returns what the poller has stored, and reads only what came since', async () => {
    const { queries, ask } = asking({
      coverage: { from: at(-7200), to: at(-30) },
      stored: { ...emptySummary(), eventsChecked: 400, failedEvents: 7 },
      events: [aFailedEvent({ createdAt: at(-10) })],
    });
    const found = await ask();
    expect(queries).toMatchObject([{ after: at(-31) }]);
    expect(found).toMatchObject({ read: hour, unchecked: null, summary: { eventsChecked: 401, failedEvents: 8 } });
  });

  test('counts events dated in the future by a fast clock as now, but not in a range that has ended', async () => {
    const { queries, ask } = asking({ events: [aFailedEvent({ createdAt: at(5) })] });
    expect((await ask()).summary).toMatchObject({ failedEvents: 1 });
    expect((await ask({ from: at(-3600), to: at(-1) })).summary).toMatchObject({ failedEvents: 0 });
    expect(queries).toMatchObject([{ before: at(601) }, { before: NOON }]);
  });

  describe("looks for what the service dates by its own clock, which is behind, and names times by Notif's", () => {
    const behind = { clockAheadMs: -540_000 };
    const lastFive = { from: at(-300), to: NOON };

    test.each([behind, { clockAheadMs: null, polledAheadMs: -540_000 }])('in the store: %j', async (clock) => {
      const { ask, fromStore, queries } = asking({ coverage: { from: at(-7200), to: NOON }, ...clock });
      expect(await ask(lastFive)).toMatchObject({ asked: lastFive, read: lastFive });
      await ask({ from: at(-3600), to: at(-1800) });
      const [ending, ended] = fromStore.map(({ range }) => range);
      expect(ending?.from).toEqual(at(-840));
      expect(ending?.to.getTime()).toBeGreaterThanOrEqual(NOON.getTime());
      expect(ended).toEqual({ from: at(-4140), to: at(-2340) });
      expect(queries).toEqual([]);
    });

    test('at the service, and nothing twice that is stored', async () => {
      const events = [at(-550), at(-840), at(-841)].map((createdAt, i) => aFailedEvent({ id: `e${i}`, createdAt }));
      const { ask, fromStore } = asking({ coverage: { from: at(-7200), to: at(-300) }, events, ...behind });
      const found = await ask();
      expect(found.read).toEqual(hour);
      expect(found.summary.eventsChecked).toBe(2);
      expect(fromStore.map(({ within }) => within.to)).toEqual([at(-840)]);
    });

    test('in all of the store if the service refuses what came after it', async () => {
      const covered = { from: at(-7200), to: at(-300) };
      const check: Check = {
        outcome: 'failed',
        problem: { kind: 'key-refused', status: 401 },
      };
      const { ask, fromStore } = asking({ coverage: covered, check, ...behind });
      await ask();
      expect(fromStore.map(({ within }) => within.to)).toEqual([at(-300)]);
    });

    test('before the first poll, up to where the store begins by that clock', async () => {
      const { ask, queries } = asking({ coverage: { from: at(-1800), to: NOON }, ...behind });
      await ask();
      expect(queries.map(({ after, before }) => [after, before])).toEqual([[at(-4141), at(-1799)]]);
    });

    test('once its first answer says what time it is there', async () => {
      const events = [at(-550), at(-840), at(-841)].map((createdAt, i) => aFailedEvent({ id: `e${i}`, createdAt }));
      const first = { clockAheadMs: null, polledAheadMs: null, saidAheadMs: -540_000 };
      const { ask, queries } = asking({ coverage: null, events, ...first });
      const found = await ask(lastFive);
      expect(found).toMatchObject({ read: lastFive, unchecked: null, summary: { eventsChecked: 2, failedEvents: 2 } });
      expect(queries.map(({ after }) => after)).toEqual([at(-301), at(-841)]);
    });

    test('of a list that could not be read to its end', async () => {
      const events = manyEvents(60).map((event, i) => ({ ...event, createdAt: at(-600 - i) }));
      const { ask } = asking({ coverage: null, events, failsAfterPages: 1, ...behind });
      const found = await ask();
      expect(found.read).toEqual({ from: at(-649 + 540), to: NOON });
      expect(found.unchecked).toEqual({ from: at(-3600), to: at(-649 + 540) });
    });
  });

  test('treats a range that ends at the time of the question as ending now, despite the delay', async () => {
    const { queries, ask } = asking({ now: at(0.02) });
    await ask();
    expect(queries).toMatchObject([{ before: at(601.02) }]);
  });

  test("reads from the service what the poller hasn't covered", async () => {
    const found = await asking({
      events: [aFailedEvent({ createdAt: at(-10) }), anEvent({ createdAt: at(-20) })],
    }).ask();
    expect(found).toMatchObject({ read: hour, unchecked: null, summary: { eventsChecked: 2, failedEvents: 1 } });
  });

  test('stops after forty pages, and says how far it came and what is left', async () => {
    const found = await asking({ events: manyEvents(3000) }).ask();
    expect(found.summary.eventsChecked).toBe(2000);
    expect(found).toMatchObject({ read: { from: at(-1999), to: NOON }, unchecked: { from: at(-3600), to: at(-1999) } });
  });

  test('says which part it read of a list whose oldest events come first, and continues with the rest', async () => {
    const oldestFirst = { events: manyEvents(3000), order: (events: TriggeredEvent[]) => events.toReversed() };
    const { queries, ask } = asking(oldestFirst);
    const found = await ask();
    expect(found).toMatchObject({ read: { from: at(-3600), to: at(-1000) }, unchecked: { from: at(-1000), to: NOON } });
    const rest = await ask(found.unchecked ?? hour);
    expect(rest).toMatchObject({ unchecked: null, summary: { eventsChecked: 1001 } });
    expect(queries[1]).toMatchObject({ after: at(-1001) });
  });

  test('claims no part of a list without an order that it could not read to the end, and continues with the newer half', async () => {
    const shuffled = (events: TriggeredEvent[]) => events.toSorted((a, b) => hash(a) - hash(b));
    const found = await asking({ events: manyEvents(3000), order: shuffled }).ask();
    expect(found).toMatchObject({
      read: { from: NOON, to: NOON },
      unchecked: { from: at(-1800), to: NOON },
      summary: { eventsChecked: 2000 },
    });
  });

  test('misses no event of the moment at which it continues, though the bounds of the list may exclude it', async () => {
    const twins = manyEvents(1999).concat(['a', 'b'].map((id) => aFailedEvent({ id, createdAt: at(-1999) })));
    const { ask } = asking({ events: twins, isExclusive: true });
    const found = await ask();
    expect(found).toMatchObject({ unchecked: { to: at(-1999) } });
    expect((await ask(found.unchecked ?? hour)).summary.groups[0]?.events).toBe(2);
  });

  test('shows the middle of the range as unchecked if the oldest events come first in what is older than the store', async () => {
    const found = await asking({
      coverage: { from: at(-600), to: NOON },
      events: manyEvents(3600).slice(601),
      order: (events) => events.toReversed(),
    }).ask();
    const hole = { from: at(-1600), to: at(-600) };
    expect(found).toMatchObject({ read: hour, unchecked: hole, gaps: { unchecked: [hole] } });
  });

  test('counts an event that is on two pages once', async () => {
    const events = manyEvents(100);
    const { ask } = asking({ events, order: (all) => [...all.slice(0, 50), ...all.slice(10)] });
    expect((await ask()).summary).toMatchObject({ eventsChecked: 100, failedEvents: 100 });
  });

  test('counts events as unreadable whose outcome the service does not show', async () => {
    const lean = anEvent({ id: 'lean', createdAt: at(-10), jobs: [], listsSteps: false });
    const partly = anEvent({ id: 'partly', createdAt: at(-20), unreadable: ['jobs.executionDetails'] });
    const failed = aFailedEvent({ id: 'failed', createdAt: at(-30), unreadable: ['jobs.executionDetails'] });
    const fine = anEvent({ id: 'fine', createdAt: at(-40) });
    const { summary } = await asking({ events: [lean, partly, failed, fine] }).ask();
    expect(summary).toMatchObject({ eventsChecked: 2, failedEvents: 1, unreadable: 3 });
  });

  test('retrieves up to twenty events that are listed without their steps', async () => {
    const events = Array.from({ length: 60 }, (_, n) =>
      anEvent({ id: `e${n}`, createdAt: at(-n), jobs: [], listsSteps: false }),
    );
    const byId = events.map((event) => aFailedEvent({ ...event, jobs: aFailedEvent().jobs, listsSteps: true }));
    const { ask, retrieved } = asking({ events, byId });
    expect((await ask()).summary).toMatchObject({ eventsChecked: 20, failedEvents: 20, unreadable: 40 });
    expect(retrieved).toHaveLength(20);
  });

  test("calls an event stuck by the service's clock", async () => {
    const then = { createdAt: at(-1000), updatedAt: at(-1000) };
    const events = [anEvent({ jobs: [aJob({ status: 'queued', updatedAt: at(-1000) })], ...then })];
    const behind = await asking({ events, clockAheadMs: -300_000 }).ask();
    const right = await asking({ events }).ask();
    expect([behind, right].map(({ summary }) => summary.failedEvents)).toEqual([0, 1]);
  });

  test('reads what is older than the store from the service', async () => {
    const coverage = { from: at(-600), to: NOON };
    const { queries, ask } = asking({ coverage, events: manyEvents(700).slice(601) });
    expect(await ask()).toMatchObject({ read: hour, summary: { eventsChecked: 99 } });
    expect(queries).toMatchObject([{ after: at(-3601), before: at(-599) }]);
  });

  test('shows what is stored when the service is down, and since when nothing was checked', async () => {
    const found = await asking({
      coverage: { from: at(-7200), to: at(-30) },
      stored: { ...emptySummary(), failedEvents: 7 },
      failsAfterPages: 0,
    }).ask();
    expect(found).toMatchObject({ read: { from: hour.from, to: at(-30) }, trouble: unreachable });
    expect(found.summary.failedEvents).toBe(7);
  });

  test('reports the problem if there is nothing to show', async () => {
    expect(await asking({ failsAfterPages: 0 }).ask()).toMatchObject({
      read: { from: NOON, to: NOON },
      unchecked: hour,
      trouble: unreachable,
    });
  });

  test('keeps what it read before the service failed', async () => {
    const found = await asking({ events: manyEvents(100), failsAfterPages: 1 }).ask();
    expect(found).toMatchObject({
      read: { from: at(-49), to: NOON },
      trouble: unreachable,
      summary: { eventsChecked: 50 },
    });
  });

  test("doesn't append stored failures after a part that couldn't be read", async () => {
    const found = await asking({
      coverage: { from: at(-7200), to: at(-3000) },
      stored: { ...emptySummary(), failedEvents: 7 },
      events: manyEvents(2900),
    }).ask();
    expect(found).toMatchObject({ read: { from: at(-1999) }, summary: { failedEvents: 2000 } });
  });

  test('names the gaps in what is stored, within the range', async () => {
    const gap: Gap = {
      id: 'gap-1',
      environment: 'production',
      from: at(-7200),
      to: at(-1200),
      cause: 'unreachable',
      openedAt: at(-1200),
      closedAt: null,
      unchecked: [
        { from: at(-7200), to: at(-3000) },
        { from: at(-2000), to: at(-1200) },
      ],
      givenUp: [{ from: at(-3000), to: at(-2999) }],
      events: 0,
      failures: 0,
    };
    const { gaps } = await asking({ coverage: { from: at(-9000), to: NOON }, gaps: [gap] }).ask();
    expect(gaps).toEqual({
      unchecked: [
        { from: at(-3600), to: at(-3000) },
        { from: at(-2000), to: at(-1200) },
      ],
      givenUp: gap.givenUp,
    });
  });

  test('lets the service filter what it can, and filters the rest', async () => {
    const filter = { ...ALL_FAILURES, subscribers: ['user-1'], workflows: ['Order Shipped'], providers: ['ses'] };
    const { queries, ask } = asking({ filter, events: [aFailedEvent({ createdAt: at(-1) })] });
    expect((await ask()).summary).toMatchObject({ failedEvents: 0, eventsChecked: 1 });
    expect(queries).toMatchObject([{ subscriberIds: ['user-1'] }]);
  });

  test('splits a range without gap or overlap, whatever is stored', () => {
    const time = fc.integer({ min: -10_000, max: 0 });
    const range = fc
      .tuple(time, time)
      .filter(([a, b]) => a !== b)
      .map(([a, b]) => ({ from: at(Math.min(a, b)), to: at(Math.max(a, b)) }));
    fc.assert(
      fc.property(range, fc.option(range), (asked, coverage) => {
        const { newer, stored, older } = split(asked, coverage);
        const parts = [older, stored, newer].filter((part) => part !== null);
        expect(parts[0]?.from).toEqual(asked.from);
        expect(parts.at(-1)?.to).toEqual(asked.to);
        parts.slice(1).forEach((part, i) => {
          expect(part.from).toEqual(parts[i]?.to);
        });
      }),
    );
  });
});
