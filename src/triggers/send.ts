import { addMilliseconds, min } from 'date-fns';
import type { ChangeOutcome } from '../audit/audit.ts';
import type { JudgedEvent } from '../failures/judge.ts';
import type { EventReader } from '../lib/ctx.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { DAY_MS, MINUTE_MS } from '../lib/time/durations.ts';
import { CLOCK_TOLERANCE_MS } from '../lib/time/service-clock.ts';
import { beginSteps } from '../lookups/steps.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { PERSON } from '../service/query.ts';
import * as intents from './intents.ts';
import type { TriggerPlan } from './plan.ts';
import { eventsOfSubscribers, judgedEvents, type TriggerService } from './read-events.ts';

export const REFUSALS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    trigger_not_active: "the workflow isn't active. Have it switched on in the dashboard",
    no_workflow_active_steps_defined: 'no step of the workflow is active. Have one switched on in the dashboard',
    no_workflow_steps_defined: 'the workflow has no steps. Have one added in the dashboard',
    no_tenant_found: "the service doesn't know the tenant. Check it under Advanced",
    invalid_recipients: "the service doesn't accept this subscriber ID",
    error: 'the service reports an error',
  }),
);

export type RecipientState =
  | { is: 'refused'; why: string; errors: readonly string[] }
  | { is: 'awaited' }
  | ({ is: 'seen' } & JudgedEvent);

export interface Recipient {
  row: number;
  subscriberId: string;
  transactionId: string;
  state: RecipientState;
}

export interface TriggerProgress {
  intent: intents.TriggerIntent;
  sentAt: Date;
  recipients: readonly Recipient[];
  isAnswerLost: boolean;
  phase: 'following' | 'finished' | 'out-of-time';
  trouble: ServiceError | null;
}

/** Results match by index (field notes, "Trigger"). What one says that isn't known is no clear answer. */
export function progressAnswered({
  intent,
  claimedAt,
  results,
}: Omit<intents.KeptTrigger, 'message'>): TriggerProgress {
  const recipients = intent.recipients.map((recipient, index): Recipient => {
    const { status = '', errors = [], transactionId = null } = results?.[index] ?? {};
    const why = REFUSALS.get(status);
    const state = why === undefined ? ({ is: 'awaited' } as const) : ({ is: 'refused', why, errors } as const);
    return { ...recipient, transactionId: transactionId ?? recipient.transactionId, row: index + 1, state };
  });
  const isClear = results?.every(({ status }) => status === 'processed' || REFUSALS.has(status)) ?? false;
  return { intent, sentAt: claimedAt, recipients, isAnswerLost: !isClear, phase: 'following', trouble: null };
}

export function isDone({ state }: Recipient): boolean {
  return state.is === 'refused' || (state.is === 'seen' && state.judgement.isSettled);
}

interface FollowCtx {
  serviceOf: (environment: string) => EventReader;
  now: () => Date;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
}

export interface TriggerCtx extends FollowCtx, intents.IntentCtx {
  serviceOf: (environment: string) => TriggerService;
  reporter: {
    /** Null if Slack refuses it for good. Rejects if Slack may take it later. */
    open(progress: TriggerProgress): Promise<intents.ProgressMessage | null>;
    /** Never rejects. */
    update(message: intents.ProgressMessage, progress: TriggerProgress): Promise<'done' | 'later'>;
  };
  logger: Logger;
  newId: () => string;
}

export const FOLLOW_MS = 2 * 60_000;

const WAITS_MS = [1_000, 1_000, 2_000, 3_000, 5_000];
const LONGEST_WAIT_MS = 10_000;

export async function* followTrigger(ctx: FollowCtx, sent: TriggerProgress): AsyncGenerator<TriggerProgress> {
  const until = ctx.now().getTime() + FOLLOW_MS;
  let seen = sent;
  for (let look = 0; ; look += 1) {
    seen = await lookAtTrigger(ctx, seen);
    if (seen.phase === 'following' && ctx.now().getTime() >= until) seen = { ...seen, phase: 'out-of-time' };
    yield seen;
    if (seen.phase !== 'following' || ctx.signal.aborted) return;
    await ctx.sleep(WAITS_MS[look] ?? LONGEST_WAIT_MS, ctx.signal);
  }
}

