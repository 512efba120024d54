import { createHash } from 'node:crypto';
import { deliveriesOf, type JudgedEvent } from '../failures/judge.ts';
import { outcomeOf } from '../lookups/steps.ts';
import type { TriggeredEvent } from '../service/event.ts';

/** `sending`: nobody knows yet if the service has it. */
export type ResentState = (typeof RESENT_STATES)[number];
export const RESENT_STATES = ['waiting', 'sending', 'sent', 'delivered', 'skipped', 'failed', 'refused'] as const;

export interface BrokenEvent {
  eventKey: string;
  eventId: string | null;
  transactionId: string;
  workflow: string | null;
  /** Masked if it is a contact. */
  subscriberId: string | null;
  failedAt: Date;
  isSentAgain: boolean;
}

export interface ResendChoices {
  workflows: readonly string[];
  /** For each subscriber and workflow. */
  isNewestOnly: boolean;
  /** Also what another of its channels delivered, which would deliver it once more. */
  sendsTwice: boolean;
  maxAgeMs: number;
  limit: number;
}

export type LeftOut = (typeof LEFT_OUT)[number];
export const LEFT_OUT = [
  ...(['sent-before', 'other-workflow', 'too-old', 'gone', 'no-subscriber', 'no-workflow', 'no-payload'] as const),
  ...(['unfinished', 'delivered', 'superseded', 'twice', 'over-limit'] as const),
];

export interface Resendable {
  eventKey: string;
  workflow: string;
  subscriberId: string;
  originalId: string;
}

export interface ResendPlan {
  sending: readonly Resendable[];
  leftOut: ReadonlyMap<LeftOut, number>;
  /** Channels that would deliver once more, with how many events each. */
  twice: ReadonlyMap<string, number>;
}

/** What the service says now of an incident's events, and of their subscribers since. */
export interface Reread {
  events: ReadonlyMap<string, JudgedEvent>;
  others: readonly JudgedEvent[];
}

/** The newest are the first to be sent. */
export function planResend(
  broken: readonly BrokenEvent[],
  { events, others }: Reread,
  choices: ResendChoices,
  now: Date,
): ResendPlan {
  const sending: Resendable[] = [];
  const leftOut = new Map<LeftOut, number>();
  const twice = new Map<string, number>();
  const newest = choices.isNewestOnly ? newestSettled([...events.values(), ...others]) : null;
  for (const event of broken.toSorted((a, b) => b.failedAt.getTime() - a.failedAt.getTime())) {
    const found = events.get(event.eventKey);
    const again = whyNotAtAll(event, choices, now) ?? whyNot(found, newest);
    const delivered = found === undefined || again !== null ? [] : deliveriesOf(found.event, found.judgement);
    for (const channel of new Set(delivered.map(({ channel }) => channel)))
      twice.set(channel, (twice.get(channel) ?? 0) + 1);
    const isTwice = delivered.length > 0 && !choices.sendsTwice;
    const why = again ?? (isTwice ? 'twice' : sending.length >= choices.limit ? 'over-limit' : null);
    const target = found === undefined ? null : targetOf(found.event);
    if (why === null && target !== null)
      sending.push({ ...target, eventKey: event.eventKey, originalId: event.transactionId });
    else if (why !== null) leftOut.set(why, (leftOut.get(why) ?? 0) + 1);
  }
  return { sending, leftOut, twice };
}

/** Known without asking the service. */
export function whyNotAtAll(event: BrokenEvent, { workflows, maxAgeMs }: ResendChoices, now: Date): LeftOut | null {
  if (event.isSentAgain) return 'sent-before';
  if (!workflows.includes(event.workflow ?? '')) return 'other-workflow';
  return now.getTime() - event.failedAt.getTime() > maxAgeMs ? 'too-old' : null;
}

function whyNot(found: JudgedEvent | undefined, newest: ReadonlyMap<string, TriggeredEvent> | null): LeftOut | null {
  if (found === undefined) return 'gone';
  const { event } = found;
  if (event.subscriber === null) return 'no-subscriber';
  if (event.workflow === null) return 'no-workflow';
  if (!event.hasPayload) return 'no-payload';
  const state = resentState(found);
  if (state === null) return 'unfinished';
  if (state !== 'failed') return 'delivered';
  const last = newest?.get(seriesOf(event)) ?? event;
  return last.transactionId === event.transactionId ? null : 'superseded';
}

const targetOf = ({ workflow, subscriber }: TriggeredEvent) =>
  workflow === null || subscriber === null
    ? null
    : { workflow: workflow.identifier, subscriberId: subscriber.subscriberId };

const seriesOf = ({ workflow, subscriber }: TriggeredEvent) =>
  JSON.stringify([workflow?.identifier, subscriber?.subscriberId]);

function newestSettled(all: readonly JudgedEvent[]): Map<string, TriggeredEvent> {
  const createdAt = ({ event }: JudgedEvent) => event.createdAt?.getTime() ?? 0;
  const settled = all.filter((judged) => resentState(judged) !== null);
  return new Map(settled.toSorted((a, b) => createdAt(a) - createdAt(b)).map(({ event }) => [seriesOf(event), event]));
}

/** Null while it isn't over. */
export function resentState({ event, judgement }: JudgedEvent): 'delivered' | 'failed' | 'skipped' | null {
  switch (outcomeOf(event, judgement)) {
    case 'delivered':
    case 'retried-then-fine':
    case 'warning':
      return 'delivered';
    case 'skipped-by-design':
      return 'skipped';
    case 'in-progress':
    case 'not-shown':
      return null;
    default:
      return 'failed';
  }
}

/** The service sends nothing for an ID that it has (field notes, "Trigger"): another try can't send twice. */
export function resentId(incidentId: number, environment: string, eventKey: string): string {
  const event = createHash('sha256')
    .update(JSON.stringify([environment, eventKey]))
    .digest('hex')
    .slice(0, 24);
  return `resend-${incidentId}-${event}`;
}

const MOST_REFUSED_IN_A_ROW = 10;
const MOST_REFUSED = 20;
const JUDGED_FIRST = 100;

export function mustStop({ inARow, answered, refused }: { inARow: number; answered: number; refused: number }) {
  return inARow >= MOST_REFUSED_IN_A_ROW || (answered <= JUDGED_FIRST && refused > MOST_REFUSED);
}
