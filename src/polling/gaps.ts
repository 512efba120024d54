import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import type { ServiceProblem } from '../domain/errors.ts';
import { type Gap, type GapCause, type GapPart, opensGap } from '../domain/polling/gap.ts';
import type { TimeRange } from '../domain/time/time-range.ts';
import { jsonOf, type Sql, type SqlRows, type SqlWrite } from '../store/database/database.ts';
import { IdRow, rowWith } from '../store/database/row.ts';
import { gapRows } from './gap-rows.ts';

/** A time range left for later: it becomes a gap, or extends the open one. */
export interface SetAside extends TimeRange {
  readonly cause: GapCause;
  readonly problem: ServiceProblem | null;
  readonly parts: readonly GapPart[];
}

export interface DuePart extends GapPart {
  readonly gapId: string;
}

export function gapsIn(sql: SqlRows, environment: string, { from, to }: TimeRange): Promise<Gap[]> {
  const overlap = 'g.environment = $1 AND g.begins_at <= $3 AND (g.ends_at IS NULL OR g.ends_at >= $2)';
  return gapRows(sql, overlap, [environment, from, to]);
}

const WindowRow = z.object({ from: z.date(), to: z.date() });

export function partsWithin(sql: SqlRows, environment: string, { from, to }: TimeRange): Promise<TimeRange[]> {
  return sql.rows(
    WindowRow,
    `SELECT p.begins_at AS "from", p.ends_at AS "to" FROM gaps g JOIN gap_windows p ON p.gap_id = g.id
     WHERE g.environment = $1 AND g.closed_at IS NULL AND p.begins_at <= $3 AND p.ends_at >= $2`,
    [environment, from, to],
  );
}

const DuePartRow = rowWith({
  gapId: z.string(),
  beginsAt: z.date(),
  endsAt: z.date(),
  tries: z.number(),
  nextTryAt: z.date(),
}).transform(({ beginsAt: from, endsAt: to, ...row }): DuePart => ({ ...row, window: { from, to } }));

export function dueParts(sql: SqlRows, environment: string, now: Date, limit: number): Promise<DuePart[]> {
  return sql.rows(
    DuePartRow,
    `SELECT p.* FROM gaps g JOIN gap_windows p ON p.gap_id = g.id
     WHERE g.environment = $1 AND g.closed_at IS NULL AND p.given_up_at IS NULL AND p.next_try_at <= $2
     ORDER BY p.begins_at DESC LIMIT $3`,
    [environment, now, limit],
  );
}

/** A range that begins this soon after an open gap extends it, so that one lasting problem is one gap. */
const ONE_GAP_MS = 15 * 60_000;

export async function setAside(sql: Sql, environment: string, stretch: SetAside, now: Date): Promise<void> {
  const near = subMilliseconds(stretch.from, ONE_GAP_MS);
  const [prolonged] = await sql.rows(IdRow, PROLONG, [environment, near, stretch.from, stretch.to]);
  const id = prolonged?.id ?? (await openGap(sql, environment, stretch, now));
  await addParts(sql, id, stretch.parts, now);
}

const PROLONG = `
  UPDATE gaps SET begins_at = LEAST(begins_at, $3), ends_at = CASE WHEN ends_at IS NULL THEN NULL ELSE GREATEST(ends_at, $4) END
  WHERE id = (
    SELECT id FROM gaps WHERE environment = $1 AND closed_at IS NULL AND (ends_at IS NULL OR ends_at >= $2)
    ORDER BY ends_at DESC NULLS FIRST, opened_at DESC LIMIT 1
  ) RETURNING id`;

/** A gap whose end is not known yet has `to` null. */
async function openGap(
  sql: Sql,
  environment: string,
  gap: Pick<SetAside, 'from' | 'cause' | 'problem'> & { readonly to: Date | null },
  now: Date,
): Promise<string> {
  const [opened] = await sql.rows(
    IdRow,
    `INSERT INTO gaps (id, environment, begins_at, ends_at, cause, detail, opened_at)
     VALUES (gen_random_uuid()::text, $1, $2, $3, $4, $5::jsonb, $6) RETURNING id`,
    [environment, gap.from, gap.to, gap.cause, gap.problem && jsonOf(gap.problem), now],
  );
  if (opened === undefined) throw new Error('a gap was not opened');
  return opened.id;
}

