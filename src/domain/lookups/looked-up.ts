import type { StepCauses } from '../causes/step-causes.ts';
import type { Environment } from '../environment.ts';
import type { ServiceError } from '../errors.ts';
import type { JudgedEvent, Judgement } from '../failures/judge.ts';
import type { NotificationId } from '../input/ids.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { Message } from '../service/message.ts';
import type { TransactionTally } from './transaction.ts';

export type LookedUp = FoundEvent | FoundTransaction | FoundNothing;

export interface FoundEvent {
  readonly found: 'event';
  readonly environment: Environment;
  readonly event: TriggeredEvent;
  readonly judgement: Judgement;
  readonly causes: StepCauses;
  readonly messages: ReadBeside<Message>;
  /** The events that its digest merged into it; null for an event without a digest. */
  readonly merged: ReadBeside<JudgedEvent> | null;
}

/** What was read besides an event, or why it couldn't be read; the event is shown anyway. */
export type ReadBeside<Item> =
  /** `hasMore`: there are, or may be, more. */
  | { readonly read: true; readonly items: readonly Item[]; readonly hasMore: boolean }
  | { readonly read: false; readonly error: ServiceError };

export interface FoundTransaction {
  readonly found: 'transaction';
  readonly environment: Environment;
  readonly tally: TransactionTally;
  readonly isAll: boolean;
  readonly trouble: ServiceError | null;
}

export interface FoundNothing {
  readonly found: 'nothing';
  readonly environment: Environment;
  readonly target: NotificationId;
}

export function targetOf(event: Pick<TriggeredEvent, 'id' | 'transactionId'>): NotificationId {
  return event.id === null ? { kind: 'transaction', id: event.transactionId } : { kind: 'event', id: event.id };
}
