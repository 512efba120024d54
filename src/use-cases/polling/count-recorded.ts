import type { ReadingStore } from './record-events.ts';

export interface RecordedNumbers {
  readonly newEvents: number;
  readonly newFailures: number;
  /** Counted each time that they are met. */
  readonly unreadable: number;
}

/** The same store, with all that is recorded counted by its environment: also what was recorded before a round broke off. */
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
