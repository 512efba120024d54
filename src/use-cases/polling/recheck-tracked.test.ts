import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError, type ServiceProblem } from '../../domain/errors.ts';
import { aDetail, aJob, anEvent, at, NOON } from '../../domain/service/event.testing.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import { keptStore } from '../../store/store.testing.ts';
import { type ModelEvent, settled } from '../model-service.testing.ts';
import { type ReadEnvironment, readEnvironment } from './reading.testing.ts';

const store = keptStore();

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** An in-app event, which no sweep covers, that is pending and fails at the given time. */
function failsLater(id: string, createdAt: number, failsAt = 30 * MINUTE): ModelEvent {
  const event = { ...anEvent({ id, channels: ['in_app'] }), createdAt: at(createdAt) };
  const waiting = { ...event, jobs: [aJob({ type: 'in_app', status: 'delayed' })] };
  const failed = {
    ...event,
    jobs: [aJob({ type: 'in_app', status: 'failed', details: [aDetail({ id: `d-${id}` })] })],
  };
  return { ...settled(event), seenAt: (now) => (now < at(failsAt) ? waiting : failed) };
}

async function pollsTo(end: number, { pollAndRecheck }: ReadEnvironment, every = 8 * MINUTE): Promise<void> {
  for (let second = 0; second <= end; second += every) await pollAndRecheck(at(second));
}

const failedIn = async ({ found }: ReadEnvironment) => (await found()).counts.failed ?? 0;
const healthOf = async ({ environment }: ReadEnvironment) =>
  (await store().polling.health(at(1e7))).find((health) => health.environment === environment);

/** Changes how the list returns an event. */
function inList(service: ReadEnvironment['service'], change: (event: TriggeredEvent) => TriggeredEvent | null | 'odd') {
  const pages = service.eventPages.bind(service);
  service.eventPages = async function* (query) {
    for await (const page of pages(query)) {
      const answered = page.items.map((event) => ({ event, as: change(event) }));
      yield {
        ...page,
        items: answered.flatMap(({ as }) => (as === null || as === 'odd' ? [] : [as])),
        unreadable: answered
          .filter(({ as }) => as === 'odd')
          .map(({ event }) => ({ key: event.id ?? '', createdAt: event.createdAt })),
      };
    }
  };
}

/** Makes `retrieveEvent` fail, or return null, at some times. */
function byId(environment: ReadEnvironment, problemOf: (now: Date) => ServiceProblem | null | undefined): void {
  const { service, clock } = environment;
  const retrieve = service.retrieveEvent.bind(service);
  service.retrieveEvent = async (id) => {
    const problem = problemOf(clock.now);
    if (problem === undefined) return retrieve(id);
    service.retrieved.push(id);
    if (problem === null) return null;
    throw new ServiceError('production', 'retrieveEvent', problem);
  };
}

test('records an event that no poll has shown, but the window of others', async () => {
  const read = readEnvironment(store());
  read.service.events.push(failsLater('a', -30, 2 * HOUR), failsLater('b', -20, 0), failsLater('c', -10, 2 * HOUR));
  inList(read.service, (event) => (event.id === 'b' && read.clock.now < at(20 * MINUTE) ? null : event));
  await pollsTo(40 * MINUTE, read);
  expect(await failedIn(read)).toBe(1);
});

describe('an absent unsettled event is not dropped', () => {
  test('from a window of the list: it is requested by ID', async () => {
    const read = readEnvironment(store());
    read.service.events.push(failsLater('a', -30), failsLater('b', -10));
    await read.pollAndRecheck(NOON);
    inList(read.service, (event) => (event.id === 'a' ? null : event));
    await pollsTo(40 * MINUTE, read);
    expect(await failedIn(read)).toBe(2);
  });

  test('from every answer until the horizon: it is then given up, counted, and never requested again', async () => {
    const read = readEnvironment(store());
    read.service.events.push(failsLater('a', -30));
    await read.pollAndRecheck(NOON);
    read.service.events.length = 0;
    for (const hour of [0, 1, 6, 24, 40, 60, 71]) await read.recheck(at(hour * HOUR + MINUTE));
    expect(await healthOf(read)).toMatchObject({ givenUp: 0, dueRereads: 1 });
    await read.recheck(at(73 * HOUR));
    await read.recheck(at(74 * HOUR));
    expect(await healthOf(read)).toMatchObject({ givenUp: 1, dueRereads: 0 });
    expect(read.service.retrieved).toHaveLength(8);
  });
});

