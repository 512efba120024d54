import { at } from '../service/event.testing.ts';
import type { EnvironmentHealth } from './environment-health.ts';

/** An environment that is up to date, unless overridden. */
export function aHealth(change: Partial<EnvironmentHealth> = {}): EnvironmentHealth {
  return {
    environment: 'production',
    checkedTo: at(-10),
    lastSuccessAt: at(-10),
    failingSince: null,
    lagMs: null,
    tooSlowSince: null,
    problem: null,
    behindMs: 0,
    clockAheadMs: null,
    uncheckedMs: 0,
    unreadable: 0,
    unreadableAlone: 0,
    givenUpMs: 0,
    outageId: null,
    waiting: 0,
    nextWaitEndsAt: null,
    ...change,
  };
}
