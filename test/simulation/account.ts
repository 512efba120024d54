import type { Facts, PlantedFailure, Stretch } from './facts.ts';

/** A broken promise of docs/guarantees.md, in a sentence. */
export interface Discrepancy {
  readonly rule: Rule;
  readonly sentence: string;
}

export type Rule =
  | 'seen-or-reported'
  | 'recorded-once'
  | 'announced-once'
  | 'wanted-only'
  | 'posted-once'
  | 'no-flood'
  | 'in-time'
  | 'counted'
  | 'muted'
  | 'heartbeat'
  | 'request-budget'
  | 'horizon';

const MINUTE = 60_000;
const HALF_AN_HOUR = 30 * MINUTE;
const TEN_MINUTES = 10 * MINUTE;
/** The time that a poll, an announcement and a post take on top of the poll interval. */
const WORKING_MS = 30_000;
/** If something is this much later than promised, a heartbeat must have been withheld. */
const OVERDUE_MS = 10 * MINUTE;

/**
 * Compares what was planted with what was recorded, announced and posted. Returns the discrepancies; an empty list means that the account
 * is exact.
 */
export function accountFor(facts: Facts): Discrepancy[] {
  return [
    ...unseen(facts),
    ...recordedTwice(facts),
    ...unannounced(facts),
    ...unwanted(facts),
    ...postedTwice(facts),
    ...flooded(facts),
    ...late(facts),
    ...shownLate(facts),
    ...miscounted(facts),
    ...notMuted(facts),
    ...silentlyOverdue(facts),
    ...overBudget(facts),
    ...beyondHorizon(facts),
  ];
}

function unseen({ planted, recorded, notSeen }: Facts): Discrepancy[] {
  const seen = new Set(recorded.map(({ jobId }) => jobId));
  return planted
    .filter(({ jobId, promise }) => promise !== 'free' && !seen.has(jobId))
    .filter((failure) => !isWithin(failure.createdAt, notSeen.givenUp, 1_000))
    .filter(({ mayBeUnreadable, createdAt }) => {
      const isNear = (minute: number) => Math.abs(minute - createdAt) <= 2 * MINUTE;
      return !mayBeUnreadable || !notSeen.unreadableMinutes.some(isNear);
    })
    .map(({ what }) => found('seen-or-reported', `${what} is neither recorded nor reported as not seen`));
}

function recordedTwice({ recorded }: Facts): Discrepancy[] {
  return [...countBy(recorded.map(({ jobId }) => jobId))]
    .filter(([, count]) => count > 1)
    .map(([jobId, count]) => found('recorded-once', `the failure of ${jobId} is recorded ${count} times`));
}

function unannounced({ groups, posts }: Facts): Discrepancy[] {
  return groups.flatMap(({ watch, words, groupKey, isWanted, recorded, notYetDue, announced }) => {
    if (!isWanted) return [];
    const counts = `${watch} was notified of ${announced} of the ${recorded} failures of ${words}`;
    if (announced > recorded || announced < recorded - notYetDue) return [found('announced-once', counts)];
    if (announced === 0) return [];
    const isPosted = posts.some((post) => post.watch === watch && post.groupKeys.includes(groupKey));
    return isPosted ? [] : [found('announced-once', `no message about ${words} was posted to ${watch}`)];
  });
}

function unwanted({ groups, posts }: Facts): Discrepancy[] {
  return groups
    .filter((group) => !group.isWanted)
    .filter(({ watch, groupKey }) => posts.some((post) => post.watch === watch && post.groupKeys.includes(groupKey)))
    .map(({ watch, words }) => found('wanted-only', `${watch} was notified of ${words}, which it isn't about`));
}

/**
 * Finds repeated posts of a message that don't say that they may be duplicates. Where a message's end may be a new post, a marked repeat is
 * one more.
 */