describe("an unsettled event that can't be read", () => {
  test.each<ServiceProblem>([
    { kind: 'refused', status: 422, message: '', fields: [] },
    { kind: 'timed-out', afterMs: 10_000 },
  ])('because of %o each time is given up at the horizon', async (problem) => {
    const read = readEnvironment(store());
    read.service.events.push(failsLater('a', -30));
    await read.pollAndRecheck(NOON);
    byId(read, () => problem);
    for (const hour of [0, 20, 60, 80]) await read.recheck(at(hour * HOUR + MINUTE));
    expect(await healthOf(read)).toMatchObject({ givenUp: 1, dueRereads: 0 });
    const asked = read.service.retrieved.length;
    await read.recheck(at(100 * HOUR));
    expect(read.service.retrieved).toHaveLength(asked);
  });

  test('does not block others that are due', async () => {
    const read = readEnvironment(store());
    read.service.events.push(failsLater('a', -30), failsLater('b', -30 * MINUTE), failsLater('c', -10));
    await read.pollAndRecheck(NOON);
    const retrieve = read.service.retrieveEvent.bind(read.service);
    read.service.retrieveEvent = async (id) => {
      if (id === 'a') throw new ServiceError('production', 'retrieveEvent', { kind: 'timed-out', afterMs: 10_000 });
      return retrieve(id);
    };
    read.service.poisoned = [at(-30)];
    await read.recheck(at(40 * MINUTE));
    expect(await failedIn(read)).toBe(2);
  });

  test("is counted as unreadable once its failure can't be parsed, and recorded as soon as it can", async () => {
    const read = readEnvironment(store());
    read.service.events.push(failsLater('a', -30), failsLater('b', -10));
    const isOdd = () => read.clock.now >= at(30 * MINUTE) && read.clock.now < at(2 * HOUR);
    inList(read.service, (event) => (event.id === 'a' && isOdd() ? 'odd' : event));
    const retrieve = read.service.retrieveEvent.bind(read.service);
    read.service.retrieveEvent = async (id) => {
      if (id === 'a' && isOdd()) {
        throw new ServiceError('production', 'retrieveEvent', { kind: 'unreadable', status: 200, wrong: null });
      }
      return retrieve(id);
    };
    await pollsTo(56 * MINUTE, read);
    expect(await read.found()).toMatchObject({ counts: { failed: 1 }, unreadable: 1 });
    await read.pollAndRecheck(at(3 * HOUR));
    await read.pollAndRecheck(at(3 * HOUR + 30 * MINUTE));
    expect(await failedIn(read)).toBe(2);
  });
});

describe('more unsettled events than a recheck has time for', () => {
  test('are requested in turn, the longest overdue first, however many older ones are due again', async () => {
    const read = readEnvironment(store());
    inList(read.service, (event) => ({ ...event, jobs: [], listsSteps: false }));
    read.service.events.push(...[-6, -5, -4, -3, -2, -1].map((second) => failsLater(`e${second}`, second)));
    await read.pollAndRecheck(NOON);
    byId(read, () => {
      read.clock.now = new Date(read.clock.now.getTime() + 10_000);
      return null;
    });
    await read.recheck(at(10 * MINUTE));
    expect(new Set(read.service.retrieved).size).toBe(3);
    await read.recheck(at(11 * MINUTE));
    expect(new Set(read.service.retrieved).size).toBe(6);
  });
});

describe('a list that omits the steps of events', () => {
  test('has each event requested by ID until it is settled, and then never again', async () => {
    const read = readEnvironment(store());
    inList(read.service, (event) => ({ ...event, jobs: [], listsSteps: false }));
    const done = settled({ ...anEvent({ id: 'done', channels: ['in_app'] }), createdAt: at(-20) });
    read.service.events.push(done, failsLater('a', -30), failsLater('b', -10));
    await pollsTo(40 * MINUTE, read, 4 * MINUTE);
    expect((await read.found()).counts).toEqual({ failed: 2 });
    expect(read.service.retrieved.filter((id) => id === 'done')).toHaveLength(1);
    expect(await healthOf(read)).toMatchObject({ dueRereads: 0, givenUp: 0 });
  });
});

test('finds every failure of an event that is absent, odd or without steps in some answers', async () => {
  const quirk = fc.constantFrom('absent', 'odd', 'no-steps', 'fine');
  const plan = fc.record({ isExclusive: fc.boolean(), quirks: fc.array(quirk, { minLength: 40, maxLength: 40 }) });
  await fc.assert(
    fc.asyncProperty(plan, async ({ isExclusive, quirks }) => {
      const read = readEnvironment(store());
      read.service.isExclusive = isExclusive;
      read.service.events.push(...[-3, -30, -600].map((second) => failsLater(`e${second}`, second, 8 * MINUTE)));
      await read.pollAndRecheck(NOON);
      let answers = 0;
      inList(read.service, (event) => {
        const as = quirks[answers++ % quirks.length];
        if (as === 'absent') return null;
        if (as === 'odd') return 'odd';
        return as === 'no-steps' ? { ...event, jobs: [], listsSteps: false } : event;
      });
      await pollsTo(30 * MINUTE, read, 5 * MINUTE);
      expect(await failedIn(read)).toBe(3);
    }),
    { numRuns: 2 },
  );
});
