import type { ServiceError } from '../errors.ts';
import type { Judgement } from '../failures/judge.ts';
import type { TriggeredEvent } from '../service/event.ts';

/** The outcome of one recipient of a trigger. */
export type RecipientState =
  /** The service did not accept it; `status` is the service's. */
  | { readonly is: 'refused'; readonly status: string; readonly errors: readonly string[] }
  /** Not in the list of events yet. */
  | { readonly is: 'awaited' }
  | { readonly is: 'seen'; readonly event: TriggeredEvent; readonly judgement: Judgement };

/** The recipient of one event of a trigger. */
export interface Recipient {
  /** The row of the request, counted from 1. */
  readonly row: number;
  readonly subscriberId: string;
  readonly transactionId: string;
  readonly state: RecipientState;
}

/** The progress of a trigger. */
export interface TriggerProgress {
  readonly recipients: readonly Recipient[];
  /** It isn't known whether the request went through; only events that are seen were sent for sure. */
  readonly isAnswerLost: boolean;
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
