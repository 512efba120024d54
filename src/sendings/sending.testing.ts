import { NOON } from '../service/event.testing.ts';
import { type ResendChoices, USUAL_CHOICES } from './resend-plan.ts';
import type { Sending } from './sending-rows.ts';

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

/** The usual choices, unless overridden. */
export function resendChoices(change: Partial<ResendChoices> = {}): ResendChoices {
  return { ...USUAL_CHOICES, ...change };
}