function postedTwice({ posts }: Facts): Discrepancy[] {
  const repeats = posts.filter(({ deliveryId, at, isMarked, mayStand }, index) => {
    if (isMarked) return false;
    const before = posts
      .slice(0, index)
      .filter((one) => one.deliveryId === deliveryId && one.standsUntil > at && !(one.isMarked && mayStand > 1));
    return before.length >= mayStand;
  });
  return repeats.map(({ watch, at }) =>
    found('posted-once', `a message to ${watch} stands twice, posted again at ${clock(at)} without a mark`),
  );
}

/**
 * Finds incidents that were posted too often. docs/guarantees.md: an incident causes one message in half an hour, except
 * urgent ones, and one in ten minutes in any case; one more if a message was deleted. Only the first post of a message counts.
 */
function flooded({ posts, promises: { postsInHalfAnHour: most, clocksDifferByMs } }: Facts): Discrepancy[] {
  const calm = new Map<string, number[]>();
  const all = new Map<string, number[]>();
  const first = new Set<string>();
  for (const { watch, groupKeys, urgent, at, deliveryId } of posts) {
    if (first.has(deliveryId)) continue;
    first.add(deliveryId);
    for (const group of groupKeys) {
      for (const times of urgent.has(group) ? [all] : [all, calm])
        times.set(`${watch} ${group}`, [...(times.get(`${watch} ${group}`) ?? []), at]);
    }
  }
  const tolerance = WORKING_MS + clocksDifferByMs;
  return [
    ...crowdedIn(calm, most, HALF_AN_HOUR - tolerance, 'half an hour'),
    ...crowdedIn(all, most, TEN_MINUTES - tolerance, 'ten minutes'),
  ];
}

function crowdedIn(
  times: ReadonlyMap<string, readonly number[]>,
  most: number,
  withinMs: number,
  words: string,
): Discrepancy[] {
  return [...times].flatMap(([group, at]) => {
    const sorted = at.toSorted((a, b) => a - b);
    const crowded = sorted.find((time, index) => (sorted[index + most] ?? Number.POSITIVE_INFINITY) - time < withinMs);
    if (crowded === undefined) return [];
    return [
      found(
        'no-flood',
        `${group} was posted more than ${most}× within ${words}, from ${clock(crowded)}: ${sorted.map(clock).join(', ')}`,
      ),
    ];
  });
}

function late(facts: Facts): Discrepancy[] {
  return facts.planted.flatMap((failure) => {
    const within = promisedWithin(failure, facts);
    const recorded = facts.recorded.find(({ jobId }) => jobId === failure.jobId);
    if (within === null || recorded === undefined) return [];
    const delay = recorded.recordedAt - failure.visibleAt;
    if (delay <= within || overlaps({ from: failure.visibleAt, to: recorded.recordedAt }, facts.excuses)) return [];
    return [
      found(
        'in-time',
        `${failure.what} was recorded ${minutes(delay)} after it showed, ${minutes(within)} is promised`,
      ),
    ];
  });
}

function promisedWithin(failure: PlantedFailure, { promises: { freshWithinMs, lateWithinMs } }: Facts): number | null {
  if (failure.promise === 'fresh') return freshWithinMs;
  if (failure.promise === 'late' && lateWithinMs !== null)
    return lateWithinMs(failure.visibleAt - failure.createdAt, failure.visibleAt);
  return null;
}

/** Finds events that could have failed and weren't looked at again in time. */
function shownLate({ showings, promises: { shownAgainBy }, excuses }: Facts): Discrepancy[] {
  if (shownAgainBy === null) return [];
  return showings.flatMap(({ what, createdAt, at: times }) => {
    const late = times.find((at, index) => {
      const by = shownAgainBy({ createdAt, at });
      if (by === null || overlaps({ from: at, to: by + WORKING_MS }, excuses)) return false;
      return (times[index + 1] ?? Number.POSITIVE_INFINITY) > by + WORKING_MS;
    });
    if (late === undefined) return [];
    const after = times.find((at) => at > late);
    const again = after === undefined ? 'never again' : `not before ${clock(after)}`;
    return [
      found('in-time', `${what} was checked at ${clock(late)} and ${again}: a failure would have been found late`),
    ];
  });
}

