import { compareDesc } from 'date-fns';
import { z } from 'zod';
import type { Attempt } from '../judging/attempts.ts';
import { deliveriesOf, type JudgedEvent } from '../judging/judge.ts';
import { countsBy } from '../lib/group-by.ts';
import { DAY_MS, describeDuration } from '../lib/time/durations.ts';
import { hidesOutcome, isDelivery, isSettled, type Job, type TriggeredEvent } from '../service/event.ts';
import { Count } from '../store/db.ts';
import { isReplaced, isSuperseded, type NewestEvents } from './newest-events.ts';
import { finalStateOf, TRIGGER_STATES, type TriggerState } from './trigger-states.ts';

export const BrokenEvent = z.object({
  eventKey: z.string(),
  eventId: z.string().nullable(),
  transactionId: z.string(),
  workflow: z.string().nullable(),
  /** A contact is masked. */
  subscriberId: z.string().nullable(),
  createdAt: z.date(),
  failedAt: z.date(),
  /** Null: it can be sent again. */
  sentAgain: z.enum(TRIGGER_STATES).nullable(),
  /** The incident of what it was sent again as. */
  failedAgainIn: Count.nullable(),
  /** Its topics, contexts and tags. */
  labels: z.array(z.string()),
});
export type BrokenEvent = z.output<typeof BrokenEvent>;

export const ResendChoices = z.object({
  workflows: z.array(z.string()),
  isNewestOnly: z.boolean(),
  /** Sends events again, too, that another channel delivered. */
  sendsTwice: z.boolean(),
  /** Sends events again, too, that a newer delivered one of the same workflow to the same person replaced. */
  sendsReplaced: z.boolean().default(false),
  /** Events by their keys; none: all. */
  eventKeys: z.array(z.string()).default([]),
  /** Events with any of these labels; none: all. */
  labels: z.array(z.string()).default([]),
  maxAgeMs: z.number(),
  limit: z.number(),
});
export type ResendChoices = z.output<typeof ResendChoices>;

/** Each is read from the service before it is sent: more would take the poller's requests for too long. */
export const MOST_SENT_AGAIN = 1_000;

/** All of a day is sent again. */
export const USUAL_CHOICES: ResendChoices = {
  workflows: [],
  isNewestOnly: false,
  sendsTwice: false,
  sendsReplaced: false,
  eventKeys: [],
  labels: [],
  maxAgeMs: DAY_MS,
  limit: MOST_SENT_AGAIN,
};

export interface Resendable {
  eventKey: string;
  workflow: string;
  subscriberId: string;
}

/** Broken events as the service shows them now, by their keys. */
export interface Reread {
  events: ReadonlyMap<string, JudgedEvent>;
  newest: NewestEvents;
}

export interface ResendPlan {
  toSend: readonly Resendable[];
  /** By event: why it isn't sent again. */
  leftOut: ReadonlyMap<string, string>;
  /** How many of them each channel delivers once more. */
  twice: ReadonlyMap<string, number>;
}

export function planResend(
  broken: readonly BrokenEvent[],
  { events, newest }: Reread,
  choices: ResendChoices,
  now: Date,
): ResendPlan {
  const toSend: Resendable[] = [];
  const leftOut = new Map<string, string>();
  const channelsTwice: string[] = [];
  for (const brokenEvent of broken.toSorted((a, b) => compareDesc(a.failedAt, b.failedAt))) {
    const { eventKey } = brokenEvent;
    const target = whyNotAtAll(brokenEvent, choices, now) ?? resendableOf(events.get(eventKey));
    if (typeof target === 'string') {
      leftOut.set(eventKey, target);
      continue;
    }
    const { event, judgment, workflow, subscriberId } = target;
    const channels = new Set(deliveriesOf(event, judgment).map(({ channel }) => channel));
    const outdated = whyOutdated(event, newest, choices);
    if (outdated !== null) leftOut.set(eventKey, outdated);
    else if (channels.size > 0 && !choices.sendsTwice) leftOut.set(eventKey, 'delivered by another channel already');
    else if (toSend.length >= choices.limit) leftOut.set(eventKey, 'beyond the limit');
    else {
      toSend.push({ workflow, subscriberId, eventKey });
      channelsTwice.push(...channels);
    }
  }
  return { toSend, leftOut, twice: countsBy(channelsTwice, String) };
}

