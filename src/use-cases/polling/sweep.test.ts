import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../domain/errors.ts';
import type { Logger } from '../../domain/logger.ts';
import { aJob, anEvent, at } from '../../domain/service/event.testing.ts';
import { keptStore } from '../../store/store.testing.ts';
import { bouncing, type ModelService, settled } from '../model-service.testing.ts';
import { HORIZON_MS, readEnvironment } from './reading.testing.ts';
import type { EventReader } from './record-events.ts';
import { emptySum } from './sum.ts';
import { type SweepReport, sweep } from './sweep.ts';

const store = keptStore();
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** An environment whose events of the hour before noon have been read and all bounce half an hour later. */
async function readAnHour(minutesAgo: readonly number[]) {
  const environment = readEnvironment(store());
  for (const minutes of minutesAgo) {
    const event = { ...anEvent({ id: `e${minutes}` }), createdAt: at(-minutes * MINUTE) };
    environment.service.events.push(bouncing(event, at(30 * MINUTE)));
  }
  await environment.pollAndRecheck(at(0));
  return environment;
}

interface Asked {
  readonly service: EventReader;
  readonly requestsAMinute?: number;
  readonly signal?: AbortSignal;
  readonly until?: Date;
  readonly logger?: Logger;
}

/** Runs sweeps alone, at a time in seconds after noon. */
async function sweepAt(
  seconds: number,
  { environment, clock }: Awaited<ReturnType<typeof readAnHour>>,
  { service, requestsAMinute = 90, signal = new AbortController().signal, until = at(1e7), logger = silent }: Asked,
): Promise<SweepReport> {
  clock.now = at(seconds);
  const cursor = await store().polling.takePast(environment, clock.now, clock.now);
  if (cursor === null) throw new Error('nothing was read yet');
  const parts = {
    service,
    store: store().polling,
    logger,
    now: () => clock.now,
    horizonMs: HORIZON_MS,
    pollMs: 60_000,
  };
  return sweep(cursor, { ...parts, signal, recheckRequestsAMinute: () => requestsAMinute }, emptySum(), until);
}

type Query = Parameters<EventReader['eventPages']>[0];

/** A service whose list by channel hangs for some windows until the deadline, which comes as soon as it hangs. */
function hanging(service: ModelService, isHanging: (query: Query) => boolean) {
  const deadline = new AbortController();
  const reader: EventReader = {
    clockAheadMs: () => null,
    retrieveEvent: (id) => service.retrieveEvent(id),
    async *eventPages(query) {
      if (query.channels !== undefined && isHanging(query)) {
        deadline.abort();
        throw deadline.signal.reason;
      }
      yield* service.eventPages(query);
    },
  };
  return { service: reader, signal: deadline.signal };
}

describe('a list by channel that hangs', () => {
  test('ends with the signal: what was checked is noted, and other stretches go first in the next sweep', async () => {
    const read = await readAnHour([50, 20]);
    const moment = at(-20 * MINUTE);
    const isHanging = ({ after, before }: Query) => after !== undefined && after <= moment && before >= moment;
    const unchecked = async () =>
      (await store().polling.stretches(read.environment)).filter(({ checkedAt }) => (checkedAt ?? at(0)) <= at(0));
    await sweepAt(40 * MINUTE, read, hanging(read.service, isHanging));
    for (const { notBefore } of await unchecked()) expect(notBefore).toEqual(at(41 * MINUTE));

    // Everything else is checked, even while it still hangs.
    await sweepAt(42 * MINUTE, read, hanging(read.service, isHanging));
    await sweepAt(43 * MINUTE, read, hanging(read.service, isHanging));
    const left = await unchecked();
    expect(left.length).toBeGreaterThan(0);
    for (const { from, to } of left) {
      expect(from.getTime() - 1_000).toBeLessThanOrEqual(moment.getTime());
      expect(to.getTime() + 1_000).toBeGreaterThanOrEqual(moment.getTime());
    }

    await sweepAt(60 * MINUTE, read, { service: read.service });
    expect((await read.found()).counts).toEqual({ bounced: 2 });
  });

  test('is replaced by the whole list for an hour after three sweeps in which it answered nothing', async () => {
    const read = await readAnHour([20]);
    for (const minute of [40, 45, 50])
      await sweepAt(
        minute * MINUTE,
        read,
        hanging(read.service, () => true),
      );
    expect((await read.found()).counts).toEqual({});
    expect(await store().polling.lastSweep(read.environment)).toMatchObject({ unfilteredUntil: at(110 * MINUTE) });
    await sweepAt(
      55 * MINUTE,
      read,
      hanging(read.service, () => true),
    );
    expect((await read.found()).counts).toEqual({ bounced: 1 });
    await sweepAt(111 * MINUTE, read, { service: read.service });
    expect(read.service.queries.at(-1)?.channels).toBeDefined();
  });
});

