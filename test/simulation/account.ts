import type { Facts, PlantedFailure, RecordedFailure, Stretch } from './facts.ts';
import { clock, MINUTE } from './virtual-time.ts';

/** A broken promise of docs/guarantees.md, in a sentence. */
export interface Discrepancy {
  rule: Rule;
  sentence: string;
}

export type Rule =
  | ('seen-or-reported' | 'recorded-once' | 'one-incident' | 'edited' | 'due' | 'posted-once')
  | ('alerted-once' | 'gaps' | 'edit-budget' | 'in-time' | 'counted' | 'muted' | 'true' | 'heartbeat')
  | ('sent-once' | 'request-budget' | 'horizon' | 'loops-run');

/** If something is this much later than promised, a heartbeat must have been withheld. */
const OVERDUE_MS = 10 * MINUTE;

/** Compares what was planted with what was recorded, announced and posted: empty if the account is exact. */
export function accountFor(facts: Facts): Discrepancy[] {
  const checks = [
    ...[unseen, recordedTwice, mixedUp, postedTwice, gapsLost],
    ...[late, miscounted, silentlyOverdue, outOfBounds, sentWrongly],
  ];
  return [...facts.seen, ...checks.flatMap((check) => check(facts))];
}

function unseen({ planted, recorded, notSeen }: Facts): Discrepancy[] {
  const seen = new Set(recorded.map(({ jobId }) => jobId));
  return planted
    .filter(({ jobId, promise }) => promise !== 'free' && !seen.has(jobId))
    .filter((failure) => !isWithin(failure.createdAt, notSeen.givenUp, 1_000))
    .filter(({ mayBeUnreadable, createdAt, countsFrom }) => {
      const isNear = (minute: number) => minute >= countsFrom - 2 * MINUTE && minute <= createdAt + 2 * MINUTE;
      return !mayBeUnreadable || !notSeen.unreadableMinutes.some(isNear);
    })
    .map(({ what }) => broke('seen-or-reported', `${what} is neither recorded nor reported as not seen`));
}

function recordedTwice({ recorded }: Facts): Discrepancy[] {
  return [...countBy(recorded.map(({ jobId }) => jobId))]
    .filter(([, count]) => count > 1)
    .map(([jobId, count]) => broke('recorded-once', `the failure of ${jobId} is recorded ${count} times`));
}

/** What fails at one channel and provider for one cause is one incident, and nothing else is in it. A recipient's own keeps its number only while open. */
function mixedUp({ recorded }: Facts): Discrepancy[] {
  const isTorn = (failure: RecordedFailure, other: RecordedFailure) =>
    other.incidentId !== failure.incidentId && !other.isRecipientFault && !failure.isRecipientFault;
  return recorded.flatMap((failure, index) => {
    const before = recorded.slice(0, index);
    const other = before.find(({ incidentId, kind }) => incidentId === failure.incidentId && kind !== failure.kind);
    const apart = before.find((each) => each.kind === failure.kind && isTorn(failure, each));
    const mixed = `#${failure.incidentId} has failures of ${other?.kind} and of ${failure.kind}`;
    const torn = `failures of ${failure.kind} are in #${apart?.incidentId} and #${failure.incidentId}`;
    return [
      ...(other === undefined ? [] : [broke('one-incident', mixed)]),
      ...(apart === undefined ? [] : [broke('one-incident', torn)]),
    ];
  });
}

/** Finds repeated posts of a message that don't say that they may be repeats. */
export function postedTwice({ posts }: Pick<Facts, 'posts'>): Discrepancy[] {
  const repeats = posts.filter(
    ({ deliveryId, at, askedAt, isMarked }) =>
      // Slack may carry out the first one last.
      !isMarked && posts.some((old) => old.deliveryId === deliveryId && old.askedAt < askedAt && old.standsUntil > at),
  );
  return repeats.map(({ channel, at }) =>
    broke('posted-once', `a message to ${channel} stands twice, posted again at ${clock(at)} without a mark`),
  );
}

/** Finds stops without a gap: after a stop only its last quarter of an hour is read at once, and what is before that is a gap. */
function gapsLost({ gapTimes, stops, promises: { longestStopMs } }: Facts): Discrepancy[] {
  const isCovered = (stop: Stretch) =>
    gapTimes.some(({ from, to }) => from <= stop.from + MINUTE && to >= stop.to - 17 * MINUTE);
  const lost = stops.filter((stop) => stop.to - stop.from > longestStopMs && !isCovered(stop));
  const words = ({ from, to }: Stretch) => `from ${clock(from)} to ${clock(to)}`;
  const reversed = gapTimes.filter(({ from, to }) => to < from).map((gap) => broke('gaps', `a gap is ${words(gap)}`));
  return [...lost.map((stop) => broke('gaps', `Notif was stopped ${words(stop)} without a gap`)), ...reversed];
}

