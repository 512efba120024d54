import { expect, onTestFinished, test } from 'vitest';
import type { LocalService } from './notification-service/server.ts';
import { startServices } from './start-sandbox.ts';

test('the sandbox begins with failures in production alone, so that its first digest is the last message', async () => {
  const services = await startServices(4700, {
    add: (service) => {
      onTestFinished(async () => void (await service.close()));
      return service;
    },
  });
  expect(failedLately(services.production)).toBeGreaterThan(0);
  expect(failedLately(services.staging)).toBe(0);
});

/** Counts the events with a failed step that were created in the hour of the first digest. */
function failedLately({ world }: LocalService): number {
  const hour = { from: world.now() - 3_600_000, to: world.now() };
  return world.events
    .page(hour, 0, world.events.size)
    .filter(({ event }) => event.jobs.some(({ status }) => status === 'failed')).length;
}
