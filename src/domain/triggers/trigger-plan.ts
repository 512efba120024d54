import type { Environment } from '../environment.ts';
import { InputError } from '../errors.ts';
import type { TriggerOptions } from '../service/query.ts';
import { Payload } from '../text/payload.ts';
import { isObject } from '../text/same-json.ts';
import { readAdvanced } from './advanced.ts';
import type { Row } from './recipients.ts';

/** Contract, operation 6: at most this many events in one request. */
const MOST_EVENTS = 100;

export interface FilledTrigger {
  readonly environment: string;
  readonly workflow: string;
  readonly rows: readonly Row[];
  readonly payload: Payload;
  readonly advanced: Payload;
}

export interface PlannedEvent {
  readonly subscriberId: string;
  readonly payload: Payload;
  /** The update of the subscriber's profile; null leaves it unchanged. */
  readonly profile: Payload | null;
}

export interface TriggerPlan {
  readonly environment: string;
  readonly workflow: string;
  /** 1 to 100, in the order of their rows. */
  readonly events: readonly PlannedEvent[];
  readonly options: TriggerOptions;
  /** Given by the person, only with a single event; otherwise each event gets a new one. */
  readonly transactionId: string | null;
}

/** Throws `InputError` for too many events, and for a part of `advanced` that is wrong or only for a single event. */
export function planTrigger({ environment, workflow, rows, payload, advanced }: FilledTrigger): TriggerPlan {
  const events = distinct(rows, payload);
  if (events.length > MOST_EVENTS)
    throw new InputError('subscribers', `${events.length} rows, but at most ${MOST_EVENTS} at once.`);
  const { options, transactionId, profile } = readAdvanced(advanced.forTrigger(), events.length);
  return { environment, workflow, events: events.map((event) => ({ ...event, profile })), options, transactionId };
}

/** A row's own payload overrides the common one. Rows that would send the same to the same subscriber count once. */
function distinct(rows: readonly Row[], payload: Payload): Omit<PlannedEvent, 'profile'>[] {
  const events = rows.map(({ subscriberId, content }) => ({
    subscriberId,
    payload: content === null ? payload : new Payload({ ...payload.forTrigger(), ...content }),
  }));
  return [...new Map(events.map((event) => [contentKey(event), event])).values()];
}

function contentKey({ subscriberId, payload }: Pick<PlannedEvent, 'subscriberId' | 'payload'>): string {
  return JSON.stringify([subscriberId, payload.forTrigger()], (_key, value: unknown) => inOrder(value));
}

function inOrder(value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}

/** Returns whether somebody has to confirm a plan first: several events, a changed subscriber, a protected environment. */
export function needsPreview(
  { events }: Pick<TriggerPlan, 'events'>,
  { isProtected }: Pick<Environment, 'isProtected'>,
): boolean {
  return isProtected || events.length > 1 || events.some(({ profile }) => profile !== null);
}
