import { describe, expect, test } from 'vitest';
import { aDetail, aFailedEvent, aJob, anEvent, at, NOON } from '../../domain/service/event.testing.ts';
import { keptStore, silent } from '../../store/store.testing.ts';
import { bouncing, type ModelEvent, settled } from '../model-service.testing.ts';
import { HORIZON_MS, type ReadEnvironment, readEnvironment } from './reading.testing.ts';
import { recheckWindows } from './recheck-windows.ts';

const store = keptStore();
const MINUTE = 60;
const HOUR = { from: at(-60 * MINUTE), to: NOON };
const FAILS_AT = at(-MINUTE);

/** An event that waits in a step until it fails. */
function delayed(id: string, createdAt: Date): ModelEvent {
  const waiting = anEvent({
    id,
    createdAt,
    jobs: [aJob({ status: 'delayed', details: [aDetail({ status: 'Pending' })] })],
  });
  const failed = { ...aFailedEvent({ id }), createdAt };
  return { at: createdAt, listedAt: createdAt, seenAt: (now) => (now >= FAILS_AT ? failed : waiting) };
}

/** An environment checked two minutes before noon, and not since. */
async function checkedBefore(events: readonly ModelEvent[]): Promise<ReadEnvironment> {
  const environment = readEnvironment(store());
  environment.service.events.push(...events);
  await environment.pollAndRecheck(at(-2 * MINUTE));
  environment.clock.now = NOON;
  environment.service.queries.length = 0;
  environment.service.retrieved.length = 0;
  return environment;
}

const recheck = async ({ environment, service, clock }: ReadEnvironment, windows = [HOUR]) => {
  let announcingWoken = 0;
  const notRechecked = await recheckWindows(environment, windows, {
    service,
    store: store().polling,
    wakeAnnouncing: async () => void announcingWoken++,
    logger: silent,
    now: () => clock.now,
    horizonMs: HORIZON_MS,
    signal: new AbortController().signal,
  });
  return { notRechecked, announcingWoken };
};

const sent = (id: string, seconds: number) => ({ ...anEvent({ id }), createdAt: at(seconds) });

/** Adds this many settled events, as a poll would have counted them. */
async function crowd(environment: string, count: number, createdAt: Date): Promise<void> {
  const cursor = await store().polling.takeCursor(environment, HOUR.from);
  const trackedEvents = Array.from({ length: count }, (_, n) => {
    const key = `${createdAt.getTime()} ${n}`;
    return {
      eventKey: key,
      eventId: key,
      createdAt,
      workflow: null,
      nextReadAt: null,
      isPartial: false,
      delivered: [],
    };
  });
  await store().polling.record(cursor, { trackedEvents, failures: [], successes: [], unreadable: [] }, NOON);
}

