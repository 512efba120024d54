import { and, eq, inArray } from 'drizzle-orm';
import { environments } from '../coverage/tables.ts';
import { type StorableJson, storableTyped } from '../lib/text/shown-id.ts';
import { byLaggingClock } from '../lib/time/service-clock.ts';
import { knownPeople, type PersonOf } from '../people/identity.ts';
import type { Ctx, Db } from '../store/db.ts';
import type { IncidentRef } from './incident-ref.ts';
import { currentOf, incidentWithId, outbreakWithKey, updateIncident, updateOutbreak } from './incident-rows.ts';
import { type FollowerRow, followers, type IncidentRow, incidents, type OutbreakRow } from './tables.ts';
import { type IncidentAct, recordAct } from './timeline.ts';

/** A verb that changes an incident itself. A mute is its watch's, and following is a person's own. */
export type IncidentVerb =
  | { what: 'acknowledged' | 'unacknowledged' | 'resolved' | 'reopened' }
  | { what: 'assigned'; to: string }
  | { what: 'noted'; text: string };

/** An incident that a person acts on, and where. */
export interface VerbTarget extends IncidentRef {
  messageId: string | null;
  channel?: string | null;
}

export interface ActCtx extends Ctx {
  wakeAnnouncing: () => Promise<void>;
}

/** Returns false if it is so already. Whoever is to know of it learns it from the timeline. */
export async function act(
  ctx: ActCtx,
  { incidentId, channel = null }: Pick<VerbTarget, 'incidentId' | 'channel'>,
  verb: IncidentVerb,
  actor: string,
): Promise<boolean> {
  return changeLocked(ctx, incidentId, async (tx, locked, now) => {
    const change = changeBy(verb, locked, { actor, now, personOf: await knownPeople(tx) });
    if (change === null) return false;
    const { incident, outbreak } = locked;
    if (change.incident !== null) await updateIncident(tx, incidentId, change.incident);
    if (change.outbreak !== null) await updateOutbreak(tx, outbreak, change.outbreak);
    await recordAct(tx, incident, { actor, now, channel }, recordedAs(verb));
    return true;
  });
}

/** Returns false if it is so already, by whichever ID of the person. */
export async function follow(
  ctx: ActCtx,
  { incidentId, channel = null }: Pick<VerbTarget, 'incidentId' | 'channel'>,
  verb: 'followed' | 'unfollowed',
  person: string,
): Promise<boolean> {
  // Announcing has a direct message confirm it: if Slack refuses that, who follows learns so at once.
  return changeLocked(ctx, incidentId, async (tx, { incident }, now) => {
    const personOf = await knownPeople(tx);
    const following = await followersOf(tx, incidentId);
    const ids = following.map((follower) => follower.person).filter((id) => personOf(id) === personOf(person));
    const isFollowing = ids.length > 0;
    const isToFollow = verb === 'followed';
    if (isFollowing === isToFollow) return false;
    if (isToFollow) await tx.insert(followers).values({ incidentId, person, channel, since: now });
    else await tx.delete(followers).where(and(eq(followers.incidentId, incidentId), inArray(followers.person, ids)));
    await recordAct(tx, incident, { actor: person, now, channel }, { action: verb });
    return true;
  });
}

/** Who follows it, and where they said so, the longest first. */
export async function followersOf(db: Db, incidentId: number): Promise<readonly FollowerRow[]> {
  return db.select().from(followers).where(eq(followers.incidentId, incidentId)).orderBy(followers.since);
}

/** Returns whether `change`, which says so, changed something. */
async function changeLocked(
  { db, now, wakeAnnouncing }: ActCtx,
  incidentId: number,
  change: (tx: Db, locked: LockedIncident, now: Date) => Promise<boolean>,
): Promise<boolean> {
  const isChanged = await db.transaction(async (tx) => {
    const locked = await lockIncident(tx, incidentId);
    return locked !== null && change(tx, locked, now());
  });
  if (isChanged) await wakeAnnouncing();
  return isChanged;
}

/** An incident that nobody else changes now. */
export interface LockedIncident {
  incident: IncidentRow;
  outbreak: OutbreakRow;
  clockAheadMs: number | null;
}

/** Locks the environment first, as a poll does, against deadlocks. */
export async function lockIncident(tx: Db, incidentId: number): Promise<LockedIncident | null> {
  const known = await incidentWithId(tx, incidentId);
  if (known === null) return null;
  const isIn = eq(environments.environment, known.environment);
  const [environment] = await tx.select().from(environments).where(isIn).for('update');
  const [incident] = await tx.select().from(incidents).where(eq(incidents.id, incidentId)).for('update');
  if (incident === undefined) return null;
  const outbreak = await outbreakWithKey(tx, currentOf(incident));
  return outbreak && { incident, outbreak, clockAheadMs: environment?.clockAheadMs ?? null };
}

/** What a verb changes; null: nothing in that row. */
interface Change {
  incident: Partial<Pick<IncidentRow, 'state' | 'stateAt' | 'assignedTo'>> | null;
  outbreak: Partial<OutbreakRow> | null;
}

/** Returns null if nothing is to change. */
function changeBy(
  verb: IncidentVerb,
  { incident, outbreak, clockAheadMs }: LockedIncident,
  { actor, now, personOf }: { actor: string; now: Date; personOf: PersonOf },
): Change | null {
  const isResolved = incident.state === 'resolved';
  switch (verb.what) {
    case 'acknowledged':
      if (isResolved || outbreak.acknowledgedBy !== null) return null;
      return { incident: null, outbreak: { acknowledgedBy: actor, acknowledgedAt: now, unacknowledgedSince: null } };
    case 'unacknowledged':
      if (isResolved || outbreak.acknowledgedBy === null) return null;
      return { incident: null, outbreak: { acknowledgedBy: null, acknowledgedAt: null, unacknowledgedSince: now } };
    case 'assigned':
      if (personOf(incident.assignedTo) === personOf(verb.to)) return null;
      return { incident: { assignedTo: verb.to }, outbreak: null };
    case 'resolved':
      if (isResolved) return null;
      return {
        incident: { state: 'resolved', stateAt: now },
        outbreak: {
          endedAt: now,
          endedAtService: byLaggingClock(now, clockAheadMs),
          ending: 'resolved',
          endedBy: actor,
          failuresAtEnd: outbreak.failures,
        },
      };
    case 'reopened':
      // Only what a person has resolved is reopened.
      if (!isResolved || outbreak.endedBy === null) return null;
      return {
        incident: { state: 'firing', stateAt: now },
        outbreak: {
          endedAt: null,
          endedAtService: null,
          ending: null,
          endedBy: null,
          failuresAtEnd: null,
        },
      };
    case 'noted':
      return { incident: null, outbreak: null };
  }
}

function recordedAs(verb: IncidentVerb): StorableJson<IncidentAct> {
  switch (verb.what) {
    case 'assigned':
      return { action: verb.what, to: verb.to };
    case 'noted':
      return { action: verb.what, text: storableTyped(verb.text) };
    default:
      return { action: verb.what };
  }
}
