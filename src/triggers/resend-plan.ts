import { createHash } from 'node:crypto';
import { z } from 'zod';
import { deliveriesOf, type JudgedEvent } from '../failures/judge.ts';
import { describeDuration } from '../lib/time/durations.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { finalStateOf } from './sending-state.ts';

export const BrokenEvent = z.object({
  eventKey: z.string(),
  eventId: z.string().nullable(),
  transactionId: z.string(),
  workflow: z.string().nullable(),
  /** Masked if it is a contact. */
  subscriberId: z.string().nullable(),
  failedAt: z.date(),
  isSentAgain: z.boolean(),
});
export type BrokenEvent = z.output<typeof BrokenEvent>;

export const ResendChoices = z.object({
  /** All if there are none. */
  workflows: z.array(z.string()),
  /** For each subscriber and workflow. */
  isNewestOnly: z.boolean(),
  /** Also what another of its channels delivered, which would deliver it once more. */
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

export interface ResendPlan {
  sending: readonly Resendable[];
  /** How many events for each reason, in words. */
  leftOut: ReadonlyMap<string, number>;
  /** Channels that would deliver once more, with how many events each. */
  twice: ReadonlyMap<string, number>;
}

/** What the service says now of an incident's events, and of their subscribers since. */
export interface Reread {
  events: ReadonlyMap<string, JudgedEvent>;
  /** Of each subscriber and workflow, of what is over. */
  newest: ReadonlyMap<string, NewestEvent>;
}

export type NewestEvent = Pick<TriggeredEvent, 'transactionId' | 'createdAt'>;

export function planResend(
  broken: readonly BrokenEvent[],
  { events, newest }: Reread,
  choices: ResendChoices,
  now: Date,
): ResendPlan {
  const sending: Resendable[] = [];
  const leftOut: string[] = [];
  const twice: string[] = [];
  for (const broke of broken.toSorted((a, b) => b.failedAt.getTime() - a.failedAt.getTime())) {
    const found = whyNotAtAll(broke, choices, now) ?? resendableOf(events.get(broke.eventKey));
    if (typeof found === 'string') {
      leftOut.push(found);
      continue;
    }
    const { target, event, judgement } = found;
    const channels = new Set(deliveriesOf(event, judgement).map(({ channel }) => channel));
    const last = choices.isNewestOnly ? newest.get(seriesOf(event)) : undefined;
    if (last !== undefined && last.transactionId !== event.transactionId)
      leftOut.push('followed by a newer one to the same person');
    else if (channels.size > 0 && !choices.sendsTwice) leftOut.push('delivered by another channel already');
    else if (sending.length >= choices.limit) leftOut.push('beyond the limit');
    else {
      sending.push({ ...target, eventKey: broke.eventKey });
      twice.push(...channels);
    }
  }
  return { sending, leftOut: countsBy(leftOut, String), twice: countsBy(twice, String) };
}

/** The most frequent first. */
export function countsBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return new Map([...counts].toSorted(([, a], [, b]) => b - a));
}

/** Known without asking the service. */
export function whyNotAtAll(event: BrokenEvent, { workflows, maxAgeMs }: ResendChoices, now: Date): string | null {
  if (event.isSentAgain) return 'sent again before';
  if (workflows.length > 0 && !workflows.includes(event.workflow ?? '')) return 'of other workflows';
  return now.getTime() - event.failedAt.getTime() > maxAgeMs
    ? `failed more than ${describeDuration(maxAgeMs)} ago`
    : null;
}

type Target = JudgedEvent & { target: Pick<Resendable, 'workflow' | 'subscriberId'> };

/** Or why it isn't sent again. */
export function resendableOf(found: JudgedEvent | undefined): Target | string {
  if (found === undefined) return 'no longer found';
  const { subscriber, workflow, hasPayload } = found.event;
  if (subscriber === null) return 'to a deleted subscriber';
  if (workflow === null) return 'of a deleted workflow';
  if (!hasPayload) return 'without a payload: the service keeps none';
  const state = finalStateOf(found);
  if (state === null) return 'not final yet';
  if (state !== 'failed') return 'delivered since';
  return { ...found, target: { workflow: workflow.identifier, subscriberId: subscriber.subscriberId } };
}

const seriesOf = ({ workflow, subscriber }: TriggeredEvent) =>
  JSON.stringify([workflow?.identifier, subscriber?.subscriberId]);

export function noteNewest(newest: Map<string, NewestEvent>, judged: JudgedEvent): void {
  const { transactionId, createdAt } = judged.event;
  const series = seriesOf(judged.event);
  const isNewer = (createdAt?.getTime() ?? 0) >= (newest.get(series)?.createdAt?.getTime() ?? 0);
  if (isNewer && finalStateOf(judged) !== null) newest.set(series, { transactionId, createdAt });
}

/** The service sends nothing for an ID that it has (docs/service.md): another try can't send twice. */
export function resentId(incidentId: number, environment: string, eventKey: string): string {
  const event = createHash('sha256')
    .update(JSON.stringify([environment, eventKey]))
    .digest('hex');
  return `resend-${incidentId}-${event.slice(0, 24)}`;
}
