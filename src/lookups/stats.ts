import { workflowsChanged } from '../changes/changes.ts';
import { type Silent, silentIn } from '../incidents/silences.ts';
import type { FailureFilter } from '../judging/filter.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import type { Grouping } from './attempt-statements.ts';
import { type Attempts, attemptsIn, shareOf } from './attempts.ts';
import { type Checked, type CheckedCtx, checkedIn, reachesNow } from './checked.ts';
import { foundIn } from './found.ts';

/** Fewer deliveries than these in an hour can be missing by chance. */
const FEWEST_USUAL = 5;
const NO_CHANGES: ReadonlyMap<string, Date> = new Map();

export interface StatsRow extends Attempts {
  isSilent: boolean;
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
  const changed = grouping === 'workflow' ? await workflowsChanged(ctx.db, ctx.environment.name) : NO_CHANGES;
  const rows = counted.map((row) => {
    const isReported = grouping === 'workflow' && silences.some(({ workflow }) => workflow === row.name);
    const isSilent = isReported || (row.lastHour === 0 && (row.usualHour ?? 0) >= FEWEST_USUAL);
    return { ...row, isSilent, changedAt: changed.get(row.name) ?? null };
  });
  rows.sort((a, b) => Number(b.isSilent) - Number(a.isSilent) || shareOf(b) - shareOf(a) || b.delivered - a.delivered);
  return { ...checked, silences, rows };
}
