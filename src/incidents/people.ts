import { eq, inArray } from 'drizzle-orm';
import { z } from 'zod';
import { recordOnIncident } from '../audit/audit.ts';
import { putAlerts } from '../outbox/alerts.ts';
import type { Told } from '../outbox/events.ts';
import { enqueue, enqueueFor, idsIn } from '../outbox/messages.ts';
import type { Ctx } from '../store/ctx.ts';
import { type Db, jsonOf } from '../store/db.ts';
import type { IncidentRow } from './incident.ts';
import { incidents } from './tables.ts';

const FollowerRow = z.object({ incidentId: z.coerce.number(), actor: z.string() });

/** The audit trail is the record of who follows: the newest entry of a person counts. */
const FOLLOWERS = `
  SELECT incident_id, actor FROM (
    SELECT DISTINCT ON (incident_id, actor) incident_id, actor, change ->> 'action' AS action FROM audit
    WHERE incident_id IN ${idsIn('$1')}
      AND change ->> 'action' IN ('followed', 'unfollowed') ORDER BY incident_id, actor, id DESC) newest
  WHERE action = 'followed'`;

function followersOf(tx: Db, ids: readonly number[]) {
  return tx.rows(FollowerRow, FOLLOWERS, [jsonOf(ids)]);
}

/** By a direct message. False: it is so already. */
export async function follow(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  { incidentId, channel }: { incidentId: number; channel: string | null },
  action: 'followed' | 'unfollowed',
  by: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [incident] = await tx.select().from(incidents).where(eq(incidents.id, incidentId)).for('update');
    const isFollower = (await followersOf(tx, [incidentId])).some(({ actor }) => actor === by);
    if (incident === undefined || isFollower === (action === 'followed')) return false;
    await recordOnIncident(tx, incident, { by, now: now(), channel }, { action });
    return true;
  });
}

/** Whoever follows it and its assignee, but for who ended it; once an end or a relapse. */
export async function notifyFollowers(
  tx: Db,
  ids: readonly number[],
  told: 'ended' | 'back',
  { by, now }: { by: string | null; now: Date },
): Promise<void> {
  if (ids.length === 0) return;
  const followers = await followersOf(tx, ids);
  for (const incident of await tx
    .select()
    .from(incidents)
    .where(inArray(incidents.id, [...ids]))) {
    const { id, assignedTo, relapses } = incident;
    const following = followers.flatMap(({ incidentId, actor }) => (incidentId === id ? [actor] : []));
    const subject = `${told} ${id} ${relapses}`;
    for (const recipient of new Set([...following, ...(assignedTo === null ? [] : [assignedTo])]))
      if (recipient !== by) await notifyPerson(tx, incident, { recipient, subject, content: { told } }, now);
  }
}

type NewsForPerson = { recipient: string; content: Told; subject?: string };

export async function notifyPerson(
  tx: Db,
  incident: IncidentRow,
  { subject, ...news }: NewsForPerson,
  now: Date,
): Promise<void> {
  const { id: incidentId, environment, recorded, newestSeq: seq, failures: matched, relapses, critical } = incident;
  const message = { ...news, kind: 'told', environment, createdAt: now } as const;
  const messageId = await (subject === undefined ? enqueue(tx, message) : enqueueFor(tx, { ...message, subject }));
  if (messageId === null) return;
  const known = { recorded, seq, matched, relapses, critical };
  const unused = { watchId: null, missed: null, stateAt: null, escalated: false };
  await putAlerts(tx, [{ ...known, ...unused, messageId, incidentId, reason: 'told', at: now }]);
}
