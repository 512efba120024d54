import { and, eq, inArray, sql } from 'drizzle-orm';
import { recordOnIncident } from '../audit/audit.ts';
import type { IncidentChange } from '../audit/change.ts';
import { audit } from '../audit/tables.ts';
import { groupBy } from '../lib/group-by.ts';
import type { IncidentRef } from '../lib/input/typed-values.ts';
import { type StorableJson, storableTyped, stored } from '../lib/text/shown-id.ts';
import type { IncidentAction, Owner, PersonalNotice } from '../outbox/kinds.ts';
import { type ActCtx, enqueue, enqueueFor, noteInThreads, putAlerts, redraw } from '../outbox/messages.ts';
import { knownPeople, type PersonOf } from '../people/identity.ts';
import type { Db } from '../store/db.ts';
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
    const personOf = await knownPeople(tx);
    const values = changed(incident, action, { actor, now, personOf });
    if (values === null) return false;
    await tx.update(incidents).set(values).where(hasId);
    await redraw(tx, [incident.id], now);
    if (action.what === 'resolved') await endMutes(tx, [incident.id], { why: action.what, at: now });
    const kept = action.what === 'noted' ? { ...action, text: storableTyped(action.text) } : action;
    await noteInThreads(tx, [incident.id], { ...kept, actor, at: now });
    await recordOnIncident(tx, incident, { actor, now, channel }, auditedAs(kept));
    const turn = action.what === 'resolved' ? 'ended' : action.what === 'reopened' ? 'back' : null;
    if (turn !== null) await notifyFollowers(tx, [incident.id], turn, { actor, now });
    const owner = { person: actor, channel };
    for (const [recipient, content] of concerned(incident, action, actor))
      if (personOf(recipient) !== personOf(actor)) await notifyPerson(tx, incident, { recipient, content, owner }, now);
    return true;
  });
  if (isChanged) await wakeDelivery();
  return isChanged;
}

/** Returns what to set, or null if nothing is to change. */
function changed(
  incident: IncidentRow,
  action: IncidentAction,
  { actor, now, personOf }: { actor: string; now: Date; personOf: PersonOf },
) {
  const { state, acknowledgedBy, assignedTo, resolvedBy } = incident;
  switch (action.what) {
    case 'acknowledged':
      if (state === 'resolved' || acknowledgedBy !== null) return null;
      return { acknowledgedBy: actor, acknowledgedAt: now };
    case 'unacknowledged':
      if (state === 'resolved' || acknowledgedBy === null) return null;
      return { acknowledgedBy: null, acknowledgedAt: null };
    case 'assigned':
      return personOf(assignedTo) === personOf(action.to) ? null : { assignedTo: action.to };
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
export async function notifyOfEscalation(tx: Db, incident: IncidentRow, now: Date): Promise<void> {
  const { id, relapses, assignedTo: recipient } = incident;
  const subject = `escalated ${id} ${relapses}`;
  await notifyPerson(tx, incident, { recipient, owner: null, subject, content: { what: 'escalated' } }, now);
}

interface Follower extends Owner {
  incidentId: number | null;
}

/** The audit trail is the record of who follows: the newest entry of a person counts, whatever ID they had. */
async function followersOf(tx: Db, ids: readonly number[], personOf: PersonOf): Promise<Follower[]> {
  const { incidentId, actor, channel, change } = audit;
  const action = sql<string>`${change} ->> 'action'`;
  const isAbout = and(inArray(incidentId, [...ids]), inArray(action, ['followed', 'unfollowed']));
  const followed = tx.select({ incidentId, person: actor, channel, action }).from(audit).where(isAbout);
  const entries = await followed.orderBy(audit.id);
  const newest = new Map(entries.map((entry) => [`${entry.incidentId} ${personOf(entry.person)}`, entry]));
  return [...newest.values()].filter((entry) => entry.action === 'followed');
}

/** A direct message confirms it: if Slack refuses that, who follows learns so at once. */
export async function follow(
  { db, now: clock, wakeDelivery }: ActCtx,
  { incidentId, channel = null }: Pick<ActionTarget, 'incidentId' | 'channel'>,
  action: 'followed' | 'unfollowed',
  actor: string,
): Promise<boolean> {
  const isChanged = await db.transaction(async (tx) => {
    const [incident] = await tx.select().from(incidents).where(eq(incidents.id, incidentId)).for('update');
    const personOf = await knownPeople(tx);
    const followers = await followersOf(tx, [incidentId], personOf);
    const isFollower = followers.some(({ person }) => personOf(person) === personOf(actor));
    if (incident === undefined || isFollower === (action === 'followed')) return false;
    const now = clock();
    await recordOnIncident(tx, incident, { actor, now, channel }, { action });
    const notice = { recipient: actor, owner: { person: actor, channel }, content: { what: 'followed' } } as const;
    if (action === 'followed') await notifyPerson(tx, incident, notice, now);
    return true;
  });
  if (isChanged) await wakeDelivery();
  return isChanged;
}

export async function notifyFollowers(
  tx: Db,
  ids: readonly number[],
  what: 'ended' | 'back',
  { actor, now }: { actor: string | null; now: Date },
): Promise<void> {
  if (ids.length === 0) return;
  const personOf = await knownPeople(tx);
  const followers = groupBy(await followersOf(tx, ids, personOf), ({ incidentId }) => incidentId);
  const hasId = inArray(incidents.id, [...ids]);
  for (const incident of await tx.select().from(incidents).where(hasId)) {
    const recipients = new Map<string | null, PersonalMessage>();
    const { assignedTo: recipient } = incident;
    recipients.set(personOf(recipient), { recipient, owner: null, content: { what } });
    for (const { person, channel } of followers.get(incident.id) ?? [])
      recipients.set(personOf(person), { recipient: person, owner: { person, channel }, content: { what } });
    recipients.delete(personOf(actor));
    for (const message of recipients.values()) await notifyPerson(tx, incident, message, now);
  }
}

interface PersonalMessage {
  recipient: string | null;
  owner: Owner | null;
  content: PersonalNotice;
  subject?: string;
}

async function notifyPerson(
  tx: Db,
  incident: IncidentRow,
  { subject, recipient, owner, content }: PersonalMessage,
  now: Date,
): Promise<void> {
  if (recipient === null) return;
  const { id: incidentId, environment, recorded, newestSeq: seq, failures: matched, relapses, critical } = incident;
  const direct = { recipient, owner, content: stored(content), environment, createdAt: now };
  const message = { ...direct, kind: 'personal' } as const;
  const messageId = await (subject === undefined ? enqueue(tx, message) : enqueueFor(tx, { ...message, subject }));
  if (messageId === null) return;
  const known = { recorded, seq, matched, relapses, critical };
  const unused = { watchId: null, missed: null, stateAt: null, escalated: false };
  await putAlerts(tx, [{ ...known, ...unused, messageId, incidentId, reason: 'personal', at: now }]);
}
