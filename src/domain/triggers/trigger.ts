import type { ServiceError } from '../errors.ts';
import type { Judgement } from '../failures/judge.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { type TriggerResult, UNREADABLE_RESULT } from '../service/query.ts';

/** Without its payload. */
export interface TriggerIntent {
  readonly id: string;
  readonly environment: string;
  /** A Slack user ID. */
  readonly actor: string;
  readonly workflow: string;
  /** In the order of the request's events. */
  readonly recipients: readonly { readonly subscriberId: string; readonly transactionId: string }[];
}

export interface KeptTrigger {
  readonly intent: TriggerIntent;
  readonly claimedAt: Date;
  /** Null if the answer was lost, including by the process ending. */
  readonly results: readonly TriggerResult[] | null;
  readonly message: ProgressMessage | null;
}

export interface ProgressMessage {
  readonly channel: string;
  readonly ts: string;
}

export interface TriggerRun {
  readonly intent: TriggerIntent;
  readonly startedAt: Date;
  /** True if Notif was restarted meanwhile and has only read since. */
  readonly isResumed: boolean;
}

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

export interface Recipient {
  /** From 1. */
  readonly row: number;
  readonly subscriberId: string;
  readonly transactionId: string;
  readonly state: RecipientState;
}

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

/** Results match by index (field notes, "Trigger"); null if the answer was lost. */
export function triggerAnswer(intent: TriggerIntent, results: readonly TriggerResult[] | null): TriggerAnswer {
  const recipients = intent.recipients.map((recipient, index) => {
    const result = results?.[index];
    const transactionId = result?.transactionId ?? recipient.transactionId;
    return { ...recipient, transactionId, row: index + 1, state: stateAnswered(result) };
  });
  return { recipients, isAnswerLost: results === null };
}

/** A status that the contract doesn't have proves neither that the event was accepted nor that it was refused. */
function stateAnswered(result: TriggerResult | undefined): RecipientState {
  if (result === undefined) return { is: 'awaited' };
  const { status, errors } = result;
  const word = status.trim().toLowerCase();
  if (word === 'processed') return { is: 'awaited' };
  const refused = REFUSED_STATUSES.find((one) => one === word);
  if (refused !== undefined) return { is: 'refused', status: refused, errors };
  return { is: 'unclear', status: status === UNREADABLE_RESULT.status ? null : status, errors };
}

export function isDone(recipient: Recipient): boolean {
  return recipient.state.is === 'refused' || (recipient.state.is === 'seen' && recipient.state.judgement.isSettled);
}
