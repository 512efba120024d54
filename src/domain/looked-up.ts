import type { Environment } from './environment.ts';
import type { ServiceError } from './errors.ts';
import type { TriggeredEvent } from './event.ts';
import type { LookupTarget } from './ids.ts';
import type { Judgement } from './judge.ts';
import type { Message } from './message.ts';
import type { TransactionTally } from './transaction.ts';

/** What a look-up found in one environment. */
export type LookedUp = FoundEvent | FoundTransaction | FoundNothing;

export interface FoundEvent {
  readonly found: 'event';
  readonly environment: Environment;
  readonly event: TriggeredEvent;
  readonly judgement: Judgement;
  /** The event's messages, or what kept them from being read: the event is shown all the same. */
  readonly messages:
    | { readonly read: true; readonly items: readonly Message[] }
    | { readonly read: false; readonly error: ServiceError };
}

export interface FoundTransaction {
  readonly found: 'transaction';
  readonly environment: Environment;
  readonly tally: TransactionTally;
}

export interface FoundNothing {
  readonly found: 'nothing';
  readonly environment: Environment;
  readonly target: LookupTarget;
}

/** Names an event for a button: its id or, without one, its transaction. */
export function targetOf(event: Pick<TriggeredEvent, 'id' | 'transactionId'>): LookupTarget {
  return event.id === null ? { kind: 'transaction', id: event.transactionId } : { kind: 'event', id: event.id };
}
