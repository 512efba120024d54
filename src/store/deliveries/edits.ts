import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { DIGEST_ROWS } from '../../domain/alerting/digest.ts';
import {
  CALM_REDRAWN_EVERY_MS,
  COUNTS_A_MINUTE,
  EDIT_EVERY_MS,
  EDIT_LEASE_MS,
  EDITS_A_MINUTE,
  freeEdits,
  LIVELY_MS,
  REDRAWN_EVERY_MS,
} from '../../domain/alerting/pace.ts';
import { EPISODE_MS } from '../../domain/incidents/episode.ts';
import type { DeliveryStore, PostedMessage } from '../../use-cases/alerting/deliver-messages.ts';
import type { Database, Sql } from '../database/database.ts';
import { Count, rowWith } from '../database/row.ts';
import { LAST_OF_OUTAGE } from '../incidents/neighbours.ts';
import { keepUnseen } from '../watches/held-back.ts';
import { destinationOf, EDITS, POSTS_DUE, pause } from './deliveries.ts';
import { noteEditable, noteRefusal, noteTry } from './edit-refusals.ts';

/** A posted message claimed for editing. After an edit whose outcome is unknown, only the mark of its fingerprint is certain. */
const PostedRow = rowWith({
  id: z.string(),
  channel: z.string(),
  ts: z.string(),
  fingerprint: z.string(),
  attempt: z.number(),
  claimedAt: z.date(),
}).transform(
  (row): PostedMessage => ({ ...row, fingerprint: row.attempt > 1 ? markOf(row.fingerprint) : row.fingerprint }),
);

type Editing = Pick<
  DeliveryStore,
  'claimEdit' | 'noteEdited' | 'noteNotEdited' | 'pauseEdits' | 'noteDeleted' | 'noteFrozen'
> & {
  /** When to post or edit the next message, by the clock of `now`; null if there is none. A replica may have claimed it since. */
  nextDeliveryAt(now: Date): Promise<Date | null>;
};

/** Returns the mark of a fingerprint, `repeat:`, if it has one; '' otherwise. */
function markOf(fingerprint: string): string {
  return fingerprint.slice(0, fingerprint.lastIndexOf(':') + 1);
}

export function edits(database: Database): Editing {
  return {
    claimEdit: (now) => database.withTransaction((sql) => claimEdit(sql, now)),
    noteEdited: async (message, { fingerprint, failures }) => {
      await database.write(EDITED, [message.id, message.claimedAt, fingerprint, failures]);
      if (fingerprint === message.fingerprint) await database.write(NOT_SENT, [message.claimedAt]);
      else await noteEditable(database, message.channel);
    },
    noteNotEdited: async ({ id, claimedAt }, retryAt) => {
      await database.write(
        `UPDATE messages SET drawing_to = NULL, edit_retry_at = $3, redraw_at = LEAST(redraw_at, $3::timestamptz) WHERE ${OWN}`,
        [id, claimedAt, retryAt],
      );
    },
    pauseEdits: (until) => pause(database, EDITS, until),
    noteDeleted: ({ id, claimedAt }) =>
      database.withTransaction(async (sql) => {
        await keepUnseen(sql, OWN, [id, claimedAt]);
        await sql.write(END, [id, claimedAt]);
      }),
    noteFrozen: ({ id, channel, claimedAt }, refusal, now) =>
      database.withTransaction(async (sql) => {
        const retryAt = await noteRefusal(sql, channel, refusal, now);
        await sql.write(FREEZE, [id, claimedAt, now, retryAt]);
      }),
    nextDeliveryAt: async (now) => (await database.rows(DueRow, NEXT, [now]))[0]?.due_at ?? null,
  };
}

/** An edit that changes nothing isn't sent to Slack: it leaves its place in the minute to another. */
const NOT_SENT = 'DELETE FROM edits WHERE ctid = (SELECT ctid FROM edits WHERE begun_at = $1 LIMIT 1)';

/** The condition that nobody has taken the edit over since. */
const OWN = `id = $1 AND edit_begun_at = $2 AND drawing_to IS NOT NULL AND state = 'posted'`;

const EDITED = `
  UPDATE messages SET fingerprint = $3, shown_failures = $4, shown_to = drawing_to, drawing_to = NULL, edit_attempt = 0,
    edit_retry_at = NULL
  WHERE ${OWN}`;

