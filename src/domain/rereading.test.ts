import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aJob, anEvent, at, NOON } from './event.testing.ts';
import { type DueEvent, nextReadAt, planRereads } from './rereading.ts';

const HORIZON = 72 * 3_600_000;
const MINUTE = 60_000;
const unsettled = anEvent({ jobs: [aJob({ status: 'queued' })] });
const emailed = anEvent();

describe('when an event is read again', () => {
  test('soon while it is young and not settled', () => {
    expect(nextReadAt(unsettled, false, 1, at(10), HORIZON)).toEqual(at(12));
  });

  test('after a tenth of its age when it goes on for long', () => {
    expect(nextReadAt(unsettled, false, 50, at(10 * 3600), HORIZON)).toEqual(at(11 * 3600));
  });

  test('at growing ages when it is settled and may still bounce', () => {
    const ages: number[] = [];
    let now: Date | null = NOON;
    while (now !== null) {
      now = nextReadAt(emailed, true, 1, now, HORIZON);
      if (now !== null) ages.push((now.getTime() - NOON.getTime()) / MINUTE);
    }
    expect(ages).toEqual([2, 10, 50, 250, 1250, 4320]);
  });

  test('never when it is settled on a channel that does not bounce', () => {
    expect(nextReadAt(anEvent({ jobs: [aJob({ type: 'in_app' })] }), true, 1, at(1), HORIZON)).toBeNull();
  });

  test('never after the horizon, and always strictly later than now before it', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.integer({ min: 0, max: 2 * HORIZON }), fc.nat(500), (isSettled, age, reads) => {
        const now = new Date(NOON.getTime() + age);
        const next = nextReadAt(emailed, isSettled, reads, now, HORIZON);
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
    expect(planRereads([due(0), due(500)])).toMatchObject([
      { by: 'id', id: 'id-0' },
      { by: 'id', id: 'id-500' },
    ]);
  });

  test('takes neighbours as one window of the list', () => {
    const events = [5, 1, 3, 2, 4].map((second) => due(second));
    expect(planRereads(events)).toMatchObject([{ by: 'window', from: at(1), to: at(5) }]);
  });

  test('finds an event without an id in a window', () => {
    expect(planRereads([due(7, null)])).toMatchObject([{ by: 'window', from: at(7), to: at(7) }]);
  });

  test('leaves none out and reads none twice', () => {
    const many = fc.array(fc.tuple(fc.nat(5000), fc.boolean()), { maxLength: 60 });
    fc.assert(
      fc.property(many, (times) => {
        const events = times.map(([seconds, hasId], i) => ({
          ...due(seconds, hasId ? `id-${i}` : null),
          eventKey: `k${i}`,
        }));
        const planned = planRereads(events).flatMap((read) => read.events.map((event) => event.eventKey));
        expect([...planned].sort()).toEqual(events.map((event) => event.eventKey).sort());
      }),
    );
  });
});
