import type { ServiceError } from '../errors.ts';
import type { Judgement } from '../failures/judge.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { type TriggerResult, UNREADABLE_RESULT } from '../service/query.ts';

/** The statuses of what the service refused (contract, "Trigger result"). */
const REFUSED_STATUSES = [
  'error',
  'trigger_not_active',
  'no_workflow_active_steps_defined',
  'no_workflow_steps_defined',
  'no_tenant_found',
  'invalid_recipients',
] as const;

export type RefusedStatus = (typeof REFUSED_STATUSES)[number];

export type RecipientState =
  | { readonly is: 'refused'; readonly status: RefusedStatus; readonly errors: readonly string[] }
  /** Not in the list of events yet, and the service's answer doesn't say if it will be. `status` is null if it couldn't be read. */
  | { readonly is: 'unclear'; readonly status: string | null; readonly errors: readonly string[] }
  /** Not in the list of events yet. */
  | { readonly is: 'awaited' }
  | { readonly is: 'seen'; readonly event: TriggeredEvent; readonly judgement: Judgement };

/**
 * Returns the state of a recipient right after the request, by the service's result for it; undefined if its answer was lost. A status
 * that the contract doesn't have proves neither that the event was accepted nor that it was refused.
 */
export function stateAnswered(result: TriggerResult | undefined): RecipientState {
  if (result === undefined) return { is: 'awaited' };
  const { status, errors } = result;
  const word = status.trim().toLowerCase();
  if (word === 'processed') return { is: 'awaited' };
  const refused = REFUSED_STATUSES.find((one) => one === word);
  if (refused !== undefined) return { is: 'refused', status: refused, errors };
  return { is: 'unclear', status: status === UNREADABLE_RESULT.status ? null : status, errors };
}

export interface Recipient {
  /** The row of the request, counted from 1. */
  readonly row: number;
  readonly subscriberId: string;
  readonly transactionId: string;
  readonly state: RecipientState;
}

/** What the service's answer says of a trigger. */
export interface TriggerAnswer {
  readonly recipients: readonly Recipient[];
  /** It isn't known whether the request went through; only events that are seen were sent for sure. */
  readonly isAnswerLost: boolean;
}

export interface TriggerProgress extends TriggerAnswer {
  readonly phase: 'following' | 'finished' | 'out-of-time';
  /** What currently keeps the events from being read. */
  readonly trouble: ServiceError | null;
}

/** What a progress message has besides the progress itself. */
export interface TriggerRun {
  /** The key under which it is stored. */
  readonly intent: string;
  readonly environment: string;
  readonly actor: string;
  readonly workflow: string;
  readonly startedAt: Date;
  /** True if Notif was restarted meanwhile and has only read since. */
  readonly isResumed: boolean;
}

/** Returns whether nothing more is expected for a recipient. */
export function isDone(recipient: Recipient): boolean {
  return recipient.state.is === 'refused' || (recipient.state.is === 'seen' && recipient.state.judgement.isSettled);
}
