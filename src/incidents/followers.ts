import { and, eq, inArray } from 'drizzle-orm';
import { knownPeople } from '../people/identity.ts';
import type { Db } from '../store/db.ts';
import { type ActCtx, type ActionTarget, lockIncident } from './actions.ts';
import { recordAct } from './record-act.ts';
import { type FollowerRow, followers } from './tables.ts';

/** Returns false if it is so already, by whichever ID of the person. */
export async function follow(
  { db, now: clock, wakeAnnouncing }: ActCtx,
  { incidentId, channel = null }: Pick<ActionTarget, 'incidentId' | 'channel'>,
  action: 'followed' | 'unfollowed',
  person: string,
): Promise<boolean> {
  const isChanged = await db.transaction(async (tx) => {
    const locked = await lockIncident(tx, incidentId);
    if (locked === null) return false;
    const now = clock();
    const personOf = await knownPeople(tx);
    const following = await followersOf(tx, incidentId);
    const ids = following.map((follower) => follower.person).filter((id) => personOf(id) === personOf(person));
    if (ids.length > 0 === (action === 'followed')) return false;
    if (action === 'followed') await tx.insert(followers).values({ incidentId, person, channel, since: now });
    else await tx.delete(followers).where(and(eq(followers.incidentId, incidentId), inArray(followers.person, ids)));
    await recordAct(tx, locked.incident, { actor: person, now, channel }, { action });
    return true;
  });
  // A direct message confirms it: if Slack refuses that, who follows learns so at once.
  if (isChanged) await wakeAnnouncing();
  return isChanged;
}

/** Who follows it, and where they said so, the longest first. */
export async function followersOf(db: Db, incidentId: number): Promise<readonly FollowerRow[]> {
  return db.select().from(followers).where(eq(followers.incidentId, incidentId)).orderBy(followers.since);
}
