import { createHash } from 'node:crypto';
import type { Environment } from '../environment.ts';
import type { TriggerOptions } from '../service/query.ts';
import { Payload } from '../text/payload.ts';
import type { Row } from './trigger-rows.ts';

/** Contract, operation 6: at most this many events in one request. */
export const MOST_EVENTS = 100;

/** One event as somebody wants it sent. */
export interface PlannedEvent {
  readonly subscriberId: string;
  readonly payload: Payload;
  /** What the subscriber's profile is updated with; null leaves it alone. */
  readonly profile: Payload | null;
}

export const NO_OPTIONS: TriggerOptions = { overrides: null, actor: null, tenant: null, context: null };

/** What somebody wants sent. */
export interface TriggerPlan {
  readonly environment: string;
  readonly workflow: string;
  /** 1 to 100, in the order of their rows. */
  readonly events: readonly PlannedEvent[];
  readonly options: TriggerOptions;
  /** Of somebody's own, only with one event; otherwise each gets one made for it. */
  readonly transactionId: string | null;
}

/**
 * An event for each row: the payload of all with what the row itself gives over it. A row that stands there twice counts once; one
 * subscriber may have several that differ.
 */
export function planEvents(
  rows: readonly Row[],
  payload: Payload,
  profiles: ReadonlyMap<string, Payload>,
): readonly PlannedEvent[] {
  const once = new Map(rows.map((row) => [JSON.stringify([row.subscriberId, row.content]), row]));
  return [...once.values()].map(({ subscriberId, content }) => ({
    subscriberId,
    payload: content === null ? payload : new Payload({ ...payload.forTrigger(), ...content }),
    profile: profiles.get(subscriberId) ?? null,
  }));
}

/** Whether somebody has to look at a plan before it is carried out: several events, a subscriber that changes, a protected environment. */
export function needsPreview(
  { events }: Pick<TriggerPlan, 'events'>,
  { isProtected }: Pick<Environment, 'isProtected'>,
): boolean {
  return isProtected || events.length > 1 || events.some(({ profile }) => profile !== null);
}

/** Tells a plan from another one, payloads included, without telling anything of it: `salt` is new for each form. */
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
