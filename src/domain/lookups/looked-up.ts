import type { StepCauses } from '../causes/step-causes.ts';
import type { Environment } from '../environment.ts';
import type { ServiceError } from '../errors.ts';
import type { Judgement } from '../failures/judge.ts';
import type { NotificationId } from '../input/ids.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { Message } from '../service/message.ts';
import type { TransactionPosition, TransactionTally } from './transaction.ts';

/** What a look-up found in one environment. */
export type LookedUp = FoundEvent | FoundTransaction | FoundNothing;

export interface FoundEvent {
  readonly found: 'event';
  readonly environment: Environment;
  readonly event: TriggeredEvent;
  readonly judgement: Judgement;
  /** What its failing steps' errors mean. */
  readonly causes: StepCauses;
  readonly messages: ReadBeside<Message>;
  /** The events that its digest merged into it; null for an event without a digest. */
  readonly merged: ReadBeside<TriggeredEvent> | null;
}

/** What was read beside an event, or what kept it from being read: the event is shown anyway. */
export type ReadBeside<Item> =
  /** `hasMore`: there are, or may be, more than these. */
  | { readonly read: true; readonly items: readonly Item[]; readonly hasMore: boolean }
  | { readonly read: false; readonly error: ServiceError };

export interface FoundTransaction {
  readonly found: 'transaction';
  readonly environment: Environment;
  /** What of it was read in one go, which begins at `start`. */
  readonly tally: TransactionTally;
  readonly start: TransactionPosition;
  /** Where reading goes on; null where all was read. */
  readonly next: TransactionPosition | null;
}

export interface FoundNothing {
  readonly found: 'nothing';
  readonly environment: Environment;
  readonly target: NotificationId;
}

/** Names an event for a button: its id or, without one, its transaction. */
export function targetOf(event: Pick<TriggeredEvent, 'id' | 'transactionId'>): NotificationId {
  return event.id === null ? { kind: 'transaction', id: event.transactionId } : { kind: 'event', id: event.id };
}
