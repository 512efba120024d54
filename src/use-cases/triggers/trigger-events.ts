import type { AuditEntry, ChangeOutcome } from '../../domain/access/audit.ts';
import { InputError, ServiceError } from '../../domain/errors.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Call, TriggerItem, TriggerResult } from '../../domain/service/query.ts';
import { type Recipient, stateAnswered, type TriggerAnswer } from '../../domain/triggers/trigger.ts';
import type { TriggerPlan } from '../../domain/triggers/trigger-plan.ts';
import { writeOutcome } from '../../domain/triggers/write-outcome.ts';
import { type ChangeRecord, outcomeInTrail } from '../access/record-change.ts';
import type { TriggerReader } from './follow-trigger.ts';

/** What an operator wants sent. Each opened modal has its own `intent`, which is sent once however often it is submitted. */
export interface TriggerCommand extends TriggerPlan {
  readonly intent: string;
  /** The Slack user who asked. */
  readonly actor: string;
  /** The channel where they asked; null if it isn't known. */
  readonly channel: string | null;
}

/** The stored part of a trigger, without its payload. */
export interface TriggerIntent {
  readonly id: string;
  readonly environment: string;
  readonly actor: string;
  readonly workflow: string;
  /** In the order of the request's events. */
  readonly recipients: readonly { readonly subscriberId: string; readonly transactionId: string }[];
}

/** The message that shows a trigger's progress. */
export interface ProgressMessage {
  readonly channel: string;
  readonly ts: string;
}

export interface TriggerStore {
  /** Records an intent before anything is sent, in one transaction with its audit entry. Returns false, writing nothing, if it's there. */
  claimIntent(intent: TriggerIntent, entry: AuditEntry): Promise<boolean>;
  /** Stores the service's answer, a result for each recipient. */
  noteResults(intentId: string, results: readonly TriggerResult[]): Promise<void>;
  /** Stores where an intent's progress is shown, so that it continues there after a restart. */
  noteProgressMessage(intentId: string, message: ProgressMessage): Promise<void>;
  /** Closes an intent, so that a restart doesn't resume it. */
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

export type Triggered =
  | ({ readonly sent: 'now' } & TriggerAnswer)
  /** This modal was submitted before; nothing is sent again. */
  | { readonly sent: 'before' };

/**
 * Sends the events of a plan in one request, recorded in the audit trail before and after. Throws `ServiceError` or `InputError` if nothing
 * was sent for sure. If the answer was lost it doesn't throw: every recipient is then awaited, to be found by its transaction ID.
 */
export async function triggerEvents(command: TriggerCommand, parts: TriggerParts): Promise<Triggered> {
  const intent = intentOf(command, parts.newTransactionId);
  if (!(await parts.store.claimIntent(intent, entryOf(command, parts.now())))) return { sent: 'before' };
  const results = await send(command, intent, parts);
  const sent = triggerAnswer(intent, results);
  await noteAnswer(intent, results, trailOutcome(sent), parts);
  return { sent: 'now', ...sent };
}

/** Returns the service's answer; null if it isn't known. If nothing was sent for sure, settles everything and throws. */
async function send(command: TriggerCommand, intent: TriggerIntent, { service, store, logger, now }: TriggerParts) {
  const fields = { intent: intent.id, environment: command.environment, events: intent.recipients.length };
  const outcome = await writeOutcome(async () => {
    await refuseKnown(command, service, logger);
    return service.triggerEvents(itemsOf(command, intent), { idempotencyKey: intent.id }, PERSON);
  });
  if (outcome.is === 'done') {
    logger.info(fields, 'trigger sent');
    return outcome.result;
  }
  if (outcome.is === 'unknown') {
    logger.warn({ ...fields, err: outcome.error }, 'a trigger may or may not have gone through');
    return null;
  }
  try {
    await store.settleChange(intent.id, outcomeInTrail(outcome));
    await store.closeIntent(intent.id, now());
  } catch (error) {
    logger.error({ ...fields, err: error }, 'the answer to a trigger could not be written down');
  }
  throw outcome.error;
}

/**
 * Throws `InputError` if the service has an event of the person's own transaction ID: it would send nothing and report `processed` (field
 * notes, "Trigger"), and the earlier event would look like the outcome. If that can't be read, the test is sent anyway.
 */
async function refuseKnown(
  { transactionId, environment }: TriggerCommand,
  service: Pick<TriggerReader, 'listEvents'>,
  logger: Logger,
): Promise<void> {
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

/** The person who asked sees the progress even if the answer can't be recorded. */
async function noteAnswer(
  { id, environment }: TriggerIntent,
  results: readonly TriggerResult[] | null,
  outcome: ChangeOutcome,
  { store, logger }: TriggerParts,
): Promise<void> {
  try {
    if (results !== null) await store.noteResults(id, results);
    await store.settleChange(id, outcome);
  } catch (error) {
    logger.error({ err: error, intent: id, environment }, 'the answer to a trigger could not be written down');
  }
}

const PERSON: Call = { who: 'person' };

function intentOf(command: TriggerCommand, newTransactionId: () => string): TriggerIntent {
  const { intent: id, environment, actor, workflow, events, transactionId } = command;
  const recipients = events.map(({ subscriberId }) => ({
    subscriberId,
    transactionId: transactionId ?? newTransactionId(),
  }));
  return { id, environment, actor, workflow, recipients };
}

function itemsOf({ workflow, events, options }: TriggerCommand, { recipients }: TriggerIntent): TriggerItem[] {
  return events.map((event, index) => ({
    ...event,
    workflow,
    options,
    transactionId: recipients[index]?.transactionId ?? '',
  }));
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

/**
 * Returns the answer to an intent: its recipients with the service's result for each, which match by index (field notes, "Trigger");
 * `results` is null if the answer was lost.
 */
export function triggerAnswer(intent: TriggerIntent, results: readonly TriggerResult[] | null): TriggerAnswer {
  const recipients = intent.recipients.map((recipient, index) => {
    const result = results?.[index];
    const transactionId = result?.transactionId ?? recipient.transactionId;
    return { ...recipient, transactionId, row: index + 1, state: stateAnswered(result) };
  });
  return { recipients, isAnswerLost: results === null };
}
