import { compareDesc } from 'date-fns';
import { z } from 'zod';
import { deliveriesOf, type JudgedEvent } from '../failures/judge.ts';
import { hashOf } from '../lib/text/hash.ts';
import { describeDuration } from '../lib/time/durations.ts';
import { needsEyes, outcomeOf } from '../lookups/event.ts';
import { hidesOutcome, isDelivery, isSettled, type TriggeredEvent } from '../service/event.ts';

export const BrokenEvent = z.object({
  eventKey: z.string(),
  eventId: z.string().nullable(),
  transactionId: z.string(),
  workflow: z.string().nullable(),
  /** Masked if it is a contact. */
  subscriberId: z.string().nullable(),
  createdAt: z.date(),
  failedAt: z.date(),
  isSentAgain: z.boolean(),
});
export type BrokenEvent = z.output<typeof BrokenEvent>;

export const ResendChoices = z.object({
  workflows: z.array(z.string()),
  isNewestOnly: z.boolean(),
  /** Also events that another channel delivered. */
  sendsTwice: z.boolean(),
  maxAgeMs: z.number(),
  limit: z.number(),
});
export type ResendChoices = z.output<typeof ResendChoices>;

export interface Resendable {
  eventKey: string;
  workflow: string;
  subscriberId: string;
}

export interface Reread {
  events: ReadonlyMap<string, JudgedEvent>;
  /** By subscriber and workflow for settled events; by payload, too, for all. */
  newest: ReadonlyMap<string, NewestEvent>;
}

export type NewestEvent = Pick<TriggeredEvent, 'transactionId' | 'createdAt'>;

export function planResend(
  broken: readonly BrokenEvent[],
  { events, newest }: Reread,
  choices: ResendChoices,
  now: Date,
) {
  const sending: Resendable[] = [];
  const leftOut = new Map<string, string>();
  const channelsTwice: string[] = [];
  const isFollowed = ({ transactionId }: TriggeredEvent, series: string | null) =>
    (newest.get(series ?? '')?.transactionId ?? transactionId) !== transactionId;
  for (const broke of broken.toSorted((a, b) => compareDesc(a.failedAt, b.failedAt))) {
    const { eventKey } = broke;
    const target = whyNotAtAll(broke, choices, now) ?? resendableOf(events.get(eventKey));
    if (typeof target === 'string') {
      leftOut.set(eventKey, target);
      continue;
    }
    const { event, judgment, workflow, subscriberId } = target;
    const channels = new Set(deliveriesOf(event, judgment).map(({ channel }) => channel));
    if (isFollowed(event, sameOf(event))) leftOut.set(eventKey, 'triggered again later with the same payload');
    else if (choices.isNewestOnly && isFollowed(event, seriesOf(event)))
      leftOut.set(eventKey, 'followed by a newer one to the same person');
    else if (channels.size > 0 && !choices.sendsTwice) leftOut.set(eventKey, 'delivered by another channel already');
    else if (sending.length >= choices.limit) leftOut.set(eventKey, 'beyond the limit');
    else {
      sending.push({ workflow, subscriberId, eventKey });
      channelsTwice.push(...channels);
    }
  }
  return { sending, leftOut, twice: countsBy(channelsTwice, String) };
}

type ResendPlan = ReturnType<typeof planResend>;

export function countsBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key) {
  const counts = new Map<Key, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return new Map([...counts].toSorted(([, a], [, b]) => b - a));
}

/** `waits` are at delays and digests; null: unknown. */
export function pathsOf({ sending }: ResendPlan, { events }: Reread, now: Date) {
  const sent = sending.flatMap(({ eventKey }) => events.get(eventKey) ?? []);
  const steps = sent.flatMap(({ judgment }) => judgment.steps.filter(({ job }) => isDelivery(job)));
  const waits = sent.flatMap(({ event: { jobs } }) => {
    const waiting = jobs.filter(({ type, status }) => /^(delay|digest)$/.test(type) && status !== 'skipped');
    const times = waiting.map(({ wait }) =>
      wait?.until ? Math.max(0, wait.until.getTime() - now.getTime()) : (wait?.ms ?? null),
    );
    if (times.length === 0) return [];
    return [times.reduce((sum, ms) => (sum === null || ms === null ? null : sum + ms), 0)];
  });
  return {
    waits,
    usesStep: ({ channel, provider }: { channel: string; provider: string | null }) =>
      steps.some(
        ({ job, attempts }) =>
          job.type === channel && attempts.some((attempt) => [null, attempt.provider ?? provider].includes(provider)),
      ),
  };
}

export function whyNotAtAll(event: BrokenEvent, { workflows, maxAgeMs }: ResendChoices, now: Date) {
  if (event.isSentAgain) return 'sent again before';
  if (workflows.length > 0 && !workflows.includes(event.workflow ?? '')) return 'of other workflows';
  const isOld = now.getTime() - event.failedAt.getTime() > maxAgeMs;
  return isOld ? `failed more than ${describeDuration(maxAgeMs)} ago` : null;
}

function resendableOf(judged: JudgedEvent | undefined) {
  if (judged === undefined) return 'no longer found';
  const { subscriber, workflow, hasPayload } = judged.event;
  if (subscriber === null) return 'to a deleted subscriber';
  if (workflow === null) return 'of a deleted workflow';
  if (!hasPayload) return 'without a payload: the service keeps none';
  // A late step may still be sent.
  if (!isSettled(judged.event) || hidesOutcome(judged.event)) return 'not settled: a step is in progress or stuck';
  if (judged.judgment.verdict === 'undeliverable') return 'without an address now';
  if (finalStateOf(judged) !== 'failed') return 'delivered since';
  return { ...judged, workflow: workflow.identifier, subscriberId: subscriber.subscriberId };
}

export function finalStateOf({ event, judgment }: JudgedEvent) {
  const outcome = outcomeOf(event, judgment);
  if (outcome === 'in-progress' || outcome === 'not-shown') return null;
  if (outcome === 'skipped-by-design') return 'skipped';
  return needsEyes(outcome) && outcome !== 'warning' ? 'failed' : 'delivered';
}

const seriesOf = ({ workflow, subscriber }: TriggeredEvent) =>
  JSON.stringify([workflow?.identifier, subscriber?.subscriberId]);

function sameOf(event: TriggeredEvent) {
  const { hasPayload, payload, contextKeys } = event;
  return hasPayload ? hashOf(JSON.stringify([seriesOf(event), payload.forTrigger(), contextKeys]), 64) : null;
}

export function noteNewest(newest: Map<string, NewestEvent>, judged: JudgedEvent) {
  const { transactionId, createdAt } = judged.event;
  const isOver = finalStateOf(judged) !== null;
  for (const series of [isOver ? seriesOf(judged.event) : null, sameOf(judged.event)]) {
    if (series === null || (createdAt?.getTime() ?? 0) < (newest.get(series)?.createdAt?.getTime() ?? 0)) continue;
    newest.set(series, { transactionId, createdAt });
  }
}

/** The service ignores a trigger whose ID it has (docs/service.md): another attempt can't send twice. */
export function resentId(incidentId: number, environment: string, eventKey: string) {
  return `resend-${incidentId}-${hashOf(JSON.stringify([environment, eventKey]), 24)}`;
}
