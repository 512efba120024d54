import { z } from 'zod';
import { IncidentAct, Occurrence } from '../incidents/timeline.ts';
import { CHANNEL_REFUSALS } from '../lib/refusals.ts';
import { fields } from '../service/schema.ts';
import { StoredTime } from '../store/columns.ts';

const Watch = z.object({ watch: z.string() });
/** What of the watch was muted, as a filter, if not all of it. */
const MutedPart = z.string().nullable().default(null);
const Incident = z.object({ number: z.number(), channel: z.string(), provider: z.string().nullable() });
const OfIncident = z.object({ incident: Incident });

const OtherChange = z.discriminatedUnion('action', [
  z.object({ action: z.literal('trigger'), workflow: z.string(), recipients: z.number() }),
  z.object({ action: z.literal('credentials'), ...fields(z.string(), 'subscriberId', 'provider') }),
  Watch.extend({ action: z.enum(['watch-made', 'watch-changed', 'watch-ended']) }),
  Watch.extend({ action: z.literal('watch-unmuted'), part: MutedPart }),
  Watch.extend({ action: z.literal('watch-lost'), why: z.enum(CHANNEL_REFUSALS) }),
  Watch.extend({ action: z.literal('watch-muted'), from: StoredTime.optional(), until: StoredTime, part: MutedPart }),
  z.object({ action: z.literal('erased') }),
  /** Older versions didn't keep the name. */
  z.object({ action: z.literal('deployed'), name: z.string().optional() }),
  z.object({ action: z.enum(['message-read', 'provider-words-read']), event: z.string() }),
  OfIncident.extend({ action: z.literal('answers-exported') }),
  z.object({ action: z.literal('channel-environment'), to: z.string().nullable() }),
]);

/** All that people change, as each noun writes it into the audit trail. */
export const AuditedChange = z.union([OtherChange, IncidentAct.and(OfIncident)]);
export type AuditedChange = z.output<typeof AuditedChange>;

/** All that stands in the audit trail: also what Notif itself saw happen to incidents. */
export const TrailEntry = z.union([AuditedChange, Occurrence.and(OfIncident)]);
export type TrailEntry = z.output<typeof TrailEntry>;

/** Any other action is one of another version of Notif. */
export const KNOWN_ACTIONS: readonly string[] = [OtherChange, IncidentAct, Occurrence].flatMap(({ options }) =>
  options.flatMap(({ shape: { action } }) => (action instanceof z.ZodEnum ? action.options : [...action.values])),
);
