import { addMilliseconds, min } from 'date-fns';
import { type Judgement, judgeNow } from '../failures/judge.ts';
import type { EventReader } from '../lib/ctx.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { CLOCK_TOLERANCE_MS, listEnd, listStart } from '../lib/time/service-clock.ts';
import { beginSteps, withSteps } from '../lookups/steps.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { NotificationService } from '../service/operations.ts';
import { PAGE_SIZE, PERSON } from '../service/query.ts';
import { type TriggerResult, UNREADABLE_RESULT } from '../service/trigger.ts';
import type { IntentCtx, KeptTrigger, ProgressMessage, TriggerIntent } from './intents.ts';

/** Contract, "Trigger result". */
const REFUSALS: ReadonlyMap<string, string> = new Map(
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
  | { readonly is: 'refused'; readonly why: string; readonly errors: readonly string[] }
  /** It isn't said if it will be in the list of events. */
  | { readonly is: 'unclear'; readonly status: string | null; readonly errors: readonly string[] }
  | { readonly is: 'awaited' }
  | { readonly is: 'seen'; readonly event: TriggeredEvent; readonly judgement: Judgement };

export interface Recipient {
  readonly row: number;
  readonly subscriberId: string;
  readonly transactionId: string;
  readonly state: RecipientState;
}

export interface TriggerProgress {
  readonly intent: TriggerIntent;
  readonly sentAt: Date;
  readonly recipients: readonly Recipient[];
  readonly isAnswerLost: boolean;
  readonly phase: 'following' | 'finished' | 'out-of-time';
  readonly trouble: ServiceError | null;
}

/** Results match by index (field notes, "Trigger"). */
export function progressAnswered({ intent, claimedAt, results }: Omit<KeptTrigger, 'message'>): TriggerProgress {
  const recipients = intent.recipients.map((recipient, index) => {
    const result = results?.[index];
    const transactionId = result?.transactionId ?? recipient.transactionId;
    return { ...recipient, transactionId, row: index + 1, state: stateAnswered(result) };
  });
  const isAnswerLost = results === null;
  return { intent, sentAt: claimedAt, recipients, isAnswerLost, phase: 'following', trouble: null };
}

function stateAnswered(result: TriggerResult | undefined): RecipientState {
  if (result === undefined) return { is: 'awaited' };
  const { status, errors } = result;
  if (status === 'processed') return { is: 'awaited' };
  const why = REFUSALS.get(status);
  if (why !== undefined) return { is: 'refused', why, errors };
  return { is: 'unclear', status: status === UNREADABLE_RESULT.status ? null : status, errors };
}

export function isDone({ state }: Recipient): boolean {
  return state.is === 'refused' || (state.is === 'seen' && state.judgement.isSettled);
}

interface FollowCtx {
  readonly serviceOf: (environment: string) => EventReader;
  readonly now: () => Date;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

export interface TriggerCtx extends FollowCtx, IntentCtx {
  readonly serviceOf: (environment: string) => EventReader & Pick<NotificationService, 'listEvents' | 'triggerEvents'>;
  readonly reporter: {
    /** Null if Slack refuses it for good. Rejects if Slack may take it later. */
    open(progress: TriggerProgress): Promise<ProgressMessage | null>;
    /** Never rejects. */
    update(message: ProgressMessage, progress: TriggerProgress): Promise<'done' | 'later'>;
  };
  readonly logger: Logger;
  /** At most 60 characters. */
  readonly newId: () => string;
}

export const FOLLOW_MS = 2 * 60_000;

const WAITS_MS = [1_000, 1_000, 2_000, 3_000, 5_000];
const LONGEST_WAIT_MS = 10_000;

/** IDs have up to 255 characters; proxies refuse URLs above 4 kB. */
const SUBSCRIBERS_A_QUERY = 12;

/** Only reads. */
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
  const service = ctx.serviceOf(progress.intent.environment);
  const pending = progress.recipients.filter((recipient) => !isDone(recipient));
  try {
    const listed = await eventsOf(pending, progress.sentAt, service, ctx.now());
    const sent = listed.filter((event) => pending.some((recipient) => isEventOf(recipient, event)));
    const read = await withSteps(sent, service, PERSON, beginSteps());
    const recipients = progress.recipients.map((recipient): Recipient => {
      const event = read.find((candidate) => isEventOf(recipient, candidate));
      if (event === undefined) return recipient;
      return { ...recipient, state: { is: 'seen', event, judgement: judgeNow(event, { service, now: ctx.now }) } };
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

async function eventsOf(pending: readonly Recipient[], sentAt: Date, service: EventReader, now: Date) {
  const aheadMs = service.clockAheadMs();
  const latest = addMilliseconds(sentAt, FOLLOW_MS + CLOCK_TOLERANCE_MS);
  const window = { after: listStart(sentAt, aheadMs), before: listEnd(min([latest, now]), aheadMs) };
  const read: TriggeredEvent[] = [];
  const everybody = [...new Set(pending.map(({ subscriberId }) => subscriberId))];
  while (everybody.length > 0) {
    const subscriberIds = everybody.splice(0, SUBSCRIBERS_A_QUERY);
    const pages = service.eventPages({ subscriberIds, ...window, limit: PAGE_SIZE }, PERSON);
    for await (const { items } of pages) read.push(...items);
  }
  return read;
}
