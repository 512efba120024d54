import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { type IncidentChange, recordOnIncident } from '../audit/audit.ts';
import type { Ctx } from '../lib/ctx.ts';
import { alerts, messages } from '../outbox/tables.ts';
import type { Db } from '../store/db.ts';
import { endMutes } from '../watches/running-mutes.ts';
import type { IncidentRow } from './incident.ts';
import { noteInThreads, redraw } from './messages.ts';
import { incidents } from './tables.ts';

export interface ActCtx extends Ctx {
  wakeDelivery: () => Promise<void>;
}

export interface ActionTarget {
  incidentId: number;
  messageId: string | null;
  channel?: string | null;
}

const IncidentAction = z.discriminatedUnion('what', [
  z.object({ what: z.enum(['acknowledged', 'unacknowledged', 'resolved', 'reopened']) }),
  z.object({ what: z.literal('assigned'), to: z.string() }),
  z.object({ what: z.literal('noted'), text: z.string() }),
]);
export type IncidentAction = z.output<typeof IncidentAction>;

const MuteEndReason = z.enum(['resolved', 'relapsed', 'critical', 'grown']);
export type MuteEndReason = z.output<typeof MuteEndReason>;

/** As threads tell it. Nobody: it did so by itself. */
export const IncidentEvent = z
  .discriminatedUnion('what', [
    IncidentAction,
    z.object({ what: z.literal('muted'), until: z.coerce.date() }),
    z.object({ what: z.literal('unmuted'), why: MuteEndReason.optional() }),
    z.object({ what: z.enum(['critical', 'grown', 'escalated', 'flared']) }),
  ])
  .and(z.object({ by: z.string().nullable(), at: z.coerce.date() }));
export type IncidentEvent = z.output<typeof IncidentEvent>;

/** Takes turns with others who act on it, and with what records its failures. 'forgotten': it isn't kept. */
export async function act(
  { db, now: clock, wakeDelivery }: ActCtx,
  { incidentId, channel = null }: Omit<ActionTarget, 'messageId'>,
  action: IncidentAction,
  by: string,
): Promise<'done' | 'already' | 'forgotten'> {
  const done = await db.transaction(async (tx) => {
    const isIt = eq(incidents.id, incidentId);
    const [incident] = await tx.select().from(incidents).where(isIt).for('update');
    if (incident === undefined) return 'forgotten';
    const now = clock();
    const values = changed(incident, action, by, now);
    if (values === null) return 'already';
    await tx.update(incidents).set(values).where(isIt);
    await redraw(tx, [incident.id], now);
    if (action.what === 'resolved') await endMutes(tx, [incident.id], action.what, now);
    await noteInThreads(tx, [incident.id], { ...action, by, at: now });
    await recordOnIncident(tx, incident, channel, { by, now }, auditedAs(action));
    for (const [recipient, content] of concerned(incident, action, by))
      await tell(tx, incident, { recipient, content }, now);
    return 'done';
  });
  if (done === 'done') await wakeDelivery();
  return done;
}

/** Null: it is so already, or can't be. */
function changed(
  { state, acknowledgedBy, assignedTo, resolvedBy }: IncidentRow,
  action: IncidentAction,
  by: string,
  now: Date,
) {
  switch (action.what) {
    case 'acknowledged':
      if (state === 'resolved' || acknowledgedBy !== null) return null;
      return { acknowledgedBy: by, acknowledgedAt: now };
    case 'unacknowledged':
      if (state === 'resolved' || acknowledgedBy === null) return null;
      return { acknowledgedBy: null, acknowledgedAt: null };
    case 'assigned':
      return assignedTo === action.to ? null : { assignedTo: action.to };
    case 'resolved':
      return state === 'resolved' ? null : { state: 'resolved' as const, stateAt: now, resolvedBy: by };
    case 'reopened':
      return resolvedBy === null ? null : { state: 'firing' as const, stateAt: now, resolvedBy: null };
    case 'noted':
      return { state };
  }
}

function auditedAs(action: IncidentAction): IncidentChange {
  if (action.what === 'assigned') return { action: action.what, to: action.to };
  return action.what === 'noted' ? { action: action.what, text: action.text } : { action: action.what };
}

export const Told = z.discriminatedUnion('told', [
  z.object({ told: z.enum(['assigned', 'taken']), by: z.string(), to: z.string() }),
  z.object({ told: z.literal('unacknowledged'), by: z.string() }),
  z.object({ told: z.literal('escalated') }),
]);
export type Told = z.output<typeof Told>;

function concerned({ acknowledgedBy, assignedTo }: IncidentRow, action: IncidentAction, by: string): [string, Told][] {
  const people: [string | null, Told][] = [];
  if (action.what === 'assigned') {
    const { to } = action;
    people.push([to, { told: 'assigned', by, to }], [assignedTo, { told: 'taken', by, to }]);
  }
  if (action.what === 'unacknowledged') people.push([acknowledgedBy, { told: action.what, by }]);
  return people.flatMap(([person, told]) => (person === null || person === by ? [] : [[person, told]]));
}

/** Once an outbreak, whatever watches escalate it. */
export async function tellEscalation(tx: Db, incident: IncidentRow, now: Date): Promise<void> {
  const { id, relapses, assignedTo: recipient } = incident;
  if (recipient === null) return;
  const subject = `escalated ${id} ${relapses}`;
  const isIts = and(eq(messages.recipient, recipient), eq(messages.subject, subject));
  const told = await tx.select({ id: messages.id }).from(messages).where(isIts);
  if (told.length === 0) await tell(tx, incident, { recipient, subject, content: { told: 'escalated' } }, now);
}

type NewsForPerson = { recipient: string; content: Told; subject?: string };

async function tell(tx: Db, incident: IncidentRow, news: NewsForPerson, now: Date): Promise<void> {
  const { id: incidentId, environment, recorded, newestSeq: seq, failures: matched, relapses, critical } = incident;
  const message = { ...news, kind: 'told', environment, createdAt: now } as const;
  const [told] = await tx.insert(messages).values(message).returning({ id: messages.id });
  if (told === undefined) throw new Error('a direct message was not written');
  const known = { recorded, seq, matched, relapses, critical };
  await tx.insert(alerts).values({ messageId: told.id, incidentId, reason: 'told', at: now, ...known });
}
