import { z } from 'zod';
import { LINE_REASONS } from './kinds.ts';

const IncidentAction = z.discriminatedUnion('what', [
  z.object({ what: z.enum(['acknowledged', 'unacknowledged', 'resolved', 'reopened']) }),
  z.object({ what: z.literal('assigned'), to: z.string() }),
  z.object({ what: z.literal('noted'), text: z.string() }),
]);
export type IncidentAction = z.output<typeof IncidentAction>;

const MuteEndReason = z.enum(['resolved', 'relapsed', 'critical', 'grown']);
export type MuteEndReason = z.output<typeof MuteEndReason>;

/** `by` is null for Notif itself. */
export const IncidentEvent = z
  .discriminatedUnion('what', [
    IncidentAction,
    z.object({ what: z.literal('muted'), until: z.coerce.date() }),
    z.object({ what: z.literal('unmuted'), why: MuteEndReason.optional() }),
    z.object({ what: z.enum(LINE_REASONS) }),
  ])
  .and(z.object({ by: z.string().nullable(), at: z.coerce.date() }));
export type IncidentEvent = z.output<typeof IncidentEvent>;

/** A direct message to somebody whom an incident concerns. */
export const PersonalNotice = z.discriminatedUnion('what', [
  z.object({ what: z.enum(['assigned', 'taken']), by: z.string(), to: z.string() }),
  z.object({ what: z.literal('unacknowledged'), by: z.string() }),
  z.object({ what: z.enum(['escalated', 'ended', 'back']) }),
]);
export type PersonalNotice = z.output<typeof PersonalNotice>;