describe('a recheck for a question', () => {
  test('records what has failed in a window since, including late failures of finished events, and wakes announcing', async () => {
    const environment = await checkedBefore([
      delayed('delayed', at(-30 * MINUTE)),
      bouncing(sent('bounced', -20 * MINUTE), FAILS_AT),
      settled(sent('fine', -10 * MINUTE)),
    ]);
    expect((await environment.found()).failedEvents).toBe(0);
    expect(await recheck(environment)).toEqual({ notRechecked: { inProgress: 0, settled: 0 }, announcingWoken: 1 });
    expect((await environment.found()).failedEvents).toBe(2);
    expect(environment.service.queries).toHaveLength(1);
  });

  test("counts known failures only once, and then doesn't wake announcing", async () => {
    const environment = await checkedBefore([settled({ ...aFailedEvent(), createdAt: at(-20 * MINUTE) })]);
    const before = await environment.found();
    expect((await recheck(environment)).announcingWoken).toBe(0);
    expect(await environment.found()).toEqual(before);
  });

  test('records nothing created before Notif began to check the environment', async () => {
    const environment = await checkedBefore([settled({ ...aFailedEvent(), createdAt: at(-10 * 60 * MINUTE) })]);
    await recheck(environment, [{ from: at(-24 * 60 * MINUTE), to: NOON }]);
    expect((await environment.found()).failedEvents).toBe(0);
  });

  test('covers only events in progress if the window has more than twenty pages', async () => {
    const environment = await checkedBefore([delayed('delayed', at(-30 * MINUTE))]);
    await crowd(environment.environment, 1_000, at(-40 * MINUTE));
    expect((await recheck(environment)).notRechecked).toEqual({ inProgress: 0, settled: 1_000 });
    expect((await environment.found()).failedEvents).toBe(1);
    expect(environment.service).toMatchObject({ queries: [], retrieved: ['delayed'] });
  });

  test('makes twenty requests at most, over all windows', async () => {
    const open = Array.from({ length: 30 }, (_, n) => delayed(`delayed-${n}`, at((n - 40) * MINUTE)));
    const environment = await checkedBefore(open);
    await crowd(environment.environment, 1_000, at(-41 * MINUTE));
    await crowd(environment.environment, 1_000, at(-12 * MINUTE));
    const older = { from: HOUR.from, to: at(-25.5 * MINUTE) };
    const newer = { from: at(-25 * MINUTE), to: NOON };
    expect((await recheck(environment, [older, newer])).notRechecked).toEqual({ inProgress: 10, settled: 2_000 });
    const { retrieved, queries } = environment.service;
    expect(retrieved.length + queries.length).toBe(20);
  });

  test("leaves out events that the service doesn't return, and counts them", async () => {
    const environment = await checkedBefore([
      delayed('delayed', at(-30 * MINUTE)),
      settled(sent('fine', -10 * MINUTE)),
    ]);
    environment.service.problem = { kind: 'unreachable' };
    expect((await recheck(environment)).notRechecked).toEqual({ inProgress: 1, settled: 1 });
  });

  test('requests an event in progress by ID if the list omits it', async () => {
    const environment = await checkedBefore([delayed('delayed', at(-30 * MINUTE))]);
    environment.service.order = () => [];
    expect((await recheck(environment)).notRechecked).toEqual({ inProgress: 0, settled: 0 });
    expect((await environment.found()).failedEvents).toBe(1);
  });

  test('counts events whose steps the service omits', async () => {
    const environment = await checkedBefore([
      delayed('delayed', at(-30 * MINUTE)),
      settled(sent('fine', -10 * MINUTE)),
    ]);
    const { service } = environment;
    const events = service.events.splice(0);
    const withoutSteps = (event: ModelEvent): ModelEvent => ({
      ...event,
      seenAt: (now) => ({ ...event.seenAt(now), jobs: [], listsSteps: false }),
    });
    service.events.push(...events.map(withoutSteps));
    expect((await recheck(environment)).notRechecked).toEqual({ inProgress: 1, settled: 1 });
  });

  test("counts finished events with a part that can't be read, which may be a late failure", async () => {
    const event = sent('odd', -20 * MINUTE);
    const oddly = { ...event, unreadable: ['jobs.executionDetails'] };
    const odd = { ...settled(event), seenAt: (now: Date) => (now >= FAILS_AT ? oddly : event) };
    const environment = await checkedBefore([odd, settled(sent('fine', -10 * MINUTE))]);
    expect((await environment.found()).unreadable).toBe(0);
    expect((await recheck(environment)).notRechecked).toEqual({ inProgress: 0, settled: 1 });
    expect((await environment.found()).unreadable).toBe(1);
  });

  test('fences off neither a running poll nor a running recheck', async () => {
    const environment = await checkedBefore([delayed('delayed', at(-30 * MINUTE))]);
    const present = await store().polling.takeCursor(environment.environment, HOUR.from);
    const past = await store().polling.takePast(environment.environment, NOON, NOON);
    await recheck(environment);
    expect((await environment.found()).failedEvents).toBe(1);
    const nothing = { trackedEvents: [], failures: [], successes: [], unreadable: [] };
    for (const cursor of [present, past]) {
      if (cursor === null) throw new Error('the past of an environment that was polled can be taken');
      await expect(store().polling.record(cursor, nothing, NOON)).resolves.toMatchObject({ newEvents: 0 });
    }
  });
});
