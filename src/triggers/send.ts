import type { AuditEntry, ChangeOutcome } from '../audit/entry.ts';
import { InputError, ServiceError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { DAY_MS, MINUTE_MS } from '../lib/time/durations.ts';
import type { Call } from '../service/query.ts';
import type { TriggerItem, TriggerResult } from '../service/trigger.ts';
import type { Store } from '../store/store.ts';
import {
  FOLLOW_MS,
  type FollowCtx,
  followTrigger,
  type KeptTrigger,
  lookAtTrigger,
  PERSON,
  type ProgressMessage,
  progressAnswered,
  type Recipient,
  type TriggerIntent,
  type TriggerProgress,
} from './follow.ts';
import type { TriggerPlan } from './plan.ts';
import { outcomeInTrail, writeOutcome } from './write-outcome.ts';

export interface TriggerCtx extends FollowCtx {
  readonly store: { readonly triggers: Store['triggers']; readonly audit: Pick<Store['audit'], 'settleChange'> };
  readonly serviceOf: (environment: string) => ReturnType<FollowCtx['serviceOf']> & {
    triggerEvents(
      items: readonly TriggerItem[],
      options: { readonly idempotencyKey: string },
      call: Call,
    ): Promise<readonly TriggerResult[]>;
  };
  readonly reporter: ProgressReporter;
  readonly logger: Logger;
  /** At most 60 characters. */
  readonly newId: () => string;
}

export interface ProgressReporter {
  /** Posts the message. Null if Slack refuses it for good, as if direct messages are off. Rejects if Slack may take it later. */
  open(progress: TriggerProgress): Promise<ProgressMessage | null>;
  /** Edits the message. Never rejects; returns 'later' if Slack doesn't take the edit now, and 'done' if there is nothing more to show. */
  update(message: ProgressMessage, progress: TriggerProgress): Promise<'done' | 'later'>;
}

/** What an operator wants sent. Each opened modal has its own `intent`, which is sent once however often it is submitted. */
export interface TriggerCommand extends TriggerPlan {
  readonly intent: string;
  readonly actor: string;
  readonly channel: string | null;
}

/**
 * Rejects only if nothing was sent for sure. `before`: the modal was submitted already. If the progress of what was sent, or may have been,
 * can't be shown, returns it with the error: its intent stays open, to be resumed.
 */
export async function runTrigger(
  ctx: TriggerCtx,
  command: TriggerCommand,
  onPosted: (progress: TriggerProgress) => Promise<void>,
): Promise<'reported' | 'before' | { readonly progress: TriggerProgress; readonly error: unknown }> {
  const progress = await sendTrigger(ctx, command);
  if (progress === null) return 'before';
  try {
    const message = await ctx.reporter.open(progress);
    if (message === null) throw new Error('Slack refuses a message about a trigger for good');
    await onPosted(progress);
    await report(ctx, progress, message);
    return 'reported';
  } catch (error) {
    return { progress, error };
  }
}

/**
 * Sends the events of a plan in one request, recorded in the audit trail before and after. Null if this modal was submitted before: nothing is
 * sent again. Throws `ServiceError` or `InputError` if nothing was sent for sure. If the answer was lost it doesn't throw: every recipient is
 * then awaited, to be found by its transaction ID.
 */
export async function sendTrigger(ctx: TriggerCtx, command: TriggerCommand): Promise<TriggerProgress | null> {
  const { store, logger, now } = ctx;
  const { intent: id, actor, channel, environment, workflow, events, options } = command;
  const service = ctx.serviceOf(environment);
  const items = events.map((event) => {
    return { ...event, workflow, options, transactionId: command.transactionId ?? ctx.newId() };
  });
  const recipients = items.map(({ subscriberId, transactionId }) => ({ subscriberId, transactionId }));
  const intent: TriggerIntent = { id, environment, actor, workflow, recipients };
  const change = { action: 'trigger', workflow, recipients: events.length } as const;
  const claimedAt = now();
  const begun = { at: claimedAt, actor, channel, environment, change, outcome: { is: 'begun' }, intentId: id } as const;
  if (!(await store.triggers.claimIntent(intent, begun satisfies AuditEntry))) return null;
  const outcome = await writeOutcome(async () => {
    await refuseKnown(ctx, command);
    return service.triggerEvents(items, { idempotencyKey: id }, PERSON);
  });
  const fields = { intent: id, environment, events: recipients.length };
  if (outcome.is === 'done') logger.info(fields, 'trigger sent');
  if (outcome.is === 'unknown')
    logger.warn({ ...fields, err: outcome.error }, 'a trigger may or may not have gone through');
  if (outcome.is === 'refused') {
    await writeDown(ctx, intent, async () => {
      await store.audit.settleChange(id, outcomeInTrail(outcome));
      await store.triggers.closeIntent(id, now());
    });
    throw outcome.error;
  }
  const results = outcome.is === 'done' ? outcome.result : null;
  const progress = progressAnswered({ intent, claimedAt, results });
  await writeDown(ctx, intent, async () => {
    if (results !== null) await store.triggers.noteResults(id, results);
    await store.audit.settleChange(id, trailOutcome(progress));
  });
  return progress;
}

/**
 * Throws `InputError` if the service has an event of the person's own transaction ID: it would send nothing and report `processed` (field
 * notes, "Trigger"), and the earlier event would look like the outcome. If that can't be read, the test is sent anyway.
 */
async function refuseKnown({ serviceOf, logger }: TriggerCtx, { transactionId, environment }: TriggerCommand) {
  if (transactionId === null) return;
  try {
    const { items, unreadable } = await serviceOf(environment).listEvents({ transactionId, limit: 1 }, PERSON);
    if (items.length + unreadable.length === 0) return;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    logger.warn({ err: error, environment }, 'whether a transaction ID is known could not be read');
    return;
  }
  const what = `The service already has an event of transaction ${transactionId}, and sends nothing for an ID that it knows. Use another one.`;
  throw new InputError('transaction', what);
}

/** Writes down what became of a trigger. Never rejects: the person sees it even if it can't be written down. */
async function writeDown({ logger }: TriggerCtx, { id, environment }: TriggerIntent, write: () => Promise<void>) {
  try {
    await write();
  } catch (error) {
    logger.error({ err: error, intent: id, environment }, 'what became of a trigger could not be written down');
  }
}

/** Returns the outcome of a trigger for the audit trail: unknown as long as it isn't known of every recipient. */
function trailOutcome({ recipients, isAnswerLost }: TriggerProgress): ChangeOutcome {
  const isOpen = ({ state }: Recipient) => state.is === 'unclear' || (state.is === 'awaited' && isAnswerLost);
  if (recipients.some(isOpen)) return { is: 'unknown' };
  const refused = recipients.filter(({ state }) => state.is === 'refused').length;
  return { is: 'sent', accepted: recipients.length - refused, refused };
}

/**
 * Reports the progress to its end, in the message if there is one. What was read then settles what the answer left open; a trail entry that is
 * settled stays as it is. The intent stays open, to be resumed, until its outcome is shown and written down.
 */
async function report(ctx: TriggerCtx, sent: TriggerProgress, message: ProgressMessage | null): Promise<void> {
  const { store, reporter, now } = ctx;
  const { intent } = sent;
  if (message !== null) await writeDown(ctx, intent, () => store.triggers.noteProgressMessage(intent.id, message));
  for await (const progress of followTrigger(ctx, sent)) {
    const shown = message === null ? 'done' : await reporter.update(message, progress);
    if (progress.phase === 'following') continue;
    await writeDown(ctx, intent, async () => {
      await store.audit.settleChange(intent.id, trailOutcome(progress));
      if (shown === 'done') await store.triggers.closeIntent(intent.id, now());
    });
  }
}

/** Reads only. Unless its results are stored, its transaction IDs show whether its request was carried out. */
export async function resumeTrigger(ctx: TriggerCtx, unfinished: KeptTrigger): Promise<void> {
  const progress = progressAnswered(unfinished, true);
  await report(ctx, progress, unfinished.message ?? (await ctx.reporter.open(progress)));
}

/** The process that follows a trigger has reported the outcome by then. An intent that is still open after that was abandoned. */
const ABANDONED_AFTER_MS = FOLLOW_MS + MINUTE_MS;

/**
 * Takes up what nobody follows. After a day nobody waits for a test's outcome. One that throws is logged and stops no other.
 *
 * @param aloneSince when this process started, if no other can use the same store: what was claimed before is abandoned. People can send tests
 * before the first call. Null if others can.
 */
export async function resumeAbandoned(ctx: TriggerCtx, aloneSince: Date | null): Promise<void> {
  const now = ctx.now().getTime();
  const before = Math.max(now - ABANDONED_AFTER_MS, aloneSince?.getTime() ?? 0);
  const open = await ctx.store.triggers.unfinishedIntents(new Date(now - DAY_MS));
  const abandoned = open.filter(({ claimedAt }) => claimedAt.getTime() <= before);
  await Promise.all(
    abandoned.map(async (trigger) => {
      const fields = { intent: trigger.intent.id, environment: trigger.intent.environment };
      ctx.logger.info(fields, 'trigger taken up again');
      try {
        await resumeTrigger(ctx, trigger);
      } catch (err) {
        ctx.logger.error({ ...fields, err }, 'trigger could not be taken up again');
      }
    }),
  );
}

/** Returns a trigger with its current progress, reread because nothing of its events is stored. Null if it isn't kept anymore. */
export async function showTrigger(ctx: TriggerCtx, intentId: string): Promise<TriggerProgress | null> {
  const kept = await ctx.store.triggers.keptTrigger(intentId);
  return kept && lookAtTrigger(ctx, progressAnswered(kept));
}
