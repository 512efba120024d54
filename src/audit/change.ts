import { z } from 'zod';
import type { ServiceProblem } from '../lib/errors.ts';
import { WATCH_ENDS } from '../outbox/kinds.ts';
import { fields } from '../service/schema.ts';
import { StoredTime } from '../store/columns.ts';

const ofWatch = { watch: z.string() };
const AuditedIncident = z.object({ number: z.number(), channel: z.string(), provider: z.string().nullable() });
export type AuditedIncident = z.output<typeof AuditedIncident>;
const ofIncident = { incident: AuditedIncident };
const until = { until: z.string().refine((text) => StoredTime.safeParse(text).success) };

export const Change = z.discriminatedUnion('action', [
  z.object({ action: z.literal('trigger'), workflow: z.string(), recipients: z.number() }),
  z.object({ action: z.literal('credentials'), ...fields(z.string(), 'subscriberId', 'provider') }),
  z.object({ action: z.enum(['watch-made', 'watch-changed', 'watch-ended', 'watch-unmuted']), ...ofWatch }),
  z.object({ action: z.literal('watch-lost'), why: z.enum(WATCH_ENDS), ...ofWatch }),
  z.object({ action: z.literal('watch-muted'), ...until, ...ofWatch }),
  z.object({ action: z.enum(['acknowledged', 'unacknowledged', 'resolved', 'reopened']), ...ofIncident }),
  z.object({ action: z.enum(['incident-unmuted', 'followed', 'unfollowed']), ...ofIncident }),
  z.object({ action: z.literal('assigned'), to: z.string(), ...ofIncident }),
  z.object({ action: z.literal('noted'), text: z.string(), ...ofIncident }),
  z.object({ action: z.literal('incident-muted'), ...until, ...ofIncident }),
  z.object({ action: z.literal('sent-again'), notifications: z.number(), ...ofIncident }),
  z.object({ action: z.enum(['deployed', 'erased']) }),
  z.object({ action: z.literal('message-read'), event: z.string() }),
  z.object({ action: z.literal('channel-environment'), to: z.string().nullable() }),
]);
export type Change = z.output<typeof Change>;
export const isKnownAction = (action: string): boolean =>
  Change.options.some((option) => option.shape.action.safeParse(action).success);

type Without<Union, Key extends PropertyKey> = Union extends Record<Key, unknown> ? Omit<Union, Key> : never;
export type WatchChange = Without<Change, 'watch'>;
export type IncidentChange = Without<Change, 'incident'>;

type Why = ServiceProblem['kind'] | 'not-found';
const Why = z.custom<Why>((why) => typeof why === 'string');

export const ChangeOutcome = z.discriminatedUnion('is', [
  z.object({ is: z.enum(['begun', 'done', 'unknown']) }),
  z.object({ is: z.literal('sent'), accepted: z.number(), refused: z.number() }),
  /** It is a code, since the service's message may quote what was typed. */
  z.object({ is: z.literal('refused'), why: Why }),
]);
export type ChangeOutcome = z.output<typeof ChangeOutcome>;
