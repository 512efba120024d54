import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { silent } from '../../src/lib/logger.testing.ts';
import { takeEnvironmentLocks } from '../../src/store/replica-locks.ts';
import { newDatabase } from '../../src/store/store.testing.ts';

test('a replica that freezes gives its environments up after ten seconds, whatever its address asks for', {
  timeout: 20_000,
}, async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const url = `${await newDatabase()}?options=-c%20idle_session_timeout%3D0`;
  const frozen = await takeEnvironmentLocks(url, ['production'], silent);
  // `expect.poll` would advance the timers that are frozen.
  while (frozen.isOurs('production')) await wait(200);
  vi.useRealTimers();
  const other = await takeEnvironmentLocks(url, ['production'], silent);
  expect(other.isOurs('production')).toBe(true);
  await Promise.all([frozen.stop(), other.stop()]);
});
