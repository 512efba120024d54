import { eq, inArray } from 'drizzle-orm';
import { z } from 'zod';
import { type IncidentChange, recordOnIncident } from '../audit/audit.ts';
import type { IncidentRef } from '../lib/input/typed-values.ts';
import { type StorableJson, storableTyped, stored } from '../lib/text/shown-id.ts';
import type { IncidentAction, PersonalNotice } from '../outbox/kinds.ts';
import { type ActCtx, enqueue, enqueueFor, idsIn, noteInThreads, putAlerts, redraw } from '../outbox/messages.ts';
import { type Ctx, type Db, jsonOf } from '../store/db.ts';
import { endMutes } from '../watches/mutes.ts';
import type { IncidentRow } from './incident.ts';
import { incidents } from './tables.ts';

export interface ActionTarget extends IncidentRef {
  messageId: string | null;
  channel?: string | null;
}

export async function act(
  { db, now: clock, wakeDelivery }: ActCtx,
  { incidentId, channel = null }: Pick<ActionTarget, 'incidentId' | 'channel'>,
  action: IncidentAction,
  actor: string,
) {
  const isChanged = await db.transaction(async (tx) => {
    const hasId = eq(incidents.id, incidentId);
    const [incident] = await tx.select().from(incidents).where(hasId).for('update');
    if (incident === undefined) return false;
    const now = clock();
    const values = changed(incident, action, actor, now);
    if (values === null) return false;
    await tx.update(incidents).set(values).where(hasId);
    await redraw(tx, [incident.id], now);
    if (action.what === 'resolved') await endMutes(tx, [incident.id], { why: action.what, at: now });
    const kept = action.what === 'noted' ? { ...action, text: storableTyped(action.text) } : action;
    await noteInThreads(tx, [incident.id], { ...kept, actor, at: now });
    await recordOnIncident(tx, incident, { actor, now, channel }, auditedAs(kept));
    const turn = action.what === 'resolved' ? 'ended' : action.what === 'reopened' ? 'back' : null;
    if (turn !== null) await notifyFollowers(tx, [incident.id], turn, { actor, now });
    for (const [recipient, content] of concerned(incident, action, actor))
      await notifyPerson(tx, incident, { recipient, content }, { actor, now });
    return true;
  });
  if (isChanged) await wakeDelivery();
  return isChanged;
}

/** Returns what to set, or null if nothing is to change. */
function changed(incident: IncidentRow, action: IncidentAction, actor: string, now: Date) {
  const { state, acknowledgedBy, assignedTo, resolvedBy } = incident;
  switch (action.what) {
    case 'acknowledged':
      if (state === 'resolved' || acknowledgedBy !== null) return null;
      return { acknowledgedBy: actor, acknowledgedAt: now };
    case 'unacknowledged':
      if (state === 'resolved' || acknowledgedBy === null) return null;
      return { acknowledgedBy: null, acknowledgedAt: null };
    case 'assigned':
      return assignedTo === action.to ? null : { assignedTo: action.to };
    case 'resolved':
      return state === 'resolved' ? null : { state: 'resolved' as const, stateAt: now, resolvedBy: actor };
    case 'reopened':
      return resolvedBy === null ? null : { state: 'firing' as const, stateAt: now, resolvedBy: null };
    case 'noted':
      return { state };
  }
}

function auditedAs(action: StorableJson<IncidentAction>): StorableJson<IncidentChange> {
  if (action.what === 'assigned') return { action: action.what, to: action.to };
  return action.what === 'noted' ? { action: action.what, text: action.text } : { action: action.what };
}

type Concerned = [person: string | null, PersonalNotice];

function concerned({ acknowledgedBy, assignedTo }: IncidentRow, action: IncidentAction, actor: string): Concerned[] {
  if (action.what === 'unacknowledged') return [[acknowledgedBy, { what: action.what, actor }]];
  if (action.what !== 'assigned') return [];
  const { to } = action;
  return [
    [to, { what: 'assigned', actor, to }],
    [assignedTo, { what: 'taken', actor, to }],
  ];
}

/** Notifies once an outbreak, however many watches escalate it. */
export async function notifyOfEscalation(tx: Db, incident: IncidentRow, now: Date) {
  const { id, relapses, assignedTo: recipient } = incident;
  const notice = { recipient, subject: `escalated ${id} ${relapses}`, content: { what: 'escalated' } } as const;
  await notifyPerson(tx, incident, notice, { actor: null, now });
}

const FollowerRow = z.object({ incidentId: z.coerce.number(), actor: z.string() });

/** The audit trail is the record of who follows: the newest entry of a person counts. */
const FOLLOWERS = `
  SELECT incident_id, actor FROM (
    SELECT DISTINCT ON (incident_id, actor) incident_id, actor, change ->> 'action' AS action FROM audit
    WHERE incident_id IN ${idsIn('$1')}
      AND change ->> 'action' IN ('followed', 'unfollowed') ORDER BY incident_id, actor, id DESC) newest
  WHERE action = 'followed'`;

const followersOf = (tx: Db, ids: readonly number[]) => tx.rows(FollowerRow, FOLLOWERS, [jsonOf(ids)]);

export async function follow(
  { db, now }: Ctx,
  { incidentId, channel = null }: Pick<ActionTarget, 'incidentId' | 'channel'>,
  action: 'followed' | 'unfollowed',
  actor: string,
) {
  return db.transaction(async (tx) => {
    const [incident] = await tx.select().from(incidents).where(eq(incidents.id, incidentId)).for('update');
    const isFollower = (await followersOf(tx, [incidentId])).some((follower) => follower.actor === actor);
    if (incident === undefined || isFollower === (action === 'followed')) return false;
    await recordOnIncident(tx, incident, { actor, now: now(), channel }, { action });
    return true;
  });
}

type Doer = { actor: string | null; now: Date };

export async function notifyFollowers(tx: Db, ids: readonly number[], what: 'ended' | 'back', doer: Doer) {
  if (ids.length === 0) return;
  const followers = await followersOf(tx, ids);
  const hasId = inArray(incidents.id, [...ids]);
  for (const incident of await tx.select().from(incidents).where(hasId)) {
    const following = followers.filter(({ incidentId }) => incidentId === incident.id).map(({ actor }) => actor);
    for (const recipient of new Set([...following, incident.assignedTo]))
      await notifyPerson(tx, incident, { recipient, content: { what } }, doer);
  }
}

async function notifyPerson(
  tx: Db,
  incident: IncidentRow,
  { subject, recipient, content }: { recipient: string | null; content: PersonalNotice; subject?: string },
  { actor, now }: Doer,
) {
  if (recipient === null || recipient === actor) return;
  const { id: incidentId, environment, recorded, newestSeq: seq, failures: matched, relapses, critical } = incident;
  const message = { recipient, content: stored(content), kind: 'personal', environment, createdAt: now } as const;
  const messageId = await (subject === undefined ? enqueue(tx, message) : enqueueFor(tx, { ...message, subject }));
  if (messageId === null) return;
  const known = { recorded, seq, matched, relapses, critical };
  const unused = { watchId: null, missed: null, stateAt: null, escalated: false };
  await putAlerts(tx, [{ ...known, ...unused, messageId, incidentId, reason: 'personal', at: now }]);
}