export function whyNotAtAll(event: BrokenEvent, choices: ResendChoices, now: Date): string | null {
  const { workflows, eventKeys, labels, maxAgeMs } = choices;
  if (event.sentAgain !== null) return sentAgainWords(event.sentAgain);
  if (eventKeys.length > 0 && !eventKeys.includes(event.eventKey)) return 'not picked';
  if (labels.length > 0 && !event.labels.some((label) => labels.includes(label)))
    return 'without what the picked ones have in common';
  if (workflows.length > 0 && !workflows.includes(event.workflow ?? '')) return 'of other workflows';
  const isOld = now.getTime() - event.failedAt.getTime() > maxAgeMs;
  return isOld ? `failed more than ${describeDuration(maxAgeMs)} ago` : null;
}

/** Follows "is" while it runs, else "was". */
export function sentAgainWords(state: TriggerState): string {
  if (state === 'waiting' || state === 'sending') return 'being sent again now';
  if (state === 'failed') return 'already sent again, and failed again';
  if (state === 'no-event') return 'already sent again, but the service made no event of it';
  return state === 'delivered' ? 'already sent again, and delivered' : 'already sent again';
}

interface ResendableEvent extends JudgedEvent {
  workflow: string;
  subscriberId: string;
}

/** Returns why the event can't be sent again, or what it's sent again by. */
function resendableOf(judged: JudgedEvent | undefined): string | ResendableEvent {
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

/** Says why a newer event makes this one unnecessary; null: none does. */
function whyOutdated(event: TriggeredEvent, newest: NewestEvents, choices: ResendChoices): string | null {
  if (isSuperseded(event, newest, 'content')) return 'triggered again later with the same payload';
  if (choices.isNewestOnly && isSuperseded(event, newest, 'series'))
    return 'followed by a newer one to the same person';
  if (!choices.sendsReplaced && isReplaced(event, newest)) return 'replaced by a newer one that the same person got';
  return null;
}

/** What sending again takes. */
interface SendPaths {
  /** How many milliseconds each event waits at delays and digests, null for an unknown time; those without one are left out. */
  waits: readonly (number | null)[];
  /** Whether an event is sent by this channel, and may be by this provider; null: any. */
  usesStep(place: { channel: string; provider: string | null }): boolean;
}

const WAITING_TYPES = ['delay', 'digest'];

export function pathsOf({ toSend }: ResendPlan, { events }: Reread, now: Date): SendPaths {
  const sent = toSend.flatMap(({ eventKey }) => events.get(eventKey) ?? []);
  const steps = sent.flatMap(({ judgment }) => judgment.steps.filter(({ job }) => isDelivery(job)));
  const waits = sent.flatMap(({ event: { jobs } }) => {
    const waiting = jobs.filter(({ type, status }) => WAITING_TYPES.includes(type) && status !== 'skipped');
    return waiting.length === 0 ? [] : [waitMsOf(waiting, now)];
  });
  return {
    waits,
    usesStep: ({ channel, provider }) => {
      const mayAsk = (attempt: Attempt) =>
        provider === null || attempt.provider === null || attempt.provider === provider;
      return steps.some(({ job, attempts }) => job.type === channel && attempts.some(mayAsk));
    },
  };
}

/** One unknown time makes the sum unknown. */
function waitMsOf(waiting: readonly Job[], now: Date): number | null {
  let sum = 0;
  for (const { wait } of waiting) {
    const ms = wait?.until ? Math.max(0, wait.until.getTime() - now.getTime()) : (wait?.ms ?? null);
    if (ms === null) return null;
    sum += ms;
  }
  return sum;
}
