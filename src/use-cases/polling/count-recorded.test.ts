import { expect, test } from 'vitest';
import { NOON } from '../../domain/service/event.testing.ts';
import { countRecorded } from './count-recorded.ts';
import type { Cursor, Reading, ReadingStore } from './record-events.ts';

type Recording = Pick<ReadingStore, 'record'>;

const CURSOR: Cursor = {
  environment: 'production',
  version: 1,
  coveredFrom: NOON,
  checkedTo: NOON,
  newestEventAt: null,
  lastSuccessAt: null,
  lastPollAt: null,
  clockAheadMs: null,
  problem: null,
};
const READING: Reading = { trackedEvents: [], failures: [], successes: [], unreadable: [] };

test('counts recorded events by environment, and nothing if recording fails', async () => {
  const counted: object[] = [];
  const store: Recording = { record: async () => ({ newEvents: 5, newFailures: 2, newUnreadable: 1 }) };
  const count = (environment: string, numbers: object) => void counted.push({ environment, ...numbers });
  const unreadable = ['known', 'new'].map((key) => ({ key, createdAt: null }));
  const recorded = await countRecorded(store, count).record(CURSOR, { ...READING, unreadable }, NOON);
  expect(recorded).toEqual({ newEvents: 5, newFailures: 2, newUnreadable: 1 });
  const broken: Recording = { record: () => Promise.reject(new Error('away')) };
  await expect(countRecorded(broken, count).record(CURSOR, READING, NOON)).rejects.toThrow('away');
  expect(counted).toEqual([{ environment: 'production', newEvents: 5, newFailures: 2, newUnreadable: 1 }]);
});
