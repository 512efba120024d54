import type { AuditEntry, ChangeOutcome } from '../../domain/access/audit.ts';
import { InputError, ServiceError } from '../../domain/errors.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Call, TriggerItem, TriggerResult } from '../../domain/service/query.ts';
import {
  type ProgressMessage,
  type Recipient,
  type TriggerAnswer,
  type TriggerIntent,
  triggerAnswer,
} from '../../domain/triggers/trigger.ts';
import type { TriggerPlan } from '../../domain/triggers/trigger-plan.ts';
import { type ChangeRecord, outcomeInTrail, writeOutcome } from '../access/record-change.ts';
import type { TriggerReader } from './follow-trigger.ts';

/** What an operator wants sent. Each opened modal has its own `intent`, which is sent once however often it is submitted. */
export interface TriggerCommand extends TriggerPlan {
  readonly intent: string;
  readonly actor: string;
  readonly channel: string | null;
}

export interface TriggerStore {
  /** Records an intent before anything is sent, in one transaction with its audit entry. Returns false, writing nothing, if it's there. */
  claimIntent(intent: TriggerIntent, entry: AuditEntry): Promise<boolean>;
  noteResults(intentId: string, results: readonly TriggerResult[]): Promise<void>;
  noteProgressMessage(intentId: string, message: ProgressMessage): Promise<void>;
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
  readonly service: EventTrigger & Pick<TriggerReader, 'listEvents'>;
  readonly store: TriggerStore & Pick<ChangeRecord, 'settleChange'>;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly newTransactionId: () => string;
}

const PERSON: Call = { who: 'person' };

/**
 * Sends the events of a plan in one request, recorded in the audit trail before and after. Null if this modal was submitted before: nothing is
 * sent again. Throws `ServiceError` or `InputError` if nothing was sent for sure. If the answer was lost it doesn't throw: every recipient is
 * then awaited, to be found by its transaction ID.
 */
export async function sendTrigger(
  command: TriggerCommand,
  parts: TriggerParts,
): Promise<{ readonly intent: TriggerIntent; readonly answer: TriggerAnswer } | null> {
  const { service, store, logger, now } = parts;
  const items = itemsOf(command, parts.newTransactionId);
  const intent = intentOf(command, items);
  if (!(await store.claimIntent(intent, entryOf(command, now())))) return null;
  const outcome = await writeOutcome(async () => {
    await refuseKnown(command, parts);
    return service.triggerEvents(items, { idempotencyKey: intent.id }, PERSON);
  });
  const fields = { intent: intent.id, environment: intent.environment, events: intent.recipients.length };
  if (outcome.is === 'done') logger.info(fields, 'trigger sent');
  if (outcome.is === 'unknown')
    logger.warn({ ...fields, err: outcome.error }, 'a trigger may or may not have gone through');
  if (outcome.is === 'refused') {
    await writeDown(intent, parts, async () => {
      await store.settleChange(intent.id, outcomeInTrail(outcome));
      await store.closeIntent(intent.id, now());
    });
    throw outcome.error;
  }
  const results = outcome.is === 'done' ? outcome.result : null;
  const answer = triggerAnswer(intent, results);
  await writeDown(intent, parts, async () => {
    if (results !== null) await store.noteResults(intent.id, results);
    await store.settleChange(intent.id, trailOutcome(answer));
  });
  return { intent, answer };
}

/** Writes down what became of a trigger. Never rejects: the person sees it even if it can't be written down. */
export async function writeDown(
  { id, environment }: TriggerIntent,
  { logger }: Pick<TriggerParts, 'logger'>,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write();
  } catch (error) {
    logger.error({ err: error, intent: id, environment }, 'what became of a trigger could not be written down');
  }
}

/**
 * Throws `InputError` if the service has an event of the person's own transaction ID: it would send nothing and report `processed` (field
 * notes, "Trigger"), and the earlier event would look like the outcome. If that can't be read, the test is sent anyway.
 */
async function refuseKnown({ transactionId, environment }: TriggerCommand, { service, logger }: TriggerParts) {
  if (transactionId === null) return;
  try {
    const { items, unreadable } = await service.listEvents({ transactionId, limit: 1 }, PERSON);
    if (items.length + unreadable.length === 0) return;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    logger.warn({ err: error, environment }, 'whether a transaction ID is known could not be read');
    return;
  }
  const what = `The service already has an event of transaction ${transactionId}, and sends nothing for an ID that it knows. Use another one.`;
  throw new InputError('transaction', what);
}

function itemsOf({ workflow, events, options, transactionId }: TriggerCommand, newId: () => string): TriggerItem[] {
  return events.map((event) => ({ ...event, workflow, options, transactionId: transactionId ?? newId() }));
}

function intentOf({ intent: id, environment, actor, workflow }: TriggerCommand, items: readonly TriggerItem[]) {
  const recipients = items.map(({ subscriberId, transactionId }) => ({ subscriberId, transactionId }));
  return { id, environment, actor, workflow, recipients };
}

function entryOf(command: TriggerCommand, at: Date): AuditEntry {
  const { intent: intentId, actor, channel, environment, workflow, events } = command;
  const change = { action: 'trigger', workflow, recipients: events.length } as const;
  return { at, actor, channel, environment, change, outcome: { is: 'begun' }, intentId };
}

/** Returns the outcome of a trigger for the audit trail: unknown as long as it isn't known of every recipient. */
export function trailOutcome({ recipients, isAnswerLost }: TriggerAnswer): ChangeOutcome {
  const isOpen = ({ state }: Recipient) => state.is === 'unclear' || (state.is === 'awaited' && isAnswerLost);
  if (recipients.some(isOpen)) return { is: 'unknown' };
  const refused = recipients.filter(({ state }) => state.is === 'refused').length;
  return { is: 'sent', accepted: recipients.length - refused, refused };
}