async function addParts(sql: Sql, gapId: string, parts: readonly GapPart[], now: Date): Promise<void> {
  const rows = parts.map(({ window: { from, to }, tries, nextTryAt }) => ({ from, to, tries, nextTryAt }));
  await sql.write(ADD_PARTS, [gapId, jsonOf(rows), now]);
}

const ADD_PARTS = `
  INSERT INTO gap_windows (gap_id, begins_at, ends_at, tries, next_try_at, given_up_at)
  SELECT $1, "from", "to", tries, coalesce("nextTryAt", $3), CASE WHEN "nextTryAt" IS NULL THEN $3::timestamptz END
  FROM jsonb_to_recordset($2::jsonb) AS part ("from" timestamptz, "to" timestamptz, tries integer, "nextTryAt" timestamptz)
  ON CONFLICT (gap_id, begins_at) DO UPDATE SET ends_at = GREATEST(gap_windows.ends_at, EXCLUDED.ends_at),
    tries = LEAST(gap_windows.tries, EXCLUDED.tries), next_try_at = LEAST(gap_windows.next_try_at, EXCLUDED.next_try_at),
    given_up_at = CASE WHEN EXCLUDED.given_up_at IS NULL THEN NULL ELSE gap_windows.given_up_at END`;

/** Opens a gap without an end for an environment that has been unreadable for long, unless there is one. */
export async function openEndlessGap(
  sql: Sql,
  failing: {
    readonly environment: string;
    readonly problem: ServiceProblem;
    readonly checkedTo: Date;
    readonly failingSince: Date;
  },
  now: Date,
): Promise<void> {
  const { environment, problem, checkedTo, failingSince } = failing;
  if (!opensGap(failingSince, now)) return;
  const endless = 'SELECT id FROM gaps WHERE environment = $1 AND ends_at IS NULL';
  if ((await sql.rows(IdRow, endless, [environment])).length > 0) return;
  await openGap(sql, environment, { from: checkedTo, to: null, cause: problem.kind, problem }, now);
}

/** Ends an environment's endless gap because it can be read again, and closes it if nothing was set aside. */
export async function endGaps(sql: Sql, environment: string, to: Date, now: Date): Promise<void> {
  await sql.write('UPDATE gaps SET ends_at = $2 WHERE environment = $1 AND ends_at IS NULL', [environment, to]);
  await closeReadGaps(sql, environment, now);
}

/** Replaces a part that was read with what is left of it, and with what a poll has added behind it meanwhile. */
export async function replacePart(sql: Sql, part: DuePart, left: readonly GapPart[], environment: string, now: Date) {
  const { gapId, window } = part;
  const [replaced] = await sql.rows(
    WindowRow,
    'DELETE FROM gap_windows WHERE gap_id = $1 AND begins_at = $2 RETURNING begins_at AS "from", ends_at AS "to"',
    [gapId, window.from],
  );
  const isLonger = replaced !== undefined && replaced.to > window.to;
  const added = isLonger ? [{ window: { from: window.to, to: replaced.to }, tries: 0, nextTryAt: now }] : [];
  // What is left of the part can be its last moment, which is also the first of what was added.
  const apart = left.filter((one) =>
    added.every(({ window: { from } }) => one.window.from.getTime() !== from.getTime()),
  );
  await addParts(sql, gapId, [...apart, ...added], now);
  await closeReadGaps(sql, environment, now);
}

async function closeReadGaps(sql: Sql, environment: string, now: Date): Promise<void> {
  await sql.write(
    `UPDATE gaps SET closed_at = $2 WHERE environment = $1 AND closed_at IS NULL AND ends_at IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM gap_windows p WHERE p.gap_id = gaps.id AND p.given_up_at IS NULL)`,
    [environment, now],
  );
}

export async function countInGap(
  sql: SqlWrite,
  gapId: string,
  { newEvents, newFailures }: { readonly newEvents: number; readonly newFailures: number },
): Promise<void> {
  await sql.write('UPDATE gaps SET events = events + $2, failures = failures + $3 WHERE id = $1', [
    gapId,
    newEvents,
    newFailures,
  ]);
}
