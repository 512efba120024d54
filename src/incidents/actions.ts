import { eq } from 'drizzle-orm';
import { type IncidentChange, recordOnIncident } from '../audit/audit.ts';
import type { IncidentAction, Told } from '../outbox/events.ts';
import { type ActCtx, noteInThreads, redraw } from '../outbox/messages.ts';
import type { Db } from '../store/db.ts';
import { endMutes } from '../watches/running-mutes.ts';
import type { IncidentRow } from './incident.ts';
import { notifyFollowers, notifyPerson } from './people.ts';
import { incidents } from './tables.ts';

export interface ActionTarget {
  incidentId: number;
  messageId: string | null;
  channel?: string | null;
}

/** 'forgotten': the incident isn't kept any more. */
export async function act(
  { db, now: clock, wakeDelivery }: ActCtx,
  { incidentId, channel = null }: Omit<ActionTarget, 'messageId'>,
  action: IncidentAction,
  by: string,
): Promise<'done' | 'already' | 'forgotten'> {
  const done = await db.transaction(async (tx) => {
    const hasId = eq(incidents.id, incidentId);
    const [incident] = await tx.select().from(incidents).where(hasId).for('update');
    if (incident === undefined) return 'forgotten';
    const now = clock();
    const values = changed(incident, action, by, now);
    if (values === null) return 'already';
    await tx.update(incidents).set(values).where(hasId);
    await redraw(tx, [incident.id], now);
    if (action.what === 'resolved') await endMutes(tx, [incident.id], { why: action.what, at: now });
    await noteInThreads(tx, [incident.id], { ...action, by, at: now });
    await recordOnIncident(tx, incident, { by, now, channel }, auditedAs(action));
    if (action.what === 'resolved') await notifyFollowers(tx, [incident.id], 'ended', { by, now });
    for (const [recipient, content] of concerned(incident, action, by))
      await notifyPerson(tx, incident, { recipient, content }, now);
    return 'done';
  });
  if (done === 'done') await wakeDelivery();
  return done;
}

/** Null if it is so already, or can't be. */
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

function concerned({ acknowledgedBy, assignedTo }: IncidentRow, action: IncidentAction, by: string): [string, Told][] {
  const people: [string | null, Told][] = [];
  if (action.what === 'assigned') {
    const { to } = action;
    people.push([to, { told: 'assigned', by, to }], [assignedTo, { told: 'taken', by, to }]);
  }
  if (action.what === 'unacknowledged') people.push([acknowledgedBy, { told: action.what, by }]);
  return people.flatMap(([person, told]) => (person === null || person === by ? [] : [[person, told]]));
}

/** Once an outbreak, however many watches escalate it. */
export async function tellEscalation(tx: Db, incident: IncidentRow, now: Date): Promise<void> {
  const { id, relapses, assignedTo: recipient } = incident;
  if (recipient === null) return;
  await notifyPerson(
    tx,
    incident,
    { recipient, subject: `escalated ${id} ${relapses}`, content: { told: 'escalated' } },
    now,
  );
}
