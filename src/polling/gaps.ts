import { max, min, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import type { ServiceProblem } from '../domain/errors.ts';
import { type Gap, type GapCause, type GapPart, opensGap, replacedIn } from '../domain/polling/gap.ts';
import type { TimeRange } from '../domain/time/time-range.ts';
import type { Db } from '../store/db.ts';
import { rowWith } from '../store/row.ts';
import { jsonOf } from '../store/values.ts';
import { gapRows, StoredParts } from './gap-rows.ts';

/** A time range left for later: it becomes a gap, or extends the open one. */
export interface SetAside extends TimeRange {
  readonly cause: GapCause;
  readonly problem: ServiceProblem | null;
  readonly parts: readonly GapPart[];
}

export interface DuePart extends GapPart {
  readonly gapId: string;
}

export function gapsIn(sql: Db, environment: string, { from, to }: TimeRange): Promise<Gap[]> {
  const overlap = 'g.environment = $1 AND g.begins_at <= $3 AND (g.ends_at IS NULL OR g.ends_at >= $2)';
  return gapRows(sql, overlap, [environment, from, to]);
}

const OpenGapRow = rowWith({
  id: z.string(),
  beginsAt: z.date(),
  endsAt: z.date().nullable(),
  unchecked: StoredParts,
});
type OpenGap = z.output<typeof OpenGapRow>;

function openGaps(sql: Db, environment: string): Promise<OpenGap[]> {
  const open = `
    SELECT * FROM gaps WHERE environment = $1 AND closed_at IS NULL ORDER BY ends_at DESC NULLS FIRST, opened_at DESC`;
  return sql.rows(OpenGapRow, open, [environment]);
}

export async function partsWithin(sql: Db, environment: string, { from, to }: TimeRange): Promise<TimeRange[]> {
  const parts = (await openGaps(sql, environment)).flatMap(({ unchecked }) => unchecked);
  return parts.filter((part) => part.from <= to && part.to >= from);
}

/** Returns the newest part that is due. */
export async function duePart(sql: Db, environment: string, now: Date): Promise<DuePart | undefined> {
  const parts = (await openGaps(sql, environment)).flatMap(({ id: gapId, unchecked }) =>
    unchecked.map((part) => ({ ...part, gapId })),
  );
  const due = parts.filter(({ nextTryAt }) => nextTryAt !== null && nextTryAt <= now);
  return due.sort((a, b) => b.from.getTime() - a.from.getTime())[0];
}

const EnvironmentRow = rowWith({ environment: z.string() });
const LOCK = 'SELECT environment FROM environments WHERE environment = $1 FOR UPDATE';

/** A range that begins this soon after an open gap extends it, so that one lasting problem is one gap. */
const ONE_GAP_MS = 15 * 60_000;

export async function setAside(sql: Db, environment: string, range: SetAside, now: Date): Promise<void> {
  await sql.rows(EnvironmentRow, LOCK, [environment]);
  const near = subMilliseconds(range.from, ONE_GAP_MS);
  const known = (await openGaps(sql, environment)).find(({ endsAt }) => endsAt === null || endsAt >= near);
  const { id, beginsAt, endsAt, unchecked } = known ?? (await openGap(sql, environment, range, now));
  const parts = range.parts.reduce((all, part) => replacedIn(all, part, [part]), unchecked);
  await sql.write('UPDATE gaps SET begins_at = $2, ends_at = $3, unchecked = $4::jsonb WHERE id = $1', [
    id,
    min([beginsAt, range.from]),
    endsAt && max([endsAt, range.to]),
    jsonOf(parts),
  ]);
}

/** A gap whose end is not known yet has `to` null. */
async function openGap(
  sql: Db,
  environment: string,
  gap: Pick<SetAside, 'from' | 'cause' | 'problem'> & { readonly to: Date | null },
  now: Date,
): Promise<OpenGap> {
  const [opened] = await sql.rows(
    OpenGapRow,
    `INSERT INTO gaps (id, environment, begins_at, ends_at, cause, detail, opened_at)
     VALUES (gen_random_uuid()::text, $1, $2, $3, $4, $5::jsonb, $6) RETURNING *`,
    [environment, gap.from, gap.to, gap.cause, gap.problem && jsonOf(gap.problem), now],
  );
  if (opened === undefined) throw new Error('a gap was not opened');
  return opened;
}

/** Opens a gap without an end for an environment that has been unreadable for long, unless there is one. */
export async function openEndlessGap(
  sql: Db,
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
  if ((await openGaps(sql, environment)).some(({ endsAt }) => endsAt === null)) return;
  await openGap(sql, environment, { from: checkedTo, to: null, cause: problem.kind, problem }, now);
}

/** Ends an environment's endless gap because it can be read again, and closes it if nothing was set aside. */
export async function endGaps(sql: Db, environment: string, to: Date, now: Date): Promise<void> {
  await sql.write('UPDATE gaps SET ends_at = $2 WHERE environment = $1 AND ends_at IS NULL', [environment, to]);
  await closeReadGaps(sql, environment, now);
}

/** Replaces a part that was tried, or a window in it, with what is left of that, and closes its gap if nothing is. */
export async function replacePart(sql: Db, part: DuePart, left: readonly GapPart[], environment: string, now: Date) {
  await sql.rows(EnvironmentRow, LOCK, [environment]);
  const gap = (await openGaps(sql, environment)).find(({ id }) => id === part.gapId);
  if (gap === undefined) return;
  const parts = replacedIn(gap.unchecked, part, left);
  await sql.write('UPDATE gaps SET unchecked = $2::jsonb WHERE id = $1', [gap.id, jsonOf(parts)]);
  await closeReadGaps(sql, environment, now);
}

async function closeReadGaps(sql: Db, environment: string, now: Date): Promise<void> {
  await sql.write(
    `UPDATE gaps SET closed_at = $2 WHERE environment = $1 AND closed_at IS NULL AND ends_at IS NOT NULL
       AND NOT unchecked @? '$[*] ? (@.nextTryAt != null)'`,
    [environment, now],
  );
}

export async function countInGap(
  sql: Db,
  gapId: string,
  { newEvents, newFailures }: { readonly newEvents: number; readonly newFailures: number },
): Promise<void> {
  await sql.write('UPDATE gaps SET events = events + $2, failures = failures + $3 WHERE id = $1', [
    gapId,
    newEvents,
    newFailures,
  ]);
}
