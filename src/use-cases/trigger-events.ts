import { ServiceError } from '../domain/errors.ts';
import type { Logger } from '../domain/logger.ts';
import type { Payload } from '../domain/payload.ts';
import type { Call, TriggerItem, TriggerResult } from '../domain/query.ts';
import type { Recipient, RecipientState } from '../domain/trigger.ts';

/** What an operator wants sent. `intent` is one for each modal that was opened: however often it is submitted, it is sent once. */
export interface TriggerCommand {
  readonly intent: string;
  readonly environment: string;
  /** The Slack user who asked. */
  readonly actor: string;
  readonly workflow: string;
  /** 1 to 100. */
  readonly subscriberIds: readonly string[];
  readonly payload: Payload;
  /** Only with one subscriber; otherwise each gets one made here. */
  readonly transactionId: string | null;
}

/** What is kept of a trigger: no payload. */
export interface TriggerIntent {
  readonly id: string;
  readonly environment: string;
  readonly actor: string;
  readonly workflow: string;
  readonly recipients: readonly { readonly subscriberId: string; readonly transactionId: string }[];
}

/** The message in which a trigger's progress is told. */
export interface ProgressMessage {
  readonly channel: string;
  readonly ts: string;
}

export interface TriggerStore {
  /** Writes an intent down before anything is sent. False, and nothing written, when it is there already. */
  claimIntent(intent: TriggerIntent, now: Date): Promise<boolean>;
  /** Where the progress of an intent is told, so that it goes on there after a restart. */
  noteProgressMessage(intentId: string, message: ProgressMessage): Promise<void>;
  /** The intent has been answered for good: it is not taken up again after a restart. */
  closeIntent(intentId: string, now: Date): Promise<void>;
}

export interface EventTrigger {
  triggerEvents(
    items: readonly TriggerItem[],
    options: { readonly idempotencyKey: string },
    call: Call,
  ): Promise<readonly TriggerResult[]>;
}

export interface TriggerParts {
  readonly service: EventTrigger;
  readonly store: TriggerStore;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly newTransactionId: () => string;
}

export type Triggered =
  | { readonly sent: 'now'; readonly recipients: readonly Recipient[]; readonly isAnswerLost: boolean }
  /** This very modal was submitted before: nothing is sent twice. */
  | { readonly sent: 'before' };

/**
 * Sends one API event for each subscriber in one request. Throws `ServiceError` when nothing was sent for sure; when the answer was
 * lost it does not throw: every recipient is then awaited, to be found by its transaction id.
 */
export async function triggerEvents(command: TriggerCommand, parts: TriggerParts): Promise<Triggered> {
  const intent = intentOf(command, parts.newTransactionId);
  if (!(await parts.store.claimIntent(intent, parts.now()))) return { sent: 'before' };
  const items = intent.recipients.map((recipient) => ({
    ...recipient,
    workflow: command.workflow,
    payload: command.payload,
  }));
  try {
    const results = await parts.service.triggerEvents(items, { idempotencyKey: intent.id }, { who: 'person' });
    parts.logger.info({ intent: intent.id, environment: command.environment, events: items.length }, 'trigger sent');
    return { sent: 'now', recipients: withResults(intent, results), isAnswerLost: false };
  } catch (error) {
    if (!(error instanceof ServiceError && error.outcomeUnknown)) {
      await parts.store.closeIntent(intent.id, parts.now());
      throw error;
    }
    parts.logger.warn(
      { intent: intent.id, environment: command.environment, err: error },
      'answer to a trigger was lost',
    );
    return { sent: 'now', recipients: awaited(intent), isAnswerLost: true };
  }
}

function intentOf(command: TriggerCommand, newTransactionId: () => string): TriggerIntent {
  const { intent: id, environment, actor, workflow, subscriberIds, transactionId } = command;
  const recipients = subscriberIds.map((subscriberId) => ({
    subscriberId,
    transactionId: transactionId ?? newTransactionId(),
  }));
  return { id, environment, actor, workflow, recipients };
}

/** The recipients of an intent, none of them seen yet. */
export function awaited(intent: TriggerIntent): Recipient[] {
  return intent.recipients.map((recipient) => ({ ...recipient, state: { is: 'awaited' } }));
}

/** Results match their items by index (field notes, "Trigger"); a result that is missing leaves its recipient awaited. */
function withResults(intent: TriggerIntent, results: readonly TriggerResult[]): Recipient[] {
  return intent.recipients.map((recipient, index) => ({
    ...recipient,
    transactionId: results[index]?.transactionId ?? recipient.transactionId,
    state: stateOf(results[index]),
  }));
}

function stateOf(result: TriggerResult | undefined): RecipientState {
  if (result === undefined || result.status === 'processed') return { is: 'awaited' };
  return { is: 'refused', status: result.status, errors: result.errors };
}
