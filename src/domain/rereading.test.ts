import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aJob, anEvent, at, NOON } from './event.testing.ts';
import { type DueEvent, nextReadAt, planRereads } from './rereading.ts';

const HORIZON = 72 * 3_600_000;
const unsettled = anEvent({ jobs: [aJob({ status: 'queued' })] });

describe('when an event is read again', () => {
  test('soon while it is young and not settled', () => {
    expect(nextReadAt(unsettled, false, 1, at(10), HORIZON)).toEqual(at(12));
  });

  test('after a tenth of its age when it goes on for long', () => {
    expect(nextReadAt(unsettled, false, 50, at(10 * 3600), HORIZON)).toEqual(at(11 * 3600));
  });

  test('never when it is settled: sweeps find what fails late', () => {
    expect(nextReadAt(anEvent(), true, 1, at(1), HORIZON)).toBeNull();
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

describe('reading events again in few requests', () => {
  const due = (seconds: number, eventId: string | null = `id-${seconds}`): DueEvent => ({
    eventKey: `key-${seconds}-${eventId}`,
    eventId,
    createdAt: at(seconds),
  });

  test('takes loners by their id', () => {
    expect(planRereads([due(0), due(1_000)], 10)).toMatchObject([
      { by: 'id', id: 'id-0' },
      { by: 'id', id: 'id-1000' },
    ]);
  });

  test('takes neighbours as one window of the list', () => {
    const events = [5, 1, 3, 2, 4].map((second) => due(second));
    expect(planRereads(events, 100)).toMatchObject([{ by: 'window', from: at(1), to: at(5) }]);
  });

  test('takes the same neighbours by their ids where many other events lie between them', () => {
    const events = [5, 1, 3, 2, 4].map((second) => due(second));
    expect(planRereads(events, 10_000).map(({ by }) => by)).toEqual(['id', 'id', 'id', 'id', 'id']);
  });

  test('finds an event without an id in a window', () => {
    expect(planRereads([due(7, null)], 10_000)).toMatchObject([{ by: 'window', from: at(7), to: at(7) }]);
  });

  test('leaves none out, reads none twice, and takes no more requests than events', () => {
    const many = fc.array(fc.tuple(fc.nat(5000), fc.boolean()), { maxLength: 60 });
    fc.assert(
      fc.property(many, fc.nat(20_000), (times, eventsAMinute) => {
        const events = times.map(([seconds, hasId], i) => ({
          ...due(seconds, hasId ? `id-${i}` : null),
          eventKey: `k${i}`,
        }));
        const plan = planRereads(events, eventsAMinute);
        const planned = plan.flatMap((read) => read.events.map((event) => event.eventKey));
        expect([...planned].sort()).toEqual(events.map((event) => event.eventKey).sort());
        const pages = plan.map((read) =>
          read.by === 'id' ? 1 : 1 + Math.floor(((read.to.getTime() - read.from.getTime()) * eventsAMinute) / 3e6),
        );
        expect(pages.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(events.length);
      }),
    );
  });
});
