import { max, subMilliseconds } from 'date-fns';
import { workflowsChanged } from '../changes/changes.ts';
import { type Silent, silentIn } from '../incidents/silences.ts';
import type { FailureFilter } from '../judging/filter.ts';
import { DAY_MS, HOUR_MS, lengthOf, type TimeRange } from '../lib/time/durations.ts';
import type { Db } from '../store/db.ts';
import { type Attempts, attemptsIn, type Grouping, keyOf, shareOf } from './attempts.ts';
import { type Checked, type CheckedCtx, checkedIn, reachesNow } from './checked.ts';
import { type Found, foundIn } from './found.ts';

/** Fewer deliveries than these in an hour can be missing by chance. */
const FEWEST_USUAL = 5;
const USUAL_DAYS = 8;
const NO_CHANGES: ReadonlyMap<string, Date> = new Map();

/** What is normal, by up to eight days. */
interface UsualTraffic {
  /** How many attempts an hour has. */
  perHour: number;
  /** Which share of attempts failed, 0 to 1. */
  share: number;
  p95Ms: number | null;
}

export interface StatsRow extends Attempts {
  isSilent: boolean;
  /** What is normal; null: not known. */
  usual: UsualTraffic | null;
  /** When its workflow was last seen changed. */
  changedAt: Date | null;
}

export interface Stats extends Checked {
  silences: readonly Silent[];
  rows: readonly StatsRow[];
}

export async function statsIn(
  ctx: CheckedCtx,
  range: TimeRange,
  { grouping, filter }: { grouping: Grouping; filter: FailureFilter },
): Promise<Stats> {
  const { checked, scope } = await checkedIn(ctx, range);
  const found = await foundIn(ctx.db, ctx.environment.name, scope, filter);
  const isCurrent = reachesNow(range, ctx.now());
  const silences = await silentIn(ctx.db, isCurrent ? [ctx.environment.name] : []);
  const counted = await attemptsIn(ctx.db, grouping, found, isCurrent ? scope.coverage : null);
  const usual = isCurrent ? await usualIn(ctx.db, grouping, found) : new Map<string, UsualTraffic>();
  const changed = grouping === 'workflow' ? await workflowsChanged(ctx.db, ctx.environment.name) : NO_CHANGES;
  const rows = counted.map((row) => {
    const isReported = grouping === 'workflow' && silences.some(({ workflow }) => workflow === row.name);
    const isSilent = isReported || (row.lastHour === 0 && (row.usually ?? 0) >= FEWEST_USUAL);
    return { ...row, isSilent, usual: usual.get(keyOf(row)) ?? null, changedAt: changed.get(row.name) ?? null };
  });
  rows.sort((a, b) => Number(b.isSilent) - Number(a.isSilent) || shareOf(b) - shareOf(a) || b.delivered - a.delivered);
  return { ...checked, silences, rows };
}

/** Less than a day says nothing about what is normal. */
async function usualIn(db: Db, grouping: Grouping, found: Found): Promise<ReadonlyMap<string, UsualTraffic>> {
  const { coverage } = found;
  const from = max([coverage.from, subMilliseconds(coverage.to, USUAL_DAYS * DAY_MS)]);
  const range = { from, to: coverage.to };
  if (lengthOf(range) < DAY_MS) return new Map();
  const rows = await attemptsIn(db, grouping, { ...found, range }, null);
  const hours = lengthOf(range) / HOUR_MS;
  return new Map(
    rows.map((row) => {
      const perHour = (row.delivered + row.failed) / hours;
      return [keyOf(row), { perHour, share: shareOf(row), p95Ms: row.p95Ms }];
    }),
  );
}
