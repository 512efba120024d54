import { createHash } from 'node:crypto';
import type { Environment } from '../environment.ts';
import type { TriggerOptions } from '../service/query.ts';
import { Payload } from '../text/payload.ts';
import { isObject } from '../text/same-json.ts';
import type { Row } from './recipients.ts';

/** Contract, operation 6: at most this many events in one request. */
export const MOST_EVENTS = 100;

export interface PlannedEvent {
  readonly subscriberId: string;
  readonly payload: Payload;
  /** The update of the subscriber's profile; null leaves it unchanged. */
  readonly profile: Payload | null;
}

export const NO_OPTIONS: TriggerOptions = { overrides: null, actor: null, tenant: null, context: null };

/** What somebody wants to send. */
export interface TriggerPlan {
  readonly environment: string;
  readonly workflow: string;
  /** 1 to 100, in the order of their rows. */
  readonly events: readonly PlannedEvent[];
  readonly options: TriggerOptions;
  /** Given by the person, only with a single event; otherwise each event gets a new one. */
  readonly transactionId: string | null;
}

/**
 * Makes an event for each row: the common payload, overridden by the row's own. Rows that would send the same to the same subscriber count
 * once; one subscriber may have several different ones.
 */
export function planEvents(rows: readonly Row[], payload: Payload, profile: Payload | null): readonly PlannedEvent[] {
  const events = rows.map(({ subscriberId, content }) => ({
    subscriberId,
    payload: content === null ? payload : new Payload({ ...payload.forTrigger(), ...content }),
    profile,
  }));
  return [...new Map(events.map((event) => [contentKey(event), event])).values()];
}

/** Returns the same text for events with the same subscriber and payload, whatever the order of their keys. */
function contentKey({ subscriberId, payload }: PlannedEvent): string {
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

/** Returns a value that distinguishes a plan from others, including payloads, and reveals nothing of it: `salt` is new for each form. */
export function fingerprintOf(plan: TriggerPlan, salt: string): string {
  const { environment, workflow, transactionId, options } = plan;
  const events = plan.events.map(({ subscriberId, payload, profile }) => [
    subscriberId,
    payload.forTrigger(),
    profile?.forTrigger() ?? null,
  ]);
  const all = [
    salt,
    environment,
    workflow,
    transactionId,
    { ...options, overrides: options.overrides?.forTrigger() ?? null },
    events,
  ];
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url').slice(0, 22);
}
