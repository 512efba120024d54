import type { ReadingStore, Recorded } from './record-events.ts';

/** Wraps a store so that everything recorded is counted by environment, including what was recorded before a poll broke off. */
export function countRecorded<Store extends Pick<ReadingStore, 'record'>>(
  store: Store,
  count: (environment: string, recorded: Recorded) => void,
): Store {
  return {
    ...store,
    record: async (cursor, reading, now) => {
      const recorded = await store.record(cursor, reading, now);
      count(cursor.environment, recorded);
      return recorded;
    },
  };
}
