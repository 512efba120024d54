import { expect, it } from 'vitest';
import { openTestStore } from '../store/store.testing.ts';
import { createQueue } from './queue.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

it('runs a job at once when it starts, and again when it is woken', async () => {
  const store = await openTestStore();
  const queue = createQueue({ executeSql: store.executeSql, logger: silent });
  let runs = 0;
  const run = async (): Promise<void> => void runs++;
  await queue.start([{ name: 'count', everySeconds: 3600, timeoutSeconds: 5, run }]);
  await expect.poll(() => runs).toBe(1);
  await queue.wake('count');
  await expect.poll(() => runs).toBe(2);
  await queue.stop();
  await store.close();
});
