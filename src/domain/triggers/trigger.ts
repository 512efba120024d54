import type { ServiceError } from '../errors.ts';
import type { Judgement } from '../failures/judge.ts';
import type { TriggeredEvent } from '../service/event.ts';

/** The outcome of one recipient of a trigger. */
export type RecipientState =
  /** The service did not take it; `status` is its word. */
  | { readonly is: 'refused'; readonly status: string; readonly errors: readonly string[] }
  /** Not in the list of events yet. */
  | { readonly is: 'awaited' }
  | { readonly is: 'seen'; readonly event: TriggeredEvent; readonly judgement: Judgement };

/** Whom one event of a trigger is for. */
export interface Recipient {
  /** The row that it was wanted in, counted from 1. */
  readonly row: number;
  readonly subscriberId: string;
  readonly transactionId: string;
  readonly state: RecipientState;
}

/** How a trigger is getting on. */
export interface TriggerProgress {
  readonly recipients: readonly Recipient[];
  /** Whether the request went through isn't known: only what is seen was sent for sure. */
  readonly isAnswerLost: boolean;
  readonly phase: 'following' | 'finished' | 'out-of-time';
  /** What keeps the events from being read just now. */
  readonly trouble: ServiceError | null;
}

/** What a progress message says besides the progress itself. */
export interface TriggerRun {
  /** Under which it is kept. */
  readonly intent: string;
  readonly environment: string;
  readonly actor: string;
  readonly workflow: string;
  readonly startedAt: Date;
  /** True when Notif was restarted meanwhile and has only read since. */
  readonly isResumed: boolean;
}

/** Whether nothing more is expected of a recipient. */
export function isDone(recipient: Recipient): boolean {
  return recipient.state.is === 'refused' || (recipient.state.is === 'seen' && recipient.state.judgement.isSettled);
}
