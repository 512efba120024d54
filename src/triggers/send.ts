import type { ChangeOutcome } from '../audit/audit.ts';
import { InputError } from '../lib/errors.ts';
import { DAY_MS, MINUTE_MS } from '../lib/time/durations.ts';
import { PERSON } from '../service/query.ts';
import {
  FOLLOW_MS,
  followTrigger,
  progressAnswered,
  type Recipient,
  type TriggerCtx,
  type TriggerProgress,
} from './follow.ts';
import {
  claimIntent,
  noteIntent,
  outcomeInTrail,
  type ProgressMessage,
  settle,
  unfinishedTriggers,
  writeOutcome,
} from './intents.ts';
import type { TriggerPlan } from './plan.ts';

export interface TriggerCommand extends TriggerPlan {
  readonly intent: string;
  readonly actor: string;
  readonly channel: string | null;
}

/** Null if the intent was sent before. Throws only if nothing was sent for sure. */
export async function sendTrigger(ctx: TriggerCtx, command: TriggerCommand): Promise<TriggerProgress | null> {
  const { logger, newId } = ctx;
  const { intent: intentId, actor, channel, environment, workflow, events, options } = command;
  const items = events.map((event) => {
    return { ...event, workflow, options, transactionId: command.transactionId ?? newId() };
  });
  const recipients = items.map(({ subscriberId, transactionId }) => ({ subscriberId, transactionId }));
  const intent = { id: intentId, environment, actor, workflow, recipients };
  const change = { action: 'trigger', workflow, recipients: events.length } as const;
  const claimedAt = ctx.now();
  const begun = { at: claimedAt, actor, channel, environment, change, outcome: { is: 'begun' }, intentId } as const;
  if (!(await claimIntent(ctx, intent, begun))) return null;
  const outcome = await writeOutcome(async () => {
    await refuseKnown(ctx, command);
    return ctx.serviceOf(environment).triggerEvents(items, { idempotencyKey: intentId }, PERSON);
  });
  const fields = { intent: intentId, environment, events: events.length };
  if (outcome.is === 'refused') {
    await settle(ctx, intentId, outcomeInTrail(outcome), () => noteIntent(ctx, intentId, { closedAt: ctx.now() }));
    throw outcome.error;
  }
  if (outcome.is === 'done') logger.info(fields, 'trigger sent');
  else logger.warn({ ...fields, err: outcome.error }, 'a trigger may or may not have gone through');
  const results = outcome.is === 'done' ? outcome.result : null;
  const progress = progressAnswered({ intent, claimedAt, results });
  await settle(ctx, intentId, trailOutcome(progress), () => noteIntent(ctx, intentId, { results }));
  return progress;
}

/** The service sends nothing for an ID that it knows, and reports `processed` (field notes, "Trigger"). */
async function refuseKnown({ serviceOf }: TriggerCtx, { transactionId, environment }: TriggerCommand): Promise<void> {
  if (transactionId === null) return;
  const { items, unreadable } = await serviceOf(environment).listEvents({ transactionId, limit: 1 }, PERSON);
  if (items.length + unreadable.length === 0) return;
  throw new InputError('transaction', `The service already has transaction ${transactionId}. Use another ID.`);
}

function trailOutcome({ recipients, isAnswerLost }: TriggerProgress): ChangeOutcome {
  const isOpen = ({ state }: Recipient) => state.is === 'unclear' || (state.is === 'awaited' && isAnswerLost);
  if (recipients.some(isOpen)) return { is: 'unknown' };
  const refused = recipients.filter(({ state }) => state.is === 'refused').length;
  return { is: 'sent', accepted: recipients.length - refused, refused };
}

/** The intent stays open until its outcome is shown and written down. */
export async function report(ctx: TriggerCtx, sent: TriggerProgress, message: ProgressMessage | null): Promise<void> {
  const { id } = sent.intent;
  if (message !== null) await settle(ctx, id, trailOutcome(sent), () => noteIntent(ctx, id, { progress: message }));
  for await (const progress of followTrigger(ctx, sent)) {
    const shown = message === null ? 'done' : await ctx.reporter.update(message, progress);
    if (progress.phase === 'following') continue;
    await settle(ctx, id, trailOutcome(progress), async () => {
      if (shown === 'done') await noteIntent(ctx, id, { closedAt: ctx.now() });
    });
  }
}

const ABANDONED_AFTER_MS = FOLLOW_MS + MINUTE_MS;

/** `aloneSince`: when this process started, if no other uses the store: what was claimed before is abandoned. */
export async function resumeAbandoned(ctx: TriggerCtx, aloneSince: Date | null): Promise<void> {
  const now = ctx.now().getTime();
  const before = Math.max(now - ABANDONED_AFTER_MS, aloneSince?.getTime() ?? 0);
  const open = await unfinishedTriggers(ctx, new Date(now - DAY_MS));
  const abandoned = open.filter(({ claimedAt }) => claimedAt.getTime() <= before);
  await Promise.all(
    abandoned.map(async (trigger) => {
      const fields = { intent: trigger.intent.id, environment: trigger.intent.environment };
      ctx.logger.info(fields, 'trigger taken up again');
      try {
        const progress = progressAnswered(trigger);
        await report(ctx, progress, trigger.message ?? (await ctx.reporter.open(progress)));
      } catch (err) {
        ctx.logger.error({ ...fields, err }, 'trigger could not be taken up again');
      }
    }),
  );
}
