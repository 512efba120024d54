import { at } from '../service/event.testing.ts';
import type { EnvironmentHealth } from './health.ts';

/** An environment of which all was read ten seconds before noon, unless overridden. */
export function aHealth(change: Partial<EnvironmentHealth> = {}): EnvironmentHealth {
  return {
    environment: 'production',
    readTo: at(-10),
    newestEventAt: at(-30),
    lastPollAt: at(-10),
    lastSuccessAt: at(-10),
    announcedAt: at(-10),
    failingSince: null,
    problem: null,
    behindMs: 0,
    lateFailures: [],
    clockAheadMs: null,
    openGaps: 0,
    unreadMs: 0,
    dueRereads: 0,
    quarantined: 0,
    givenUp: 0,
    ...change,
  };
}
