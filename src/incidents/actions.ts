import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { type IncidentChange, recordOnIncident } from '../audit/audit.ts';
import type { Ctx } from '../lib/ctx.ts';
import type { Db } from '../store/db.ts';
import { alerts, incidents, messages, watches } from '../store/schema.ts';
import type { IncidentRow } from './incident.ts';
import { noteInThreads, redraw } from './publish.ts';

export interface ActCtx extends Ctx {
  wakeDelivery: () => Promise<void>;
}

export interface ActionTarget {
  incidentId: number;
  messageId: string | null;
  channel?: string | null;
}

export type Deed =
  | { what: 'acknowledged' | 'unacknowledged' | 'resolved' }
  | { what: 'assigned'; to: string }
  | { what: 'noted'; text: string };

/** Takes turns with others who act on it, and with what records its failures. 'forgotten': it isn't kept. */
export async function act(
  { db, logger, now: clock, wakeDelivery }: ActCtx,
  target: ActionTarget,
  deed: Deed,
  by: string,
): Promise<'done' | 'already' | 'forgotten'> {
  const done = await db.transaction(async (tx) => {
    const isIt = eq(incidents.id, target.incidentId);
    const [incident] = await tx.select().from(incidents).where(isIt).for('update');
    if (incident === undefined) return 'forgotten';
    const now = clock();
    const values = changed(incident, deed, by, now);
    if (values === null) return 'already';
    await tx.update(incidents).set(values).where(isIt);
    await publish(tx, target, deed, by, now);
    for (const [recipient, told] of concerned(incident, deed, by)) await tell(tx, incident, recipient, told, now);
    return 'done';
  });
  if (done !== 'done') return done;
  logger.info({ by, ...target }, `incident ${deed.what}`);
  await wakeDelivery();
  return done;
}

/** Null: it is so already, or can't be. */
function changed({ state, acknowledgedBy, assignedTo }: IncidentRow, deed: Deed, by: string, now: Date) {
  switch (deed.what) {
    case 'acknowledged':
      if (state === 'resolved' || acknowledgedBy !== null) return null;
      return { acknowledgedBy: by, acknowledgedAt: now };
    case 'unacknowledged':
      return acknowledgedBy === null ? null : { acknowledgedBy: null, acknowledgedAt: null };
    case 'assigned':
      return assignedTo === deed.to ? null : { assignedTo: deed.to, assignedBy: by, assignedAt: now };
    case 'resolved':
      return state === 'resolved' ? null : { state: 'resolved' as const, stateAt: now, resolvedBy: by };
    case 'noted':
      return { state };
  }
}

async function publish(
  tx: Db,
  { incidentId, messageId, channel = null }: ActionTarget,
  deed: Deed,
  by: string,
  now: Date,
): Promise<void> {
  await redraw(tx, [incidentId], now);
  await noteInThreads(tx, [incidentId], { ...deed, by, at: now }, now);
  const sender = tx
    .select({ channel: watches.channel })
    .from(watches)
    .innerJoin(messages, eq(messages.watchId, watches.id));
  const [message] = messageId === null ? [] : await sender.where(eq(messages.id, messageId));
  const target = { incidentId, channel: message?.channel ?? channel };
  await recordOnIncident(tx, target, { by, now }, auditedAs(deed));
}

function auditedAs(deed: Deed): IncidentChange {
  if (deed.what === 'assigned') return { action: deed.what, to: deed.to };
  return deed.what === 'noted' ? { action: deed.what, text: deed.text } : { action: deed.what };
}

export const Told = z.object({
  told: z.enum(['assigned', 'taken', 'unacknowledged']),
  by: z.string(),
  to: z.string().nullable(),
});
export type Told = z.output<typeof Told>;

function concerned({ acknowledgedBy, assignedTo }: IncidentRow, deed: Deed, by: string): [string, Told][] {
  const to = deed.what === 'assigned' ? deed.to : null;
  const people: [string | null, Told['told']][] = [];
  if (to !== null) people.push([to, 'assigned'], [assignedTo, 'taken']);
  if (deed.what === 'unacknowledged') people.push([acknowledgedBy, 'unacknowledged']);
  return people.flatMap(([person, told]) => (person === null || person === by ? [] : [[person, { told, by, to }]]));
}

async function tell(tx: Db, incident: IncidentRow, recipient: string, content: Told, now: Date): Promise<void> {
  const { id: incidentId, environment, recorded, newestSeq: seq, failures: matched, relapses, critical } = incident;
  const message = { recipient, kind: 'told', environment, content, createdAt: now } as const;
  const [told] = await tx.insert(messages).values(message).returning({ id: messages.id });
  if (told === undefined) throw new Error('a direct message was not written');
  const known = { recorded, seq, matched, relapses, critical };
  await tx.insert(alerts).values({ messageId: told.id, incidentId, reason: 'told', at: now, ...known });
}
