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

/** What a span of time holds: the failures in groups, and what was read to find them. */
export interface FailureSummary {
  /** In the order of `compareTallies`. */
  readonly groups: readonly GroupTally[];
  /** How many more there were than a list holds: the smallest are left out, and counted only. */
  readonly groupsLeftOut: number;
  /** Failures by verdict. */
  readonly counts: { readonly [V in FailureVerdict]?: number };
  /** Events with a failure that is announced: in all, by severity, and those that are critical. */
  readonly failedEvents: number;
  readonly bySeverity: ReadonlyMap<string, number>;
  readonly critical: number;
  readonly eventsRead: number;
  readonly unreadable: number;
  /** Events checked, by workflow identifier: what a group's failures are a share of. */
  readonly workflowEvents: ReadonlyMap<string, number>;
  /** The keys of groups in which an event failed that was created before the stretch of time that was asked for. */
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
    eventsRead: 0,
    unreadable: 0,
    workflowEvents: new Map(),
    lateGroups: new Set(),
  };
}

/** One event's failures as findings; `at` is used where the service gives no time. */
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

/**
 * Findings of parts that share no event, as one. Subscribers and events of a group are added up: somebody hit in two parts counts
 * in both.
 */
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
    eventsRead: total(parts, (part) => part.eventsRead),
    unreadable: total(parts, (part) => part.unreadable),
    workflowEvents: addMaps(parts.map((part) => part.workflowEvents)),
    lateGroups: new Set(parts.flatMap((part) => [...part.lateGroups])),
  };
}

/** A group's share of its workflow's events; null also where some of what failed was created before the stretch that was checked. */
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
