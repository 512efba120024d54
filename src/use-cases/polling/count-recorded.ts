import type { ReadingStore } from './record-events.ts';

export interface RecordedNumbers {
  readonly newEvents: number;
  readonly newFailures: number;
  /** Counted each time they are encountered. */
  readonly unreadable: number;
}

/** Wraps a store so that everything recorded is counted by environment, including what was recorded before a poll broke off. */
export function countRecorded<Store extends Pick<ReadingStore, 'record'>>(
  store: Store,
  count: (environment: string, numbers: RecordedNumbers) => void,
): Store {
  return {
    ...store,
    record: async (cursor, reading, now) => {
      const recorded = await store.record(cursor, reading, now);
      const { newEvents, newFailures } = recorded;
      count(cursor.environment, { newEvents, newFailures, unreadable: reading.unreadable.length });
      return recorded;
    },
  };
}