/** Compares how many events are counted as unreadable with how many are. */
function miscounted({ planted, notSeen }: Facts): Discrepancy[] {
  const least = planted.filter(
    ({ isUnreadable, promise, createdAt }) =>
      isUnreadable && promise !== 'free' && !isWithin(createdAt, notSeen.givenUp, 1_000),
  ).length;
  const { unreadable: counted, mostUnreadable: most } = notSeen;
  if (counted >= least && counted <= most) return [];
  return [found('counted', `${counted} events are counted as unreadable, at least ${least} and at most ${most} are`)];
}

/** A mute withholds what it covers, and reports it once when it's over. */
function notMuted({ mutes }: Facts): Discrepancy[] {
  return mutes.flatMap(({ words, announced, withheld, missed, mayRepeat }) => [
    ...(announced > 0 ? [found('muted', `${words} let ${announced} alerts through`)] : []),
    ...(missed === withheld || (mayRepeat && missed > withheld)
      ? []
      : [found('muted', `${words} withheld ${withheld} failures, ${missed} were reported as missed`)]),
  ]);
}

/**
 * If a fresh failure isn't recorded for this long, a post must say so by then, or a heartbeat must be missing. The time during which Notif is
 * stopped doesn't count: nothing is posted then, and the calls to the dead man's switch stop without one that's withheld.
 */
function silentlyOverdue({
  planted,
  recorded,
  heartbeats,
  stops,
  notSeen,
  promises: { pollMs },
}: Facts): Discrepancy[] {
  return planted.flatMap((failure) => {
    if (failure.promise !== 'fresh' || failure.mayBeUnreadable || isWithin(failure.createdAt, notSeen.givenUp, 1_000))
      return [];
    const recordedAt = recorded.find(({ jobId }) => jobId === failure.jobId)?.recordedAt ?? Number.POSITIVE_INFINITY;
    const patience = 3 * pollMs + OVERDUE_MS + overlapMs({ from: failure.visibleAt, to: recordedAt }, stops);
    if (recordedAt - failure.visibleAt <= patience) return [];
    const posted = notSeen.posted.filter(({ at }) => at <= failure.visibleAt + patience);
    if (isWithin(failure.createdAt, posted, 1_000)) return [];
    const during = heartbeats.filter(({ at }) => at > failure.visibleAt && at <= recordedAt);
    if (during.length === 0 || during.some(({ isSent }) => !isSent)) return [];
    return [
      found(
        'heartbeat',
        `${failure.what} was overdue by more than ${minutes(patience)}, each heartbeat was sent, and no post said that it was not checked`,
      ),
    ];
  });
}

function overBudget({ requests, promises: { mostRequests, mostRequestsInAMinute } }: Facts): Discrepancy[] {
  const all = `${requests.all} requests were made, ${mostRequests} are enough`;
  const minute = `${requests.mostInAMinute} requests were made in a minute, ${mostRequestsInAMinute} are enough`;
  const impatient = `${requests.impatient} requests came before the time that a 429 had named`;
  return [
    ...(requests.all > mostRequests ? [found('request-budget', all)] : []),
    ...(requests.impatient > 0 ? [found('request-budget', impatient)] : []),
    ...(requests.mostInAMinute > mostRequestsInAMinute ? [found('request-budget', minute)] : []),
  ];
}

/** After an absence, Notif requests data of up to twice the horizon. */
function beyondHorizon({ requests: { oldestAge }, promises: { horizonMs } }: Facts): Discrepancy[] {
  const most = 2 * horizonMs + 30 * MINUTE;
  return oldestAge > most ? [found('horizon', `something of an age of ${minutes(oldestAge)} was asked for`)] : [];
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

const found = (rule: Rule, sentence: string): Discrepancy => ({ rule, sentence });
const minutes = (ms: number) => `${Math.round(ms / 6_000) / 10} min`;
const clock = (at: number) => new Date(at).toISOString().slice(11, 19);
