import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ServiceProblem } from '../errors.ts';
import { aJob, anEvent, at, NOON } from '../service/event.testing.ts';
import { nextReadAt, nextTryAt, planRereads, type Rereadable, stretchesOf } from './rereading.ts';

const HORIZON = 72 * 3_600_000;
const unsettled = anEvent({ jobs: [aJob({ status: 'queued' })] });

describe('an event is reread', () => {
  test('soon while it is young and unsettled', () => {
    expect(nextReadAt(unsettled, false, 1, at(10), HORIZON)).toEqual(at(12));
  });

  test('after a tenth of its age if it takes long', () => {
    expect(nextReadAt(unsettled, false, 50, at(10 * 3600), HORIZON)).toEqual(at(11 * 3600));
  });

  test('never once it is settled: sweeps find what fails late', () => {
    expect(nextReadAt(anEvent(), true, 1, at(1), HORIZON)).toBeNull();
  });

  test('never from the horizon on', () => {
    expect(nextReadAt(unsettled, false, 500, at(72 * 3600 - 1), HORIZON)).toEqual(at(72 * 3600));
    expect(nextReadAt(unsettled, false, 500, at(72 * 3600), HORIZON)).toBeNull();
  });

  test('never after the horizon, and always strictly later than now before it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 * HORIZON }), fc.nat(500), (age, reads) => {
        const now = new Date(NOON.getTime() + age);
        const next = nextReadAt(unsettled, false, reads, now, HORIZON);
        if (age >= HORIZON) expect(next).toBeNull();
        else {
          expect(next?.getTime()).toBeGreaterThan(now.getTime());
          expect(next?.getTime()).toBeLessThanOrEqual(NOON.getTime() + HORIZON);
        }
      }),
    );
  });
});

describe('an event that was not seen is requested again', () => {
  const next = (seconds: number, misses: number, problem: ServiceProblem | null = null) =>
    nextTryAt({ createdAt: NOON, misses }, problem, at(seconds), HORIZON);
  const broken: ServiceProblem = { kind: 'service-error', status: 500, errorId: null };
  const away: ServiceProblem = { kind: 'unreachable' };

  test('after pauses that double, up to a quarter of its age', () => {
    expect([0, 1, 2, 3, 20].map((misses) => next(3600, misses))).toEqual(
      [10, 20, 40, 80, 900].map((pause) => at(3600 + pause)),
    );
    expect(next(60 * 3600, 20)).toEqual(at(66 * 3600));
  });

  test('for the last time at the horizon, whatever kept it from being seen; then it is given up', () => {
    for (const problem of [null, broken]) {
      expect(next(72 * 3600 - 5, 3, problem)).toEqual(at(72 * 3600));
      expect(next(72 * 3600, 3, problem)).toBeNull();
    }
  });

  test("never beyond the plan's retention", () => {
    expect(next(60, 0, { kind: 'beyond-plan', message: '' })).toBeNull();
  });

  test('for a day beyond the horizon while the service as a whole is failing', () => {
    expect(next(72 * 3600, 9, away)).toEqual(at(72 * 3600 + 300));
    expect(next(96 * 3600, 9, away)).toBeNull();
  });
});