async function claimEdit(sql: Sql, now: Date): Promise<PostedMessage | null> {
  // Replicas take turns, so that together they keep to the limit per minute.
  await sql.write('LOCK TABLE edits IN SHARE ROW EXCLUSIVE MODE');
  const [lately] = await sql.rows(LatelyRow, LATELY, [EDITS, now, aMinuteBefore(now)]);
  const free = lately === undefined || lately.is_paused ? 'none' : freeEdits(lately.edits);
  if (free === 'none') return null;
  const [claimed] = await sql.rows(PostedRow, CLAIM, [
    now,
    subMilliseconds(now, EPISODE_MS),
    subMilliseconds(now, EDIT_EVERY_MS),
    free === 'all',
  ]);
  if (claimed === undefined) return null;
  await sql.write('DELETE FROM edits WHERE begun_at <= $1', [aMinuteBefore(now)]);
  await sql.write('INSERT INTO edits (begun_at) VALUES ($1)', [now]);
  await noteTry(sql, claimed.channel, now);
  return claimed;
}

const LatelyRow = z.object({ edits: Count, is_paused: z.boolean() });

/** How many edits began after $3, and whether edits are paused. A replica that finds nothing to draw asks this most often. */
const LATELY = `
  SELECT (SELECT count(*) FROM edits WHERE begun_at > $3) AS edits,
    EXISTS (SELECT 1 FROM slack_pauses WHERE subject = $1 AND until > $2) AS is_paused`;

function aMinuteBefore(now: Date): Date {
  return subMilliseconds(now, 60_000);
}

/**
 * What the rows of each message count, since when, and how often they're redrawn while they have an open incident, whose recent counts
 * change with time alone. Messages posted before `sinceParam` aren't edited. $1 is now.
 */
const rowsSince = (sinceParam: string): string => `
  rows AS MATERIALIZED (
    SELECT d.id AS message_id, shown.* FROM messages d CROSS JOIN LATERAL (
      SELECT sum(s.failures) AS failures, max(s.last_recorded_at) AS recorded_at,
        min(CASE WHEN last.state NOT IN ('firing', 'recovering') THEN NULL
          WHEN last.last_recorded_at > $1::timestamptz - interval '${LIVELY_MS} milliseconds' THEN interval '${REDRAWN_EVERY_MS} milliseconds'
          ELSE interval '${CALM_REDRAWN_EVERY_MS} milliseconds' END) AS redrawn_every
      FROM announcements a JOIN episodes s ON s.id = a.episode_id CROSS JOIN LATERAL (${LAST_OF_OUTAGE}) last
      WHERE a.message_id = d.id AND a.position <= ${DIGEST_ROWS}
    ) shown
    WHERE d.state = 'posted' AND d.posted_at > ${sinceParam} AND d.kind = 'digest'
  )`;

/** A message to a person stays as it is. */
const EDITABLE = `posted.state = 'posted' AND posted.recipient IS NULL AND posted.frozen_at IS NULL`;

/** The message is about a gap, whose end must be reported, however late and whatever was refused. */
const SAYS_AN_END = 'posted.gap_id IS NOT NULL';

/**
 * Messages that somebody or something has changed (`redraw_at`) are due at once; those whose rows have counted more, or whose edit has an
 * unknown outcome, every half minute. A message is edited for a day; a gap's until the gap is closed.
 */
const CLAIM = `
  WITH ${rowsSince('$2')}
  UPDATE messages d SET edit_begun_at = $1, drawing_to = $1, edit_attempt = d.edit_attempt + 1,
    edit_leased_until = clock_timestamp() + interval '${EDIT_LEASE_MS} milliseconds',
    redraw_at = CASE WHEN d.redraw_at > $1 THEN d.redraw_at END
  WHERE d.id = (
    SELECT posted.id
    FROM messages posted JOIN watches of ON of.id = posted.watch_id LEFT JOIN rows ON rows.message_id = posted.id
    CROSS JOIN LATERAL (
      SELECT coalesce(posted.redraw_at <= $1, false) AS has_new_state
    ) state
    WHERE ${EDITABLE}
      AND (posted.edit_retry_at IS NULL OR posted.edit_retry_at <= $1)
      AND (${SAYS_AN_END} OR NOT EXISTS (SELECT 1 FROM edit_refusals r WHERE r.channel = of.channel AND r.retry_at > $1))
      AND (posted.posted_at > $2
        OR (${SAYS_AN_END} AND ((posted.redraw_at IS NOT NULL AND posted.redraw_at <= $1) OR posted.drawing_to IS NOT NULL)))
      AND (posted.drawing_to IS NULL OR posted.edit_leased_until <= clock_timestamp())
      AND (state.has_new_state OR ($4 AND posted.edit_begun_at <= $3
        AND (posted.drawing_to IS NOT NULL OR rows.recorded_at >= posted.shown_to
          OR posted.shown_to + rows.redrawn_every <= $1)))
    ORDER BY state.has_new_state DESC, coalesce(rows.failures, 0) - posted.shown_failures DESC, posted.edit_begun_at, posted.id
    LIMIT 1 FOR UPDATE OF posted SKIP LOCKED
  )
  RETURNING d.id, ${destinationOf('d')} AS channel, d.ts, d.fingerprint, d.edit_attempt AS attempt, d.edit_begun_at AS claimed_at`;