async function lookAtTrigger(ctx: FollowCtx, progress: TriggerProgress): Promise<TriggerProgress> {
  const { now } = ctx;
  const reading = { service: ctx.serviceOf(progress.intent.environment), now, call: PERSON };
  const pending = progress.recipients.filter((recipient) => !isDone(recipient));
  const subscribers = pending.map(({ subscriberId }) => subscriberId);
  const latest = addMilliseconds(progress.sentAt, FOLLOW_MS + CLOCK_TOLERANCE_MS);
  try {
    const listed = await eventsOfSubscribers(subscribers, { from: progress.sentAt, to: min([latest, now()]) }, reading);
    const sent = listed.filter((event) => pending.some((recipient) => isEventOf(recipient, event)));
    const judged = await judgedEvents(sent, reading, beginSteps());
    const recipients = progress.recipients.map((recipient): Recipient => {
      const seen = judged.find(({ event }) => isEventOf(recipient, event));
      return seen === undefined ? recipient : { ...recipient, state: { is: 'seen', ...seen } };
    });
    return { ...progress, recipients, phase: recipients.every(isDone) ? 'finished' : 'following', trouble: null };
  } catch (error) {
    if (error instanceof ServiceError) return { ...progress, trouble: error };
    throw error;
  }
}

function isEventOf({ transactionId, subscriberId }: Recipient, { subscriber, ...event }: TriggeredEvent): boolean {
  return event.transactionId === transactionId && (subscriber === null || subscriber.subscriberId === subscriberId);
}

export interface TriggerCommand extends TriggerPlan {
  intent: string;
  actor: string;
  channel: string | null;
}

/** Null if the intent was sent before. Throws only if nothing was sent for sure. */
export async function sendTrigger(ctx: TriggerCtx, command: TriggerCommand): Promise<TriggerProgress | null> {
  const { logger, newId } = ctx;
  const { intent: intentId, actor, channel, environment, workflow, events, options } = command;
  const items = events.map((event) => ({ ...event, workflow, options, transactionId: newId() }));
  const recipients = items.map(({ subscriberId, transactionId }) => ({ subscriberId, transactionId }));
  const intent = { id: intentId, environment, actor, workflow, recipients };
  const change = { action: 'trigger', workflow, recipients: events.length } as const;
  const claimedAt = ctx.now();
  const begun = { at: claimedAt, actor, channel, environment, change, outcome: { is: 'begun' }, intentId } as const;
  if (!(await intents.claimIntent(ctx, intent, begun))) return null;
  const outcome = await intents.writeOutcome(() =>
    ctx.serviceOf(environment).triggerEvents(items, { idempotencyKey: intentId }, PERSON),
  );
  const fields = { intent: intentId, environment, events: events.length };
  if (outcome.is === 'refused') {
    await intents.settle(ctx, intentId, intents.outcomeInTrail(outcome), () =>
      intents.noteIntent(ctx, intentId, { closedAt: ctx.now() }),
    );
    throw outcome.error;
  }
  if (outcome.is === 'done') logger.info(fields, 'trigger sent');
  else logger.warn({ ...fields, err: outcome.error }, 'a trigger may or may not have gone through');
  const results = outcome.is === 'done' ? outcome.result : null;
  const progress = progressAnswered({ intent, claimedAt, results });
  await intents.settle(ctx, intentId, trailOutcome(progress), () => intents.noteIntent(ctx, intentId, { results }));
  return progress;
}

function trailOutcome({ recipients, isAnswerLost }: TriggerProgress): ChangeOutcome {
  if (isAnswerLost && recipients.some(({ state }) => state.is === 'awaited')) return { is: 'unknown' };
  const refused = recipients.filter(({ state }) => state.is === 'refused').length;
  return { is: 'sent', accepted: recipients.length - refused, refused };
}

/** The intent stays open until its outcome is shown and written down. */
export async function report(
  ctx: TriggerCtx,
  sent: TriggerProgress,
  message: intents.ProgressMessage | null,
): Promise<void> {
  const { id } = sent.intent;
  if (message !== null)
    await intents.settle(ctx, id, trailOutcome(sent), () => intents.noteIntent(ctx, id, { progress: message }));
  for await (const progress of followTrigger(ctx, sent)) {
    const shown = message === null ? 'done' : await ctx.reporter.update(message, progress);
    if (progress.phase === 'following') continue;
    await intents.settle(ctx, id, trailOutcome(progress), async () => {
      if (shown === 'done') await intents.noteIntent(ctx, id, { closedAt: ctx.now() });
    });
  }
}

const ABANDONED_AFTER_MS = FOLLOW_MS + MINUTE_MS;

/** `aloneSince`: when this process started, if no other uses the store: what was claimed before is abandoned. */
export async function resumeAbandoned(ctx: TriggerCtx, aloneSince: Date | null): Promise<void> {
  const now = ctx.now().getTime();
  const before = Math.max(now - ABANDONED_AFTER_MS, aloneSince?.getTime() ?? 0);
  const open = await intents.unfinishedTriggers(ctx, new Date(now - DAY_MS));
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
