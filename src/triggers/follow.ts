import { addMilliseconds, min } from 'date-fns';
import { type Judgement, judgeNow } from '../failures/judge.ts';
import type { EventReader } from '../lib/ctx.ts';
import { ServiceError } from '../lib/errors.ts';
import { CLOCK_TOLERANCE_MS, listEnd, listStart } from '../lib/time/service-clock.ts';
import { beginSteps, withSteps } from '../lookups/with-steps.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { queryBatches } from '../service/paging.ts';
import type { Call, EventQuery, Page } from '../service/query.ts';
import { type TriggerResult, UNREADABLE_RESULT } from '../service/trigger.ts';

/** Without its payload. */
export interface TriggerIntent {
  readonly id: string;
  readonly environment: string;
  /** A Slack user ID. */
  readonly actor: string;
  readonly workflow: string;
  /** In the order of the request's events. */
  readonly recipients: readonly { readonly subscriberId: string; readonly transactionId: string }[];
}

export interface KeptTrigger {
  readonly intent: TriggerIntent;
  readonly claimedAt: Date;
  /** Null if the answer was lost, including by the process ending. */
  readonly results: readonly TriggerResult[] | null;
  readonly message: ProgressMessage | null;
}

export interface ProgressMessage {
  readonly channel: string;
  readonly ts: string;
}

/** What the service refuses, by its status (contract, operation 6, "Trigger result"), and how to fix it. */
export const REFUSALS = {
  trigger_not_active: { why: "the workflow isn't active", next: 'Have it switched on in the dashboard.' },
  no_workflow_active_steps_defined: {
    why: 'no step of the workflow is active',
    next: 'Have one switched on in the dashboard.',
  },
  no_workflow_steps_defined: { why: 'the workflow has no steps', next: 'Have one added in the dashboard.' },
  no_tenant_found: { why: "the service doesn't know the tenant", next: 'Check the tenant under Advanced.' },
  invalid_recipients: {
    why: "the service doesn't accept this subscriber ID",
    next: 'IDs usually contain only letters, digits, dots, dashes, underscores and @.',
  },
  error: { why: 'the service reports an error', next: 'See the row for details.' },
} as const;

export type RecipientState =
  | { readonly is: 'refused'; readonly status: keyof typeof REFUSALS; readonly errors: readonly string[] }
  /** Not in the list of events yet, and the service's answer doesn't say if it will be. `status` is null if it couldn't be read. */
  | { readonly is: 'unclear'; readonly status: string | null; readonly errors: readonly string[] }
  /** Not in the list of events yet. */
  | { readonly is: 'awaited' }
  | { readonly is: 'seen'; readonly event: TriggeredEvent; readonly judgement: Judgement };

export interface Recipient {
  /** From 1. */
  readonly row: number;
  readonly subscriberId: string;
  readonly transactionId: string;
  readonly state: RecipientState;
}

/** How far a trigger is that was sent, or may have been. */
export interface TriggerProgress {
  readonly intent: TriggerIntent;
  readonly sentAt: Date;
  /** True if Notif was restarted meanwhile and has only read since. */
  readonly isResumed: boolean;
  readonly recipients: readonly Recipient[];
  /** It isn't known whether the request went through; only events that are seen were sent for sure. */
  readonly isAnswerLost: boolean;
  readonly phase: 'following' | 'finished' | 'out-of-time';
  /** What currently keeps the events from being read. */
  readonly trouble: ServiceError | null;
}

/** Results match by index (field notes, "Trigger"). */
export function progressAnswered(
  { intent, claimedAt: sentAt, results }: Pick<KeptTrigger, 'intent' | 'claimedAt' | 'results'>,
  isResumed = false,
): TriggerProgress {
  const recipients = intent.recipients.map((recipient, index) => {
    const result = results?.[index];
    const transactionId = result?.transactionId ?? recipient.transactionId;
    return { ...recipient, transactionId, row: index + 1, state: stateAnswered(result) };
  });
  return { intent, sentAt, isResumed, recipients, isAnswerLost: results === null, phase: 'following', trouble: null };
}

