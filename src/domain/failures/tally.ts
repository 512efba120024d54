import { min } from 'date-fns';
import type { TimeRange } from '../time/time-range.ts';
import {
  compareTallies,
  type Failure,
  type Group,
  type GroupTally,
  gravest,
  groupOf,
  severityRank,
} from './failure.ts';
import { type Share, shareOf } from './share.ts';
import { type FailureVerdict, isAnnounced } from './verdict.ts';

export interface FailureSummary {
  /** In the order of `compareTallies`. */
  readonly groups: readonly GroupTally[];
  /** How many more groups there are than a list holds; the smallest are left out and only counted. */
  readonly groupsLeftOut: number;
  readonly counts: { readonly [V in FailureVerdict]?: number };
  /** Events with an announced failure: in total, by severity, and critical ones. */
  readonly failedEvents: number;
  readonly bySeverity: ReadonlyMap<string, number>;
  readonly critical: number;
  readonly eventsChecked: number;
  readonly unreadable: number;
  /** Events checked, by workflow identifier: the denominators of the groups' shares. */
  readonly workflowEvents: ReadonlyMap<string, number>;
  readonly lateGroups: ReadonlySet<string>;
}

export function emptySummary(): FailureSummary {
  return {
    groups: [],
    groupsLeftOut: 0,
    counts: {},
    failedEvents: 0,
    bySeverity: new Map(),
    critical: 0,
    eventsChecked: 0,
    unreadable: 0,
    workflowEvents: new Map(),
    lateGroups: new Set(),
  };
}

/** `at`: used if the service gives no time. */
export function summarize(environment: string, failures: readonly Failure[], at: Date): FailureSummary {
  const announced = failures.filter((failure) => isAnnounced(failure.verdict));
  const first = announced[0];
  return {
    ...emptySummary(),
    groups: failures.map((failure) => tallyOf(groupOf(environment, failure), failure, at)),
    counts: countBy(failures),
    failedEvents: first ? 1 : 0,
    bySeverity: first?.severity ? new Map([[first.severity, 1]]) : new Map(),
    critical: first?.critical ? 1 : 0,
  };
}

function tallyOf(group: Group, failure: Failure, at: Date): GroupTally {
  const seen = failure.occurredAt ?? at;
  return {
    group,
    verdict: failure.verdict,
    failures: 1,
    subscribers: failure.subscriberId === null ? 0 : 1,
    events: 1,
    firstSeen: seen,
    lastSeen: seen,
    severity: failure.severity,
    critical: failure.critical,
    example: { eventId: failure.eventId, transactionId: failure.transactionId, subscriberId: failure.subscriberId },
  };
}

function countBy(failures: readonly Failure[]): FailureSummary['counts'] {
  const counts: { [V in FailureVerdict]?: number } = {};
  for (const { verdict } of failures) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

/** Joins the summaries of parts that share no event. Adds up subscribers too, so somebody affected in two parts counts twice. */
export function joinSummaries(parts: readonly FailureSummary[]): FailureSummary {
  const groups = new Map<string, GroupTally>();
  for (const tally of parts.flatMap((part) => part.groups)) {
    const known = groups.get(tally.group.key);
    groups.set(tally.group.key, known ? joinTallies(known, tally) : tally);
  }
  return {
    groups: [...groups.values()].sort(compareTallies),
    groupsLeftOut: total(parts, (part) => part.groupsLeftOut),
    counts: parts.reduce<FailureSummary['counts']>((sum, part) => addCounts(sum, part.counts), {}),
    failedEvents: total(parts, (part) => part.failedEvents),
    bySeverity: addMaps(parts.map((part) => part.bySeverity)),
    critical: total(parts, (part) => part.critical),
    eventsChecked: total(parts, (part) => part.eventsChecked),
    unreadable: total(parts, (part) => part.unreadable),
    workflowEvents: addMaps(parts.map((part) => part.workflowEvents)),
    lateGroups: new Set(parts.flatMap((part) => [...part.lateGroups])),
  };
}

/** Returns a group's share of its workflow's events; null also if some of what failed was created before the checked range. */
export function shareOfGroup(summary: FailureSummary, { group, events }: GroupTally, checked: TimeRange): Share | null {
  if (summary.lateGroups.has(group.key)) return null;
  return shareOf(events, summary.workflowEvents.get(group.workflow ?? '') ?? 0, checked);
}

function joinTallies(a: GroupTally, b: GroupTally): GroupTally {
  const newer = a.lastSeen >= b.lastSeen ? a : b;
  return {
    ...newer,
    verdict: gravest([a.verdict, b.verdict]),
    failures: a.failures + b.failures,
    subscribers: a.subscribers + b.subscribers,
    events: a.events + b.events,
    firstSeen: min([a.firstSeen, b.firstSeen]),
    severity: severityRank(a.severity) <= severityRank(b.severity) ? a.severity : b.severity,
    critical: a.critical || b.critical,
  };
}

function addCounts(a: FailureSummary['counts'], b: FailureSummary['counts']): FailureSummary['counts'] {
  const sum: { [V in FailureVerdict]?: number } = { ...a };
  for (const verdict of Object.keys(b) as FailureVerdict[]) sum[verdict] = (sum[verdict] ?? 0) + (b[verdict] ?? 0);
  return sum;
}

function addMaps(maps: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const sum = new Map<string, number>();
  for (const [key, count] of maps.flatMap((map) => [...map])) sum.set(key, (sum.get(key) ?? 0) + count);
  return sum;
}

function total(parts: readonly FailureSummary[], of: (part: FailureSummary) => number): number {
  return parts.reduce((sum, part) => sum + of(part), 0);
}