/** When each posted message is due to be redrawn (`due_at`), by the conditions of `CLAIM`; $1 is now. After a day messages aren't due. */
const EDITS_DUE = `
  WITH ${rowsSince(`$1::timestamptz - interval '${EPISODE_MS} milliseconds'`)}, budget AS (
    SELECT (SELECT begun_at FROM edits ORDER BY begun_at DESC OFFSET ${EDITS_A_MINUTE - 1} LIMIT 1) + interval '1 minute' AS all_from,
      (SELECT begun_at FROM edits ORDER BY begun_at DESC OFFSET ${COUNTS_A_MINUTE - 1} LIMIT 1) + interval '1 minute' AS counts_from
  )
  SELECT GREATEST($1::timestamptz, posted.edit_retry_at, pause.until, budget.all_from,
    CASE WHEN NOT ${SAYS_AN_END} THEN refused.retry_at END,
    CASE WHEN posted.drawing_to IS NOT NULL
      THEN $1::timestamptz + (posted.edit_leased_until - clock_timestamp()) + interval '1 millisecond' END,
    LEAST(
      posted.redraw_at,
      GREATEST(posted.edit_begun_at + interval '${EDIT_EVERY_MS} milliseconds', budget.counts_from,
        CASE WHEN posted.drawing_to IS NULL AND NOT coalesce(rows.recorded_at >= posted.shown_to, false)
          THEN LEAST(posted.redraw_at, posted.shown_to + rows.redrawn_every) END))) AS due_at
  FROM messages posted JOIN watches of ON of.id = posted.watch_id LEFT JOIN rows ON rows.message_id = posted.id
  LEFT JOIN edit_refusals refused ON refused.channel = of.channel LEFT JOIN slack_pauses pause ON pause.subject = '${EDITS}'
  CROSS JOIN budget
  WHERE ${EDITABLE}
    AND (posted.posted_at > $1::timestamptz - interval '${EPISODE_MS} milliseconds'
      OR (${SAYS_AN_END} AND (posted.redraw_at IS NOT NULL OR posted.drawing_to IS NOT NULL)))
    AND (posted.redraw_at IS NOT NULL OR posted.drawing_to IS NOT NULL OR rows.recorded_at >= posted.shown_to
      OR rows.redrawn_every IS NOT NULL)`;

const DueRow = z.object({ due_at: z.date().nullable() });

const NEXT = `
  SELECT min(due_at) AS due_at
  FROM (${POSTS_DUE} UNION ALL (${EDITS_DUE})) due`;

const GAP_IS_CLOSED = 'EXISTS (SELECT 1 FROM gaps g WHERE g.id = d.gap_id AND g.closed_at IS NOT NULL)';

/** A new message for the end of a gap isn't edited, so no second one follows. */
const END = `
  UPDATE messages d SET drawing_to = NULL, redraw_at = NULL, begun_at = NULL, unresolved_since = NULL, retry_at = NULL,
    frozen_at = CASE WHEN ${GAP_IS_CLOSED} THEN $2::timestamptz END,
    state = CASE WHEN d.gap_id IS NULL THEN 'gone' WHEN ${GAP_IS_CLOSED} THEN 'waiting' ELSE 'posted' END
  WHERE ${OWN}`;

/** Like `END`, but it still exists: only a gap's end needs an edit. $4: when to try its channel again. */
const FREEZE = `
  UPDATE messages d SET drawing_to = NULL, begun_at = NULL, unresolved_since = NULL, retry_at = NULL,
    redraw_at = CASE WHEN d.gap_id IS NULL THEN $4::timestamptz END,
    frozen_at = CASE WHEN ${GAP_IS_CLOSED} OR (d.gap_id IS NULL AND $4::timestamptz IS NULL) THEN $3::timestamptz END,
    state = CASE WHEN ${GAP_IS_CLOSED} THEN 'waiting' ELSE 'posted' END
  WHERE ${OWN}`;
