import { z } from 'zod';
import { mentionFor } from '../../domain/alerting/digest.ts';
import { type AnnouncedEpisode, mergedAnnouncements, mergedDigest } from '../../domain/alerting/merged-digest.ts';
import { compareTallies } from '../../domain/failures/failure.ts';
import { isOverIn } from '../../domain/incidents/incident.ts';
import type { Watch } from '../../domain/watches/watch.ts';
import { jsonOf, type Sql } from '../database/database.ts';
import { Count, rowWith, State } from '../database/row.ts';
import { incidentsNow } from '../incidents/incidents-now.ts';
import { LAST_OF_OUTAGE } from '../incidents/neighbours.ts';
import { WATCH_COLUMNS, WatchRow } from '../watches/watches.ts';
import { addAnnouncements } from './announcements.ts';
import { StoredHold, StoredReason } from './digest-columns.ts';
import { failedElsewhere } from './elsewhere.ts';

const WaitingRow = rowWith({
  id: z.string(),
  isFirst: z.boolean(),
  coveredFrom: z.date(),
  coveredTo: z.date(),
  events: Count,
  unreadable: Count,
  afterSeq: Count,
  toSeq: Count,
  heldBack: StoredHold,
});
type Waiting = z.output<typeof WaitingRow>;

const AnnouncementRow = rowWith({
  episodeId: Count,
  reason: StoredReason,
  at: z.date(),
  failures: Count,
  seq: Count,
  relapses: z.number(),
  wasCritical: z.boolean(),
  missed: Count.nullable(),
  hasOtherFilter: z.boolean(),
});

const StateRow = rowWith({ state: State, isAcknowledged: z.boolean() });

/** A digest just claimed for its first post, with its watch and environment. */
export interface BegunDigest {
  readonly id: string;
  readonly watchId: string;
  readonly environment: string;
}

/**
 * Brings a digest up to date in the transaction that claims it for its first post: takes over the announcements of other digests of its
 * watch and environment whose post never began or definitely failed, and mentions somebody only if that's still needed.
 */
export async function mergeWaiting(sql: Sql, begun: BegunDigest, now: Date): Promise<void> {
  const [watch] = await sql.rows(WatchRow, `SELECT ${WATCH_COLUMNS} FROM watches w WHERE w.id = $1`, [begun.watchId]);
  if (watch === undefined) throw new Error(`there is no watch ${begun.watchId}`);
  const waiting = await sql.rows(WaitingRow, WAITING, [begun.id, begun.watchId, begun.environment]);
  if (waiting.length > 1) await merge(sql, watch, begun, waiting, now);
  const mention = mentionFor(watch, await sql.rows(StateRow, STATES, [begun.id]));
  await sql.write('UPDATE messages SET mention = $2::jsonb WHERE id = $1', [begun.id, mention && jsonOf(mention)]);
}

/** Digest $1, which is being claimed, and the mergeable others of its watch and environment, the oldest first. */
const WAITING = `
  SELECT id, is_first, covered_from, covered_to, events, unreadable, after_seq, to_seq, held_back
  FROM messages
  WHERE id = $1 OR (watch_id = $2 AND environment = $3 AND kind = 'digest' AND state = 'waiting' AND begun_at IS NULL
    AND unresolved_since IS NULL)
  ORDER BY created_at, id FOR UPDATE SKIP LOCKED`;

const STATES = `
  SELECT last.state, last.acknowledged_at IS NOT NULL AS is_acknowledged
  FROM announcements a JOIN episodes s ON s.id = a.episode_id CROSS JOIN LATERAL (${LAST_OF_OUTAGE}) last WHERE a.message_id = $1`;

async function merge(
  sql: Sql,
  watch: Watch,
  { id, environment }: BegunDigest,
  waiting: readonly Waiting[],
  now: Date,
): Promise<void> {
  const [first, ...later] = waiting;
  if (first === undefined) return;
  const merged = mergedDigest(first, later);
  const ids = jsonOf(waiting.map((one) => one.id));
  const announced = mergedAnnouncements(await sql.rows(AnnouncementRow, ANNOUNCED, [ids]));
  const episodeIds = announced.map(({ episodeId }) => episodeId);
  const range = { environment, announced_seq: merged.afterSeq, last_seq: merged.toSeq };
  const elsewhere = await failedElsewhere(sql, watch, range, episodeIds);
  await sql.write(
    'DELETE FROM announcements WHERE message_id = ANY (ARRAY(SELECT jsonb_array_elements_text($1::jsonb)))',
    [ids],
  );
  await addAnnouncements(sql, { messageId: id, watchId: watch.id }, await inOrder(sql, watch, announced, now));
  await sql.write(TAKE_OVER, [
    id,
    merged.isFirst,
    merged.coveredFrom,
    merged.coveredTo,
    merged.events,
    merged.unreadable,
    merged.afterSeq,
    merged.toSeq,
    merged.heldBack && jsonOf(merged.heldBack),
    elsewhere && jsonOf({ elsewhere }),
    ids,
  ]);
  await sql.write(MOVE_THREADS, [id, ids]);
  await sql.write('DELETE FROM messages WHERE id IN (SELECT jsonb_array_elements_text($2::jsonb)) AND id <> $1', [
    id,
    ids,
  ]);
}

/** Puts ongoing incidents first, so that they are in the visible rows, then sorts as in any digest. */
async function inOrder(
  sql: Sql,
  watch: Watch,
  announced: readonly AnnouncedEpisode[],
  now: Date,
): Promise<AnnouncedEpisode[]> {
  const incidents = await incidentsNow(
    sql,
    announced.map(({ episodeId }) => episodeId),
    watch.id,
    now,
  );
  return announced
    .flatMap((one) => {
      const incident = incidents.get(one.episodeId);
      return incident === undefined ? [] : [{ one, incident }];
    })
    .sort(
      (a, b) =>
        Number(isOverIn(a.incident.state.is)) - Number(isOverIn(b.incident.state.is)) ||
        compareTallies(a.incident.tally, b.incident.tally),
    )
    .map(({ one }) => one);
}

const ANNOUNCED = `
  SELECT a.episode_id, a.reason, a.announced_at AS at, a.announced_failures AS failures, a.announced_seq AS seq, a.announced_relapses AS relapses,
    a.announced_critical AS was_critical, a.missed, a.has_other_filter
  FROM announcements a WHERE a.message_id = ANY (ARRAY(SELECT jsonb_array_elements_text($1::jsonb)))
  ORDER BY a.announced_at, a.message_id, a.position`;

/** What pends longest decides how long messages have been pending. */
const TAKE_OVER = `
  UPDATE messages SET is_first = $2, covered_from = $3, covered_to = $4, events = $5, unreadable = $6, after_seq = $7, to_seq = $8,
    held_back = $9::jsonb, details = $10::jsonb,
    created_at = (SELECT min(one.created_at) FROM messages one WHERE one.id IN (SELECT jsonb_array_elements_text($11::jsonb)))
  WHERE id = $1`;

/** Thread replies written for a merged digest move to the digest that takes it over, and wait for its post. */
const MOVE_THREADS = `
  UPDATE messages SET thread_of = $1
  WHERE state IN ('waiting', 'posting') AND thread_of IN (SELECT jsonb_array_elements_text($2::jsonb))`;
