import type { TimeRange } from '../lib/time/time-range.ts';
import type { Tally } from './failure.ts';
import type { FailureVerdict } from './verdict.ts';

/** Both counts are of the events created from `from` to `to`, by whole minutes. */
export interface Share {
  readonly failed: number;
  readonly of: number;
  readonly from: Date;
  readonly to: Date;
}

export function shareOf(failed: number, of: number, { from, to }: TimeRange): Share | null {
  if (of <= 0 || failed > of || from > to) return null;
  return { failed, of, from, to };
}

export interface FailureSummary {
  readonly tallies: readonly Tally[];
  /** How many more tallies there are than a list holds; the smallest are left out and only counted. */
  readonly leftOut: number;
  readonly counts: { readonly [V in FailureVerdict]?: number };
  /** Events with an announced failure: in total, by severity, and critical ones. */
  readonly failedEvents: number;
  readonly bySeverity: ReadonlyMap<string, number>;
  readonly critical: number;
  readonly eventsChecked: number;
  readonly unreadable: number;
  /** Events checked, by workflow identifier: the denominators of the tallies' shares. */
  readonly workflowEvents: ReadonlyMap<string, number>;
  readonly lateTallies: ReadonlySet<string>;
}

export function emptySummary(): FailureSummary {
  return {
    tallies: [],
    leftOut: 0,
    counts: {},
    failedEvents: 0,
    bySeverity: new Map(),
    critical: 0,
    eventsChecked: 0,
    unreadable: 0,
    workflowEvents: new Map(),
    lateTallies: new Set(),
  };
}

/** Returns a tally's share of its workflow's events; null also if some of what failed was created before the checked range. */
export function shareOfTally(summary: FailureSummary, { kind, events }: Tally, checked: TimeRange): Share | null {
  if (summary.lateTallies.has(kind.key)) return null;
  return shareOf(events, summary.workflowEvents.get(kind.workflow ?? '') ?? 0, checked);
}