describe('a sweep', () => {
  test('writes nothing if nothing is due', async () => {
    const read = await readAnHour([20]);
    const before = await store().polling.stretches(read.environment);
    read.service.queries.length = 0;
    await sweepAt(20, read, { service: read.service });
    expect(await store().polling.stretches(read.environment)).toEqual(before);
    expect(read.service.queries).toEqual([]);
  });

  test('logs once what got too old while nothing was checked', async () => {
    const read = await readAnHour([20]);
    await sweepAt(40 * MINUTE, read, { service: read.service });
    const logged: object[] = [];
    const logger = { ...silent, warn: (fields: object) => logged.push(fields) };
    const late = 2 * (HORIZON_MS / 1_000) + 30 * MINUTE;
    await sweepAt(late, read, { service: read.service, logger });
    expect(logged).toContainEqual(
      expect.objectContaining({ environment: read.environment, checkedAt: at(40 * MINUTE) }),
    );
    const before = logged.length;
    await sweepAt(late + MINUTE, read, { service: read.service, logger });
    expect(logged).toHaveLength(before);
  });

  test('goes by the clock of a service that is ahead', async () => {
    const environment = readEnvironment(store());
    environment.service.aheadMs = 10 * MINUTE * 1_000;
    const event = { ...anEvent({ id: 'ahead' }), createdAt: at(10 * MINUTE) };
    environment.service.events.push({ ...bouncing(event, at(4 * MINUTE)), listedAt: at(0) });
    await environment.pollAndRecheck(at(0));
    await environment.pollAndRecheck(at(3 * MINUTE));
    await environment.pollAndRecheck(at(7 * MINUTE));
    expect((await environment.found()).counts).toEqual({ bounced: 1 });
  });

  test("skips nothing after the service couldn't be read", async () => {
    const read = await readAnHour([50, 20]);
    read.service.problem = { kind: 'unreachable' };
    await expect(sweepAt(40 * MINUTE, read, { service: read.service })).rejects.toThrow(ServiceError);
    read.service.problem = null;
    await sweepAt(41 * MINUTE, read, { service: read.service });
    expect((await read.found()).counts).toEqual({ bounced: 2 });
  });

  test('makes at most four times its share of requests, and continues in the next', async () => {
    const read = await readAnHour(Array.from({ length: 58 }, (_, index) => index + 1));
    for (let minute = 0; minute < 60; minute++) {
      for (let nr = 0; nr < 8; nr++) {
        const event = { ...anEvent({ id: `more-${minute}-${nr}` }), createdAt: at(-minute * MINUTE - 1) };
        read.service.events.push(bouncing(event, at(30 * MINUTE)));
      }
    }
    read.service.queries.length = 0;
    let pages = 0;
    read.service.beforePage = () => {
      pages += 1;
    };
    await sweepAt(HOUR, read, { service: read.service, requestsAMinute: 1 });
    // A range that was begun is read to its end.
    expect(pages).toBeLessThan(20);
    for (let minute = 61; minute < 75; minute++) {
      await sweepAt(minute * MINUTE, read, { service: read.service, requestsAMinute: 1 });
    }
    expect((await read.found()).counts.bounced).toBeGreaterThanOrEqual(58);
  });
});

describe('an event that can no longer be read since it failed', () => {
  test('counts as unreadable once, however often it is checked', async () => {
    const read = await readAnHour([50]);
    const oddly: EventReader = {
      clockAheadMs: () => null,
      retrieveEvent: (id) => read.service.retrieveEvent(id),
      async *eventPages(query) {
        for await (const page of read.service.eventPages(query)) {
          const unreadable = page.items.map(({ id, createdAt }) => ({ key: id ?? '', createdAt }));
          yield { ...page, items: [], unreadable };
        }
      },
    };
    await sweepAt(40 * MINUTE, read, { service: oddly });
    expect(await read.found()).toMatchObject({ unreadable: 1, failedEvents: 0 });
    await sweepAt(3 * HOUR, read, { service: oddly });
    expect(await read.found()).toMatchObject({ unreadable: 1 });
  });
});

describe('an event with a part that can no longer be read', () => {
  test('counts as unreadable once, because the part may be a late failure', async () => {
    const read = readEnvironment(store());
    const event = { ...anEvent({ id: 'odd' }), createdAt: at(-50 * MINUTE) };
    const oddly = { ...event, unreadable: ['jobs.executionDetails'] };
    read.service.events.push({ ...settled(event), seenAt: (now) => (now >= at(30 * MINUTE) ? oddly : event) });
    await read.pollAndRecheck(at(0));
    expect(await read.found()).toMatchObject({ unreadable: 0, failedEvents: 0 });
    await sweepAt(40 * MINUTE, read, { service: read.service });
    expect(await read.found()).toMatchObject({ unreadable: 1, failedEvents: 0 });
    await sweepAt(3 * HOUR, read, { service: read.service });
    expect(await read.found()).toMatchObject({ unreadable: 1 });
  });
});

describe('an event that no poll has seen', () => {
  test('is followed from the check that finds it while its steps are in progress', async () => {
    const read = await readAnHour([50]);
    const late = { ...anEvent({ id: 'late', jobs: [aJob({ status: 'running' })] }), createdAt: at(-49 * MINUTE) };
    read.service.events.push(settled(late));
    const due = async () =>
      (await store().polling.dueEvents(read.environment, at(1e7), 10)).map(({ eventId }) => eventId);
    expect(await due()).not.toContain('late');
    await sweepAt(40 * MINUTE, read, { service: read.service });
    expect(await due()).toContain('late');
  });
});
