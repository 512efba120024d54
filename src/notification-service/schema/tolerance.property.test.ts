import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import { UNREADABLE_RESULT } from '../../domain/service/query.ts';
import { ITEM_TYPES, optionalPlaces, putAt, valuesOf, wordPlaces, wrongFor } from './contract-types.testing.ts';
import { readEvent } from './event.ts';
import { readIntegration } from './integration.ts';
import { readMessage } from './message.ts';
import type { BodyReader } from './reader.ts';
import { readSubscription, readUpdatedSubscriber } from './subscriber.ts';
import { readTriggerResults } from './trigger.ts';

/** The number of runs. For more certainty: `PROPERTY_RUNS=10000`. */
const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 150) };

const readResults = readTriggerResults(1);
const READERS: Readonly<Record<keyof typeof ITEM_TYPES, BodyReader<unknown>>> = {
  event: readEvent,
  message: readMessage,
  integration: readIntegration,
  subscription: readSubscription,
  subscriber: readUpdatedSubscriber,
  result: (item) => {
    const read = readResults([item]);
    return read.ok && read.value[0] === UNREADABLE_RESULT ? { ok: false, reason: 'unreadable' } : read;
  },
};
const kinds = Object.keys(READERS) as (keyof typeof ITEM_TYPES)[];

/** Returns the IDs of an event's Failed details. */
function failuresIn(read: unknown): string[] {
  return (read as TriggeredEvent).jobs.flatMap(({ details }) =>
    details.filter(({ status }) => status === 'Failed').map(({ id }) => id),
  );
}

describe.each(kinds)('a response that the contract allows: %s', (kind) => {
  const type = ITEM_TYPES[kind];
  const read = READERS[kind];

  test('is read without any odd fields', () => {
    fc.assert(
      fc.property(valuesOf(type), (value) => {
        expect(read(value)).toMatchObject({ ok: true, odd: [] });
      }),
      RUNS,
    );
  });

  test.each([1, 3])('is read with a wrong type in any optional field, %i at once, and keeps its failures', (count) => {
    const some = valuesOf(type).chain((value) => {
      const places = optionalPlaces(type, value);
      if (places.length === 0) return fc.constant({ value, odd: value });
      const put = fc
        .constantFrom(...places)
        .chain(([place, field]) => wrongFor(field).map((wrong) => ({ place, wrong })));
      return fc.array(put, { minLength: count, maxLength: count }).map((puts) => ({
        value,
        odd: puts.reduce<unknown>((before, { place, wrong }) => putAt(before, place, wrong), value),
      }));
    });
    fc.assert(
      fc.property(some, ({ value, odd }) => {
        const before = read(value);
        const after = read(odd);
        expect(after).toMatchObject({ ok: true });
        if (kind !== 'event' || !before.ok || !after.ok || !('jobs' in Object(odd))) return;
        if (Array.isArray(Reflect.get(Object(odd), 'jobs'))) {
          expect(failuresIn(after.value)).toEqual(failuresIn(before.value));
        }
      }),
      RUNS,
    );
  });

  test('is read with words that the contract does not list', () => {
    const unlisted = valuesOf(type).map((value) =>
      wordPlaces(type, value).reduce<unknown>((before, [place]) => putAt(before, place, 'brand_new'), value),
    );
    fc.assert(
      fc.property(unlisted, (value) => {
        expect(read(value)).toMatchObject({ ok: true, odd: [] });
      }),
      RUNS,
    );
  });
});
