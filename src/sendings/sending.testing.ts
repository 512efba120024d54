import { DAY_MS } from '../lib/time/durations.ts';
import { NOON } from '../service/event.testing.ts';
import type { ResendChoices } from './resend-plan.ts';
import type { Sending } from './sending.ts';

/** What is sent again of incident 1, unless overridden. */
export function aSending(change: Partial<Sending> = {}): Sending {
  return {
    id: 'r',
    incidentId: 1,
    environment: 'production',
    actor: 'U0ANN',
    channel: null,
    startedAt: NOON,
    choices: null,
    refusedInARow: 0,
    batchSize: 50,
    lastRefusal: null,
    stoppedAt: null,
    stoppedBy: null,
    endedAt: null,
    ...change,
  };
}

/** The usual choices, by which all of a day is sent again. */
export function resendChoices(change: Partial<ResendChoices> = {}): ResendChoices {
  return {
    workflows: [],
    isNewestOnly: false,
    sendsTwice: false,
    sendsReplaced: false,
    eventKeys: [],
    labels: [],
    maxAgeMs: DAY_MS,
    limit: 1_000,
    ...change,
  };
}
