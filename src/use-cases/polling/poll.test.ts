import { describe, expect, test } from 'vitest';
import { FencedOffError, ServiceError } from '../../domain/errors.ts';
import { aFailedEvent, aJob, anEvent, at, NOON } from '../../domain/service/event.testing.ts';
import { keptStore } from '../../store/store.testing.ts';
import type { Store } from '../../store/store.ts';
import { bouncing, settled } from '../model-service.testing.ts';
import { type ReadEnvironment, readEnvironment } from './reading.testing.ts';

const store = keptStore();

const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Returns this many failed emails, one a second, the last at the given time. */
function failing(count: number, lastAt: number) {
  return Array.from({ length: count }, (_, i) =>
    settled({ ...aFailedEvent({ id: `${lastAt}-${i}` }), createdAt: at(lastAt - i) }),
  );
}

const failed = (id: string, seconds: number) => settled({ ...aFailedEvent({ id }), createdAt: at(seconds) });

describe('a poll', () => {
  test('covers the last hour at first start', async () => {
    const { service, pollAndRecheck, gaps } = readEnvironment(store());
    service.events.push(failed('old', -3700), failed('young', -1800));
    expect(await pollAndRecheck(NOON)).toMatchObject({ newEvents: 1, newFailures: 1, checkedTo: NOON, caughtUp: true });
    expect(await gaps()).toEqual([]);
  });

  test.each([15 * MINUTE, HOUR])('leaves no gap where polls are %i s apart', async (everySeconds) => {
    const { service, pollAndRecheck, gaps } = readEnvironment(store());
    const slow = { pollMs: everySeconds * 1000 };
    service.events.push(failed('first', everySeconds - 1), failed('second', 2 * everySeconds));
    await pollAndRecheck(NOON, slow);
    expect(await pollAndRecheck(at(everySeconds + 1), slow)).toMatchObject({ newFailures: 1 });
    expect(await pollAndRecheck(at(2 * everySeconds + 3), slow)).toMatchObject({ newFailures: 1 });
    expect(await gaps()).toEqual([]);
  });

  test('counts an event once if the next window overlaps it', async () => {
    const { service, pollAndRecheck } = readEnvironment(store());
    service.events.push(failed('e', -5));
    expect(await pollAndRecheck(NOON)).toMatchObject({ newEvents: 1, newFailures: 1 });
    expect(await pollAndRecheck(at(60))).toMatchObject({ newEvents: 0, newFailures: 0 });
  });

  test('finds an event that the list shows a minute late', async () => {
    const { service, pollAndRecheck } = readEnvironment(store());
    service.events.push({ ...failed('late', -1), listedAt: at(59) });
    expect(await pollAndRecheck(NOON)).toMatchObject({ newEvents: 0 });
    expect(await pollAndRecheck(at(60))).toMatchObject({ newEvents: 1, newFailures: 1 });
  });

  test('finds the failure of an event that the list shows minutes late, by a sweep', async () => {
    const { service, pollAndRecheck, found } = readEnvironment(store());
    service.events.push(failed('newest', -1), { ...failed('very late', -300), listedAt: at(30) });
    await pollAndRecheck(NOON);
    expect(await pollAndRecheck(at(60))).toMatchObject({ newEvents: 0, newFailures: 1 });
    expect((await found()).counts).toEqual({ failed: 2 });
  });

  test('reads hundreds of events of one millisecond, and an empty last page', async () => {
    const { service, pollAndRecheck } = readEnvironment(store());
    service.events.push(...Array.from({ length: 250 }, (_, i) => failed(`e${i}`, -5)));
    expect(await pollAndRecheck(NOON)).toMatchObject({ newEvents: 250, newFailures: 250, caughtUp: true });
  });

  test('misses nothing when pages shift while they are read', async () => {
    const { service, pollAndRecheck, found } = readEnvironment(store());
    service.events.push(...failing(200, -1));
    let arrived = 0;
    service.beforePage = () => {
      arrived += 1;
      service.events.push(failed(`arrived-${arrived}`, -0.5));
    };
    await pollAndRecheck(NOON);
    service.beforePage = () => {};
    await pollAndRecheck(at(60));
    expect((await found()).eventsChecked).toBe(200 + arrived);
  });

  test('rereads an unsettled event until its failure shows', async () => {
    const { service, pollAndRecheck } = readEnvironment(store());
    const queued = anEvent({ id: 'e', createdAt: at(-5), jobs: [aJob({ status: 'queued' })] });
    service.events.push({
      ...failed('e', -5),
      seenAt: (now) => (now < at(300) ? queued : aFailedEvent({ id: 'e', createdAt: at(-5) })),
    });
    expect(await pollAndRecheck(NOON)).toMatchObject({ newEvents: 1, newFailures: 0 });
    expect(await pollAndRecheck(at(600))).toMatchObject({ newEvents: 0, newFailures: 1 });
  });

  test('stops requesting an event that the service no longer has', async () => {
    const { service, pollAndRecheck } = readEnvironment(store());
    service.events.push(settled({ ...anEvent({ id: 'e', jobs: [aJob({ status: 'queued' })] }), createdAt: at(-5) }));
    await pollAndRecheck(NOON);
    service.events.length = 0;
    await pollAndRecheck(at(10));
    const asked = service.queries.length + service.retrieved.length;
    await pollAndRecheck(at(12));
    expect(service.queries.length + service.retrieved.length).toBe(asked + 1);
  });

  test('keeps what it read, and its cursor, when the service fails in between', async () => {
    const { service, pollAndRecheck, found } = readEnvironment(store());
    service.events.push(...failing(60, -1));
    let pages = 0;
    service.beforePage = () => {
      pages += 1;
      if (pages === 2) throw new ServiceError('production', 'listEvents', { kind: 'unreachable' });
    };
    expect(await pollAndRecheck(NOON)).toMatchObject({ newFailures: 60, checkedTo: NOON });
    expect((await found()).counts.failed).toBe(60);
  });

  test('stops between two pages on abort, and continues there in the next poll', async () => {
    const { service, stop, pollAndRecheck, found } = readEnvironment(store());
    service.events.push(...failing(120, -1));
    stop.abort();
    expect(await pollAndRecheck(NOON)).toMatchObject({ caughtUp: false, checkedTo: at(-HOUR) });
    expect((await found()).counts.failed).toBe(50);
    expect(await pollAndRecheck(at(1), { signal: new AbortController().signal })).toMatchObject({ newFailures: 70 });
  });

  test('writes nothing after another reader has taken the cursor', async () => {
    const { service, pollAndRecheck, found } = readEnvironment(store());
    service.events.push(failed('e', -5));
    let environment = '';
    const overtaken = {
      ...store().polling,
      takeCursor: async (name: string, first: Date) => {
        environment = name;
        return store().polling.takeCursor(name, first);
      },
    };
    const pages = service.eventPages.bind(service);
    service.eventPages = async function* (query) {
      await store().polling.takeCursor(environment, NOON);
      yield* pages(query);
    };
    await expect(pollAndRecheck(NOON, { store: overtaken })).rejects.toThrow(FencedOffError);
    expect((await found()).eventsChecked).toBe(0);
  });

  test("records successful deliveries, so that a group's recovery shows", async () => {
    const { service, pollAndRecheck } = readEnvironment(store());
    service.events.push(settled({ ...anEvent(), createdAt: at(-5) }));
    const told: unknown[] = [];
    const listening = {
      ...store().polling,
      record: async (...[cursor, reading, now]: Parameters<Store['polling']['record']>) => {
        told.push(...reading.successes);
        return store().polling.record(cursor, reading, now);
      },
    };
    await pollAndRecheck(NOON, { store: listening });
    expect(told).toMatchObject([{ workflow: 'order-shipped', channel: 'email', provider: 'sendgrid' }]);
  });
});

