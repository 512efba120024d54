import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALL_FAILURES } from '../../domain/failures/failure-filter.ts';
import type { Reading } from '../../use-cases/polling/record-events.ts';
import { digestNow } from '../deliveries/deliveries.testing.ts';
import { ALL_TIME, at, failureOf, NOON, reading, trackedEvent } from '../examples.testing.ts';
import { describeStore, emptyStore } from '../store.testing.ts';

const events = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 8 });
const failures = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 2 })), { maxLength: 8 });
const pages = fc.array(fc.record({ events, unreadable: events, failures }), { minLength: 1, maxLength: 5 });

function pageOf({
  events,
  unreadable,
  failures,
}: {
  events: number[];
  unreadable: number[];
  failures: number[][];
}): Reading {
  return reading({
    trackedEvents: events.map((event) => trackedEvent({ eventKey: `event-${event}` })),
    unreadable: unreadable.map((item) => ({ key: `event-${item}`, createdAt: NOON })),
    failures: failures.map(([event, cause]) =>
      failureOf(`cause ${cause}`, {
        eventKey: `event-${event}`,
        detailId: `${event}-${cause}`,
        subscriberId: `${event}`,
      }),
    ),
  });
}

describeStore('counting', (store) => {
  test('agrees with sets, for any pages read any number of times in any order', async () => {
    await fc.assert(
      fc.asyncProperty(pages, fc.array(fc.nat(), { maxLength: 6 }), async (read, again) => {
        await emptyStore(store());
        const environment = 'production';
        const watch = await store().watches.ensureWatch('C1', NOON);
        const order = [...read, ...again.flatMap((index) => read[index % read.length] ?? [])].map(pageOf);
        const cursor = await store().polling.takeCursor(environment, at(-60));
        for (const page of order) await store().polling.record(cursor, page, NOON);

        const distinct = (keys: string[]): number => new Set(keys).size;
        const seen = order.flatMap((page) => page.trackedEvents.map(({ eventKey }) => eventKey));
        const failed = order.flatMap((page) => page.failures);
        const found = await store().polling.failuresIn(environment, ALL_TIME, ALL_TIME, ALL_FAILURES);
        expect(watch.channel).toBe('C1');
        expect(found.eventsChecked).toBe(distinct(seen));
        expect(found.unreadable).toBe(distinct(order.flatMap((page) => page.unreadable.map(({ key }) => key))));
        expect(found.failedEvents).toBe(distinct(failed.map(({ eventKey }) => eventKey)));
        expect(found.counts.failed ?? 0).toBe(distinct(failed.map(({ detailId }) => detailId)));

        const [digestId] = await store().alerting.announce(
          environment,
          ({ candidates }) => ({
            message: {
              rows: candidates.map(({ episodeId }) => ({
                episodeId,
                reason: 'new',
                failures: 1,
                relapses: 0,
                critical: false,
                missed: null,
              })),
              mention: null,
              heldBack: null,
            },
            held: [],
          }),
          NOON,
        );
        expect(digestId === undefined).toBe(failed.length === 0);
        if (digestId === undefined) return;
        const told = await digestNow(store(), digestId);
        expect(told).toMatchObject({ eventsChecked: found.eventsChecked });
        expect(told.rows.map(({ tally }) => tally)).toEqual(found.groups);
      }),
      { numRuns: 8 },
    );
  });
});
