import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../domain/errors.ts';
import { aFailedEvent, at, NOON } from '../../domain/service/event.testing.ts';
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
});

describe('a service with a low rate limit', () => {
  const LIMITED = { kind: 'rate-limited', retryAfterMs: 30_000 } as const;

  test('has its whole list read eventually', async () => {
    const requests = 5;
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
});
