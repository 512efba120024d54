import { compareDesc } from 'date-fns';
import { type ExplainCause, type ExplainedCause, failureCauses } from '../causes/explain-cause.ts';
import type { Failure } from '../judging/failure.ts';
import { failuresByStep, type JudgedEvent } from '../judging/judge.ts';
import type { Verdict } from '../judging/verdict.ts';
import { isAmong } from '../lib/fold.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import { datedAhead } from '../lib/time/service-clock.ts';
import { CHANNELS } from '../service/channels.ts';
import { PUSH_PROVIDERS } from '../service/credentials.ts';
import { isMerged } from '../service/event.ts';
import type { Subscriber } from '../service/lists.ts';
import { type EventQuery, PERSON } from '../service/query.ts';
import type { ReadCtx } from './event.ts';
import { listEvents } from './event-list.ts';
import { needsEyes, type Outcome, outcomeOf, stepTimes } from './outcome.ts';

/** So many of the chosen events are enough for a message. */
const MOST_CHOSEN = 30;
/** Few of a subscriber's events may have the chosen tags. */
const MOST_PAGES = 10;

const NOT_SENT: ReadonlySet<Verdict> = new Set(['in-progress', 'not-sent', 'skipped-by-design']);

/** How a subscriber can be reached on a channel, and what became of the newest attempt. */
export interface Reach {
  channel: string;
  /** `devices` is null for chats. */
  providers: readonly { id: string; devices: number | null }[];
  newest: ReachOutcome | null;
}

interface ReachOutcome {
  outcome: Outcome;
  failure: Failure | null;
  cause: ExplainedCause | null;
}

export interface FoundSubscriber {
  subscriberId: string;
  /** The subscriber as the newest event that has one shows them. */
  contact: Subscriber | null;
  /** The subscriber as the newest message shows them, and when that was. */
  profile: Subscriber | null;
  profileAt: Date | null;
  reach: readonly Reach[];
  events: readonly JudgedEvent[];
  /** How far the service dates one of them into our future; null: none. */
  aheadMs: number | null;
}

/** Which of a subscriber's events are asked for; null: the newest. */
export type ChosenEvents = Pick<EventQuery, 'workflowIds' | 'topicKey' | 'after'> & { tags: readonly string[] };

export async function lookUpSubscriber(
  ctx: ReadCtx & { explainCause: ExplainCause },
  subscriberId: string,
  chosen: ChosenEvents | null = null,
): Promise<FoundSubscriber | null> {
  const [messages, { events }] = await Promise.all([
    ctx.service.listMessages({ subscriberId, limit: 1 }, PERSON),
    listEvents(ctx, { subscriberIds: [subscriberId] }, { from: 0, end: null }),
  ]);
  const [message] = messages?.items ?? [];
  if (events.length === 0 && message === undefined) return null;
  const listed = chosen === null ? events : await chosenEvents(ctx, subscriberId, chosen);
  const contact = events.find(({ event }) => event.subscriber !== null)?.event.subscriber ?? null;
  // The profile is the newest message's: no operation reads a subscriber.
  const profile = message?.subscriber ?? null;
  const profileAt = profile && (message?.createdAt ?? null);
  const reach = CHANNELS.map((channel) => {
    return { channel, providers: providersOf(channel, profile), newest: newestOn(channel, events, ctx.explainCause) };
  });
  const times = [profileAt, profile?.lastOnlineAt ?? null, ...listed.map(({ event }) => event.createdAt)];
  return {
    subscriberId,
    contact,
    profile,
    profileAt,
    reach,
    events: listed,
    aheadMs: datedAhead(times, ctx.now()),
  };
}

/** The service can't filter by tag. */
async function chosenEvents(
  ctx: ReadCtx,
  subscriberId: string,
  { tags, ...query }: ChosenEvents,
): Promise<readonly JudgedEvent[]> {
  const events: JudgedEvent[] = [];
  let next: number | null = 0;
  let end: Date | null = null;
  for (let page = 0; page < MOST_PAGES && next !== null && events.length < MOST_CHOSEN; page += 1) {
    const list = await listEvents(ctx, { ...query, subscriberIds: [subscriberId] }, { from: next, end });
    events.push(...list.events.filter(({ event }) => isAmong(event.tags, tags)));
    ({ next, end } = list);
  }
  return events;
}

function providersOf(channel: string, profile: Subscriber | null): Reach['providers'] {
  return (profile?.settings ?? []).flatMap(({ providerId: id, credentials }): Reach['providers'] => {
    if (PUSH_PROVIDERS.includes(id)) {
      const tokens = credentials.find(({ field }) => field === 'deviceTokens')?.masked ?? [];
      return channel === 'push' ? [{ id, devices: tokens.length }] : [];
    }
    // A chat without credentials reaches nobody.
    return channel === 'chat' && credentials.length > 0 ? [{ id, devices: null }] : [];
  });
}

/** After a digest or delay step, an older event can have the newest attempt. */
function newestOn(channel: string, events: readonly JudgedEvent[], explain: ExplainCause): ReachOutcome | null {
  const sent = events.flatMap(({ event, judgment }) => {
    const steps = judgment.steps.filter(({ job, verdict }) => {
      return job.type === channel && !isMerged(job) && !NOT_SENT.has(verdict);
    });
    return steps.map((step) => ({ event, judgment, step, at: stepTimes(step.job)?.last ?? event.createdAt }));
  });
  const [newest] = sent.toSorted((a, b) => compareDesc(a.at ?? 0, b.at ?? 0));
  if (newest === undefined) return null;
  const { event, judgment, step } = newest;
  const outcome = outcomeOf(event, step);
  const failure = needsEyes(outcome) ? (failuresByStep(judgment).get(boundedId(step.job.id))?.[0] ?? null) : null;
  return { outcome, failure, cause: failure && (failureCauses(judgment, explain).get(failure) ?? null) };
}