/** A status that the contract doesn't have proves neither that the event was accepted nor that it was refused. */
function stateAnswered(result: TriggerResult | undefined): RecipientState {
  if (result === undefined) return { is: 'awaited' };
  const { status, errors } = result;
  const word = status.trim().toLowerCase();
  if (word === 'processed') return { is: 'awaited' };
  if (isRefusal(word)) return { is: 'refused', status: word, errors };
  return { is: 'unclear', status: status === UNREADABLE_RESULT.status ? null : status, errors };
}

function isRefusal(word: string): word is keyof typeof REFUSALS {
  return Object.hasOwn(REFUSALS, word);
}

export function isDone({ state }: Recipient): boolean {
  return state.is === 'refused' || (state.is === 'seen' && state.judgement.isSettled);
}

export interface FollowCtx {
  readonly serviceOf: (environment: string) => EventReader & {
    listEvents(query: EventQuery, call: Call): Promise<Page<TriggeredEvent>>;
  };
  readonly now: () => Date;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Aborts when the process stops. Following a trigger ends then, and resumes after the restart. */
  readonly signal: AbortSignal;
}

export const FOLLOW_MS = 2 * 60_000;

/** Pauses between looks: the event appears a moment after the answer, then takes its time. */
const WAITS_MS = [1_000, 1_000, 2_000, 3_000, 5_000];
const LONGEST_WAIT_MS = 10_000;

/** Up to this many are read by transaction ID, each in its own request; more are read together, by subscriber. */
const READ_SINGLY = 5;
const SUBSCRIBERS_A_QUERY = 50;

export const PERSON: Call = { who: 'person' };

/** Reads, and never resends. If the service can't be read, reports that as `trouble` and asks again. */
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

export async function lookAtTrigger(ctx: FollowCtx, progress: TriggerProgress): Promise<TriggerProgress> {
  const { now } = ctx;
  const service = ctx.serviceOf(progress.intent.environment);
  const pending = progress.recipients.filter((recipient) => !isDone(recipient));
  try {
    const reading = pending.length <= READ_SINGLY ? readSingly : readTogether;
    const listed = await reading(pending, progress.sentAt, service, now);
    const sent = listed.filter((event) => pending.some((recipient) => isEventOf(recipient, event)));
    const read = await withSteps(sent, service, PERSON, beginSteps());
    const recipients = progress.recipients.map((recipient): Recipient => {
      const event = read.find((candidate) => isEventOf(recipient, candidate));
      if (event === undefined) return recipient;
      return { ...recipient, state: { is: 'seen', event, judgement: judgeNow(event, { service, now }) } };
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

type Reader = ReturnType<FollowCtx['serviceOf']>;

async function readSingly(pending: readonly Recipient[], _: Date, service: Reader): Promise<TriggeredEvent[]> {
  const pages = await Promise.all(
    pending.map(({ transactionId }) => service.listEvents({ transactionId, limit: 50 }, PERSON)),
  );
  return pages.flatMap((page) => page.items);
}

/** Reads what was created right after the test was sent, however much later it's looked at. */
async function readTogether(pending: readonly Recipient[], sentAt: Date, service: Reader, now: () => Date) {
  const aheadMs = service.clockAheadMs();
  const latest = addMilliseconds(sentAt, FOLLOW_MS + CLOCK_TOLERANCE_MS);
  const window = { after: listStart(sentAt, aheadMs), before: listEnd(min([latest, now()]), aheadMs) };
  const read: TriggeredEvent[] = [];
  const everybody = [...new Set(pending.map(({ subscriberId }) => subscriberId))];
  for (const subscriberIds of queryBatches(everybody, 'subscriberIds', SUBSCRIBERS_A_QUERY)) {
    const wanted = pending.filter(({ subscriberId }) => subscriberIds.includes(subscriberId));
    for await (const page of service.eventPages({ subscriberIds, ...window, limit: 50 }, PERSON)) {
      read.push(...page.items);
      if (wanted.every((recipient) => read.some((event) => isEventOf(recipient, event)))) break;
    }
  }
  return read;
}