describe("a service's clock", () => {
  /** A service whose clock is off by this much. */
  async function readWithClockOff(seconds: number, saysSo: boolean): Promise<ReadEnvironment> {
    const environment = readEnvironment(store());
    const { service, pollAndRecheck } = environment;
    service.aheadMs = saysSo ? seconds * 1000 : null;
    for (let minute = -30; minute < 20; minute++) {
      const happens = at(minute * MINUTE + 7);
      service.events.push({ ...failed(`e${minute}`, minute * MINUTE + 7 + seconds), listedAt: happens });
    }
    for (let minute = 0; minute <= 32; minute += 2) await pollAndRecheck(at(minute * MINUTE));
    return environment;
  }

  test.each([
    [-10 * MINUTE + 30, false],
    [10 * MINUTE - 30, true],
  ])('can differ from ours by %i s without loss, whether it says so (%s) or not', async (seconds, saysSo) => {
    const { found } = await readWithClockOff(seconds, saysSo);
    expect((await found()).eventsChecked).toBe(50);
  });

  test("has its events checked at once if it's ahead of ours and says so", async () => {
    const { service, pollAndRecheck } = readEnvironment(store());
    await pollAndRecheck(NOON);
    service.aheadMs = 5 * MINUTE * 1000;
    service.events.push({ ...failed('e', 30 + 5 * MINUTE), listedAt: at(30) });
    expect(await pollAndRecheck(at(60))).toMatchObject({ newEvents: 1, clockAheadMs: 300_000 });
    expect(await pollAndRecheck(at(120))).toMatchObject({ newEvents: 0 });
  });
});

describe('a late failure', () => {
  const bounced = (age: number) => bouncing({ ...anEvent({ id: 'e' }), createdAt: at(-5) }, at(-5 + age));

  /** Polls a minute after an event created at noon has reached each of the ages. */
  async function readOn({ pollAndRecheck }: ReadEnvironment, lastAge = Number.POSITIVE_INFINITY): Promise<void> {
    const ages = [0, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR, 72 * HOUR, 78 * HOUR, 90 * HOUR];
    for (const age of ages) if (age <= lastAge) await pollAndRecheck(at(age + MINUTE));
  }

  test.each([
    ['1 hour', HOUR],
    ['just inside the horizon', 72 * HOUR - 1],
  ])('is found at an age of %s', async (_, age) => {
    const environment = readEnvironment(store());
    environment.service.events.push(bounced(age));
    await readOn(environment);
    expect((await environment.found()).counts).toEqual({ bounced: 1 });
  });

  test('is found within a twentieth of its age while few events are created, or by the next poll', async () => {
    const environment = readEnvironment(store());
    environment.service.events.push(bounced(HOUR + 2 * MINUTE));
    await readOn(environment, HOUR);
    expect((await environment.found()).counts).toEqual({});
    for (let minute = 2; minute <= 6; minute++) await environment.pollAndRecheck(at(HOUR + minute * MINUTE));
    expect((await environment.found()).counts).toEqual({ bounced: 1 });
  });

  test('is found after a long downtime in which it occurred', async () => {
    const { service, pollAndRecheck, found } = readEnvironment(store());
    service.events.push(bounced(30 * MINUTE));
    await pollAndRecheck(NOON);
    await pollAndRecheck(at(100 * HOUR));
    expect((await found()).counts).toEqual({ bounced: 1 });
  });
});