function late(facts: Facts): Discrepancy[] {
  return facts.planted.flatMap((failure) => {
    const within = promisedWithin(failure, facts);
    const recorded = facts.recorded.find(({ jobId }) => jobId === failure.jobId);
    if (within === null || recorded === undefined) return [];
    const delay = recorded.recordedAt - failure.visibleAt;
    if (delay < -2 * MINUTE) return [broke('true', `${failure.what} was recorded ${minutes(-delay)} before it showed`)];
    if (delay <= within || overlaps({ from: failure.visibleAt, to: recorded.recordedAt }, facts.excuses)) return [];
    return [broke('in-time', `${failure.what} was recorded after ${minutes(delay)}, ${minutes(within)} is promised`)];
  });
}

function promisedWithin(failure: PlantedFailure, { promises: { freshWithinMs, lateWithinMs } }: Facts): number | null {
  if (failure.promise === 'fresh') return freshWithinMs;
  if (failure.promise === 'late' && lateWithinMs !== null)
    return lateWithinMs(failure.visibleAt - failure.createdAt, failure.visibleAt);
  return null;
}

/** Compares how many events are counted as unreadable with how many are. */
function miscounted({ planted, notSeen }: Facts): Discrepancy[] {
  const least = planted.filter(
    ({ isUnreadable, promise, createdAt }) =>
      isUnreadable && promise !== 'free' && !isWithin(createdAt, notSeen.givenUp, 1_000),
  ).length;
  const { unreadable: counted, mostUnreadable: most } = notSeen;
  if (counted >= least && counted <= most) return [];
  return [broke('counted', `${counted} events are counted as unreadable, at least ${least} and at most ${most} are`)];
}

/**
 * If a fresh failure isn't recorded for this long, a post must say so by then, or a heartbeat must be missing. The time during which Notif is
 * stopped doesn't count: nothing is posted then, and the calls to the dead man's switch stop without one that's withheld.
 */
function silentlyOverdue(facts: Facts): Discrepancy[] {
  const { planted, recorded, heartbeats, stops, notSeen, promises } = facts;
  return planted.flatMap((failure) => {
    if (failure.promise !== 'fresh' || failure.mayBeUnreadable || isWithin(failure.createdAt, notSeen.givenUp, 1_000))
      return [];
    const recordedAt = recorded.find(({ jobId }) => jobId === failure.jobId)?.recordedAt ?? Number.POSITIVE_INFINITY;
    const patience = 3 * promises.pollMs + OVERDUE_MS + overlapMs({ from: failure.visibleAt, to: recordedAt }, stops);
    if (recordedAt - failure.visibleAt <= patience) return [];
    const posted = notSeen.posted.filter(({ at }) => at <= failure.visibleAt + patience);
    if (isWithin(failure.createdAt, posted, 1_000)) return [];
    const during = heartbeats.filter(({ at }) => at > failure.visibleAt && at <= recordedAt);
    const isMissing = !during.some(({ at }) => at <= failure.visibleAt + patience);
    if (isMissing || during.some(({ isSent }) => !isSent)) return [];
    return [broke('heartbeat', `no post or heartbeat said that ${failure.what} was overdue by ${minutes(patience)}`)];
  });
}

function outOfBounds({ bounded }: Facts): Discrepancy[] {
  return bounded
    .filter(({ is, least = 0, most }) => is < least || is > most)
    .map(({ rule, words, is, least = 0, most }) =>
      broke(rule, `there are ${is} ${words}, and may be ${least} to ${most}`),
    );
}

/** What failed is sent again once, to whom it was for: the service ignores an ID that it has. */
function sentWrongly({ planted, sends }: Facts): Discrepancy[] {
  const once = new Map(sends.map((sent) => [sent.payload.order, sent]));
  return sends.flatMap(({ payload: { order }, to: [{ subscriberId }], transactionId }) => {
    const isAnother = once.get(order)?.transactionId !== transactionId;
    const isFailed = planted.some(({ jobId }) => jobId === `job-${order}`);
    if (!isAnother && isFailed && subscriberId === `user-${order % 20}`) return [];
    return [broke('sent-once', `event ${order} was sent again to ${subscriberId} as ${transactionId}, which is wrong`)];
  });
}

function isWithin(time: number, stretches: readonly Stretch[], margin: number): boolean {
  return stretches.some(({ from, to }) => time >= from - margin && time <= to + margin);
}

function overlaps({ from, to }: Stretch, others: readonly Stretch[]): boolean {
  return others.some((other) => other.from < to && other.to > from);
}

function overlapMs({ from, to }: Stretch, others: readonly Stretch[]): number {
  return others.reduce((sum, other) => sum + Math.max(0, Math.min(to, other.to) - Math.max(from, other.from)), 0);
}

function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

export const broke = (rule: Rule, sentence: string): Discrepancy => ({ rule, sentence });
const minutes = (ms: number) => `${Math.round(ms / 6_000) / 10} min`;
