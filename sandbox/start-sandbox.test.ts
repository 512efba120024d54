import { expect, test } from 'vitest';
import { startCalmService } from './start-sandbox.ts';

test('the sandbox begins calm: no step has failed in its services', async () => {
  const { world, close } = await startCalmService(4700, 1);
  const details = world.events.all.flatMap(({ event }) =>
    event.jobs.flatMap(({ executionDetails }) => executionDetails),
  );
  expect(details.length).toBeGreaterThan(1000);
  expect(details.filter(({ status, detail }) => status === 'Failed' && !detail.startsWith('Step was skipped'))).toEqual(
    [],
  );
  await close();
});
