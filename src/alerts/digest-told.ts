import { inArray, sql } from 'drizzle-orm';
import { isWorse } from '../incidents/badness.ts';
import { incidents } from '../incidents/tables.ts';
import { redrawMessage, type Said } from '../outbox/messages.ts';
import type { MessageRow } from '../outbox/tables.ts';
import { type Db, jsonOf } from '../store/db.ts';
import { notifiesFor, ringsFor } from '../watches/covers.ts';
import type { Watch } from '../watches/settings.ts';
import { clearRefusal, watchesIn } from '../watches/watches.ts';
import { alertFinder, putAlerts } from './alert-rows.ts';
import { noteLastPost } from './cursors.ts';
import { ToldState } from './decide.ts';
import { type DigestSays, digestSays } from './digest-says.ts';
import { enqueueEscalated } from './people.ts';
import { type AlertRow, watchAlerts } from './tables.ts';
import { writeLinesAfter } from './tell-timeline.ts';

/** What a message said, and when. */
interface Noted {
  said: readonly Said[];
  at: Date;
}

/** What was posted is told: for the watch, and for others of its channel that it notifies for. */
export async function noteTold(
  tx: Db,
  watch: Watch,
  message: Pick<MessageRow, 'id' | 'environment'>,
  { said, at }: Noted,
): Promise<void> {
  const says = digestSays(said);
  if (says.size === 0) return;
  const told = await alertsToldBy(tx, watch, message, { says, at });
  await putAlerts(
    tx,
    told.map(({ alert }) => alert),
  );
  // Older messages show that a newer one says what changes.
  const olderIds = new Set(told.flatMap(({ before }) => before?.messageId ?? []));
  olderIds.delete(message.id);
  for (const messageId of olderIds) await redrawMessage(tx, messageId, at);
  for (const [incidentId, { reason }] of says) if (reason === 'escalated') await enqueueEscalated(tx, incidentId, at);
  const shown = [...says].map(([incidentId, { entryId }]) => ({ incidentId, entryId }));
  await writeLinesAfter(tx, { watch, messageId: message.id, shown }, at);
  const isNotifying = [...says.values()].some(({ reason }) => reason !== 'single');
  await noteLastPost(tx, watch.id, message.environment, { at, isNotifying });
  await clearRefusal(tx, watch.id);
}

/** An alert before a post, and what it is by it. */
interface ToldAlert {
  before: AlertRow | null;
  alert: Pick<AlertRow, 'watchId' | 'incidentId' | 'environment'> & Told;
}

/** What each watch that the message notifies for has told by it, and had told before. */
async function alertsToldBy(
  tx: Db,
  watch: Watch,
  { id: messageId, environment }: Pick<MessageRow, 'id' | 'environment'>,
  { says, at }: { says: ReadonlyMap<number, DigestSays>; at: Date },
): Promise<readonly ToldAlert[]> {
  const ids = [...says.keys()];
  const incidentRows = await tx.select().from(incidents).where(inArray(incidents.id, ids));
  const kinds = new Map(incidentRows.map(({ id, kind }) => [id, kind]));
  const findBefore = alertFinder(await tx.select().from(watchAlerts).where(inArray(watchAlerts.incidentId, ids)));
  const others = (await watchesIn(tx, watch.channel)).filter(({ id }) => id !== watch.id);
  return [...says].flatMap(([incidentId, saysOfIncident]) => {
    const isOfFailures = (kinds.get(incidentId) ?? 'failures') === 'failures';
    const isTold = (other: Watch) => (isOfFailures ? notifiesFor(watch, other) : ringsFor(watch, other));
    return [watch, ...others.filter(isTold)].map(({ id: watchId }): ToldAlert => {
      const before = findBefore(watchId, incidentId);
      const told = alertBy(saysOfIncident, before, messageId, at);
      return { before, alert: { watchId, incidentId, environment, ...told } };
    });
  });
}

type Told = Omit<AlertRow, 'watchId' | 'incidentId' | 'environment'>;

function alertBy(says: DigestSays, before: AlertRow | null, messageId: string, at: Date): Told {
  const same = before?.outbreak === says.outbreak ? before : null;
  return {
    outbreak: says.outbreak,
    ...ToldState.parse(says),
    critical: says.critical || same?.critical === true,
    failuresInLine: 0,
    lineAt: null,
    isSingle: says.reason === 'single',
    entryId: says.entryId,
    messageId,
    isMessageGone: false,
    postedAt: at,
    rangAt: says.rings ? at : (same?.rangAt ?? null),
    escalatedAt: says.reason === 'escalated' ? at : (same?.escalatedAt ?? null),
    belowManySince: says.badness === null || isWorse('many', says.badness) ? at : null,
    owedSince: null,
    heldBy: null,
    // Something can have changed while it was posted.
    dueAt: at,
  };
}

/** An edit tells counts: it shows since when it is less bad, and what an older version told is known from now on. */
export async function noteShown(
  tx: Db,
  watch: Watch,
  message: Pick<MessageRow, 'id'>,
  { said, at }: Noted,
): Promise<void> {
  const shown = [...digestSays(said)].flatMap(([id, { shownBadness: badness }]) =>
    badness === null ? [] : [{ id, badness, below: isWorse('many', badness) }],
  );
  await tx.write(sql`
    UPDATE watch_alerts a
    SET
      below_many_since = CASE WHEN s.below THEN coalesce(a.below_many_since, ${at}) END,
      badness = coalesce(a.badness, s.badness)
    FROM jsonb_to_recordset(${jsonOf(shown)}::jsonb) AS s (id bigint, badness text, below boolean)
    WHERE a.watch_id = ${watch.id}
      AND a.message_id = ${message.id}
      AND a.incident_id = s.id`);
}