describe('rereading events in few requests', () => {
  const due = (seconds: number, eventId: string | null = `id-${seconds}`): Rereadable => ({
    eventKey: `key-${seconds}-${eventId}`,
    eventId,
    createdAt: at(seconds),
  });
  const counted = (...events: readonly number[]) =>
    events.map((count, minute) => ({ minute: at(minute * 60), events: count }));
  const five = [5, 1, 3, 2, 4].map((second) => due(second));

  test('requests isolated events by ID', () => {
    expect(planRereads([due(0), due(1_000)], counted(1))).toMatchObject([
      { by: 'id', id: 'id-0' },
      { by: 'id', id: 'id-1000' },
    ]);
  });

  test('reads neighbors as one window of the list', () => {
    expect(planRereads(five, counted(100))).toMatchObject([{ by: 'window', from: at(1), to: at(5) }]);
  });

  test('reads neighbors within a quarter of an hour as one window if few events were created', () => {
    const scattered = [0, 200, 500, 870].map((second) => due(second));
    expect(planRereads(scattered, counted(1, 0, 0, 1))).toMatchObject([{ by: 'window', from: at(0), to: at(870) }]);
  });

  test('reads no more than a quarter of an hour as one window', () => {
    expect(planRereads([due(0), due(899)], [])).toHaveLength(1);
    expect(planRereads([due(0), due(900)], [])).toHaveLength(2);
  });

  test('reads neighbors as one window, however many events were created in the minutes around it', () => {
    expect(planRereads([due(61), due(62)], counted(10_000, 1, 10_000))).toMatchObject([{ by: 'window' }]);
  });

  test('requests the same neighbors by ID if many other events lie between them', () => {
    expect(planRereads(five, counted(10_000)).map(({ by }) => by)).toEqual(['id', 'id', 'id', 'id', 'id']);
  });

  test('requests two events of a burst of 20,000 by ID, however quiet it was around it', () => {
    expect(planRereads([due(0), due(1)], counted(20_000, 0, 0))).toHaveLength(2);
    expect(planRereads([due(0), due(62)], counted(0, 20_000, 0)).map(({ by }) => by)).toEqual(['id', 'id']);
  });

  test('finds an event without an id in a window', () => {
    expect(planRereads([due(7, null)], counted(10_000))).toMatchObject([{ by: 'window', from: at(7), to: at(7) }]);
  });

  test('finds several events without an ID in one window, however many others lie between them', () => {
    expect(planRereads([due(7, null), due(9, null)], counted(10_000))).toMatchObject([
      { by: 'window', from: at(7), to: at(9) },
    ]);
  });

  test('keeps the order in which the events are given, the longest overdue first, whenever they were created', () => {
    const overdue = [due(3_000), due(62), due(0), due(3_001), due(1_200)];
    const order = (counts: ReturnType<typeof counted>) =>
      planRereads(overdue, counts).map(({ events }) => events.map(({ eventId }) => eventId));
    expect(order(counted(1))).toEqual([['id-3000', 'id-3001'], ['id-62', 'id-0'], ['id-1200']]);
    const crowded = Array.from({ length: 60 }, () => 10_000);
    expect(order(counted(...crowded)).flat()).toEqual(['id-3000', 'id-62', 'id-0', 'id-3001', 'id-1200']);
  });

  test('needs only the counts of the stretches that it names', () => {
    expect(stretchesOf([due(65), due(3_000)])).toEqual([
      { from: at(60), to: at(960) },
      { from: at(3_000), to: at(3_900) },
    ]);
  });

  test('leaves none out, reads none twice, and costs at most one request per event', () => {
    const many = fc.array(fc.tuple(fc.nat(5000), fc.boolean()), { maxLength: 60 });
    const created = fc.array(fc.nat(2_000), { minLength: 100, maxLength: 100 });
    fc.assert(
      fc.property(many, created, (times, events) => {
        const dueEvents = times.map(([seconds, hasId], i) => ({
          ...due(seconds, hasId ? `id-${i}` : null),
          eventKey: `k${i}`,
        }));
        const plan = planRereads(dueEvents, counted(...events));
        const planned = plan.flatMap((read) => read.events.map((event) => event.eventKey));
        expect(planned.toSorted()).toEqual(dueEvents.map((event) => event.eventKey).toSorted());
        const minuteOf = (time: Date) => Math.floor((time.getTime() - NOON.getTime()) / 60_000);
        const pages = (from: Date, to: Date) =>
          1 + Math.floor(events.slice(minuteOf(from), minuteOf(to) + 1).reduce((sum, one) => sum + one, 0) / 50);
        const cost = plan.map((read) => (read.by === 'id' ? 1 : pages(read.from, read.to)));
        const apart = dueEvents.map(({ eventId, createdAt }) => (eventId === null ? pages(createdAt, createdAt) : 1));
        const total = (costs: readonly number[]) => costs.reduce((sum, one) => sum + one, 0);
        expect(total(cost)).toBeLessThanOrEqual(total(apart));
      }),
    );
  });
});
