import type { JudgedEvent } from '../judging/judge.ts';
import { hashOf } from '../lib/text/hash.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { finalStateOf } from './trigger-states.ts';

export type NewestEvent = Pick<TriggeredEvent, 'transactionId' | 'createdAt'>;

/**
 * The newest events by their keys: `seriesKey` of events that are over, `deliveredKey` of those that were delivered, and
 * `contentKey` of all.
 */
export type NewestEvents = ReadonlyMap<string, NewestEvent>;

export function noteNewest(newest: Map<string, NewestEvent>, judged: JudgedEvent): void {
  const { transactionId, createdAt } = judged.event;
  const state = finalStateOf(judged);
  const series = state === null ? null : seriesKey(judged.event);
  const delivered = state === 'delivered' ? deliveredKey(judged.event) : null;
  for (const key of [series, delivered, contentKey(judged.event)]) {
    if (key !== null && timeOf({ createdAt }) >= timeOf(newest.get(key))) newest.set(key, { transactionId, createdAt });
  }
}

/** Whether another event with this one's content, or of its series, is the newest. */
export function isSuperseded(event: TriggeredEvent, newest: NewestEvents, by: 'content' | 'series'): boolean {
  const key = by === 'content' ? contentKey(event) : seriesKey(event);
  const found = key === null ? undefined : newest.get(key);
  return found !== undefined && found.transactionId !== event.transactionId;
}

/** Whether a newer event of the series was delivered. */
export function isReplaced(event: TriggeredEvent, newest: NewestEvents): boolean {
  const delivered = newest.get(deliveredKey(event));
  return timeOf(delivered) > timeOf(event);
}

/** An event without a time counts as the oldest. */
const timeOf = (event: Pick<NewestEvent, 'createdAt'> | undefined): number => event?.createdAt?.getTime() ?? 0;

/** A workflow's events to a person are a series. */
const seriesKey = ({ workflow, subscriber }: TriggeredEvent): string =>
  JSON.stringify([workflow?.identifier, subscriber?.subscriberId]);

const deliveredKey = (event: TriggeredEvent): string => `delivered ${seriesKey(event)}`;

function contentKey(event: TriggeredEvent): string | null {
  const { hasPayload, payload, contextKeys } = event;
  return hasPayload ? hashOf(JSON.stringify([seriesKey(event), payload.canonical(), contextKeys]), 64) : null;
}
