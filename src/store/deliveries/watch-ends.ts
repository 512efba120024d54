import { z } from 'zod';
import type { WatchEnd } from '../../domain/watches/watch.ts';
import type { ClaimedMessage, DeliveryStore } from '../../use-cases/alerting/deliver-messages.ts';
import { jsonOf, type Sql, type SqlWrite } from '../database/database.ts';

const WatchRow = z.object({ id: z.string(), created_by: z.string().nullable(), is_configured: z.boolean() });

type Trouble = Parameters<DeliveryStore['noteShutOut']>[2];

async function endWatchBecause(
  sql: Sql,
  watchId: string,
  why: WatchEnd,
  notify: readonly string[],
  now: Date,
): Promise<void> {
  const end = `UPDATE watches SET ended_at = $2, ended_by = 'notif', ended_why = $3 WHERE id = $1 AND ended_at IS NULL`;
  if ((await sql.write(end, [watchId, now, why])) > 0) await noteEnd(sql, watchId, why, notify, now);
}

export async function shutOut(
  sql: Sql,
  claimed: ClaimedMessage,
  why: WatchEnd,
  { reason, operators, retryAt }: Trouble,
  now: Date,
): ReturnType<DeliveryStore['noteShutOut']> {
  const watch = await watchOf(sql, claimed.id);
  if (claimed.kind === 'watch-ended') {
    await giveUp(sql, claimed, reason);
    await passOn(sql, claimed, watch.id, operators, now);
    return 'given up';
  }
  if (watch.is_configured) {
    await sql.write(WAIT, [claimed.id, claimed.attempt, why, retryAt]);
    await noteEnd(sql, watch.id, why, operators, now);
    return 'tried again';
  }
  await giveUp(sql, claimed, reason);
  await endWatchBecause(sql, watch.id, why, watch.created_by === null ? operators : [watch.created_by], now);
  return 'watch ended';
}

async function watchOf(sql: Sql, messageId: string): Promise<z.output<typeof WatchRow>> {
  const ofMessage = 'SELECT w.* FROM watches w JOIN messages d ON d.watch_id = w.id WHERE d.id = $1';
  const [watch] = await sql.rows(WatchRow, ofMessage, [messageId]);
  if (watch === undefined) throw new Error(`there is no message ${messageId}`);
  return watch;
}

/** Stores the reason in the domain's words, so that the backlog (`backlog.ts`) can distinguish messages blocked by their channel. */
const WAIT = `
  UPDATE messages SET state = 'waiting', last_refusal = $3, retry_at = $4, begun_at = NULL, leased_until = NULL
  WHERE id = $1 AND state = 'posting' AND attempt = $2`;

export async function giveUp(sql: SqlWrite, claimed: ClaimedMessage, reason: string): Promise<void> {
  await sql.write(
    `UPDATE messages SET state = 'gone', last_refusal = $3 WHERE id = $1 AND state = 'posting' AND attempt = $2`,
    [claimed.id, claimed.attempt, reason],
  );
}

async function passOn(
  sql: Sql,
  claimed: ClaimedMessage,
  watchId: string,
  operators: readonly string[],
  now: Date,
): Promise<void> {
  const others = operators.filter((operator) => operator !== claimed.channel);
  await sql.write(`${NOTIFY} CROSS JOIN (SELECT details FROM messages WHERE id = $4) said ${UNLESS_NOTIFIED}`, [
    watchId,
    jsonOf(others),
    now,
    claimed.id,
  ]);
}

async function noteEnd(sql: Sql, watchId: string, why: WatchEnd, notify: readonly string[], now: Date): Promise<void> {
  const said = `CROSS JOIN (SELECT jsonb_build_object('why', $4::text) AS details) said`;
  await sql.write(`${NOTIFY} ${said} ${UNLESS_NOTIFIED}`, [watchId, jsonOf(notify), now, why]);
}

/** Writes a message for each user ID in $2. It covers no time range. */
const NOTIFY = `
  INSERT INTO messages (watch_id, kind, recipient, details, created_at, covered_from, covered_to)
  SELECT $1, 'watch-ended', notified.recipient, said.details, $3, $3, $3
  FROM (SELECT value AS recipient FROM jsonb_array_elements_text($2::jsonb)) notified`;

/** Nobody is notified twice of the same problem, which lasts until a message arrives in the channel again. */
const UNLESS_NOTIFIED = `
  WHERE NOT EXISTS (
    SELECT 1 FROM messages before
    WHERE before.watch_id = $1 AND before.kind = 'watch-ended' AND before.recipient = notified.recipient
      AND before.created_at >= coalesce(
        (SELECT max(arrived.posted_at) FROM messages arrived WHERE arrived.watch_id = $1 AND arrived.recipient IS NULL),
        '-infinity'
      )
  )`;
