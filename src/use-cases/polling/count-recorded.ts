import type { ReadingStore, Recorded } from './record-events.ts';

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
