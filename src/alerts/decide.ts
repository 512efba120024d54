import { addMilliseconds, max, min } from 'date-fns';
import { z } from 'zod';
import { BADNESSES, type Badness } from '../incidents/badness.ts';
import type { IncidentState } from '../incidents/state.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts';
import { doubled } from '../lib/time/waiting.ts';

// All rules of what a watch tells of an incident, and when. It only compares: how the incident is now, with what was told of it.

/** What a watch remembers of how an incident was when it told of it. */
export const ToldState = z.object({
  failures: z.number(),
  /** Null: a version told it that didn't know, so what is seen first counts as told. */
  badness: z.enum(BADNESSES).nullable(),
  critical: z.boolean(),
});
export type ToldState = z.output<typeof ToldState>;

/** An incident as a watch sees it: the part that its filter covers, in the newest outbreak. Times are by our clock. */
export interface Candidate extends ToldState {
  outbreak: number;
  state: IncidentState;
  /** Since when it fires, or failed again. */
  stateAt: Date;
  badness: Badness;
  criticalSince: Date | null;
  /** When it last became *every*. Read only while the incident is muted; null where only the watch's part of it is *every*. */
  everySince: Date | null;
  /** Few people's own trouble: it is gathered, and rings nobody. */
  isSingle: boolean;
  /** Spam complaints alone, which the filter doesn't name, aren't told while single. */
  isComplaint: boolean;
  /** Null: somebody has acknowledged it. */
  unacknowledgedSince: Date | null;
  /** It is known only once it is over, as when Notif wasn't running: it rings nobody. */
  isQuiet: boolean;
  /** People are reminded of it daily. */
  isReminded: boolean;
  /** How long it may wait for somebody, by the watch's settings; null: for ever. */
  escalateMs: number | null;
  /** When a post first rang for the outbreak. */
  firstRangAt: Date | null;
  told: Told | null;
  /** The watch is muted or in quiet hours, or the incident is muted. */
  hold: CandidateHold | null;
}

/** What keeps a watch from posting about an incident. */
export interface CandidateHold {
  why: 'quiet-hours' | 'mute';
  until: Date;
  /** Since when the incident itself is muted: that breaks on its next outbreak, and as it becomes every or critical. */
  incidentMutedSince: Date | null;
}

/** What a watch has told of an incident. */
export interface Told extends ToldState {
  /** The outbreak that was told; 0: none, since it was told in another channel only. */
  outbreak: number;
  failuresInLine: number;
  lineAt: Date | null;
  isSingle: boolean;
  postedAt: Date | null;
  rangAt: Date | null;
  escalatedAt: Date | null;
  belowManySince: Date | null;
  /** Its message was deleted. */
  isGone: boolean;
  /** The message has a thread that takes lines. */
  hasThread: boolean;
  /** What was kept back by a mute or quiet hours, or owed before an edit. */
  owedSince: Date | null;
  heldBy: 'quiet-hours' | 'mute' | null;
}

export const POST_REASONS = [
  'new',
  'back',
  'every',
  'critical',
  'again',
  'grown',
  'escalated',
  'missed',
  'goes-on',
  'single',
] as const;
export type PostReason = (typeof POST_REASONS)[number];

export type Decision =
  | { is: 'post'; reason: PostReason; rings: boolean }
  /** A broadcast line with the mention, or one that says that it is ten times as much. */
  | { is: 'line'; what: 'escalated' | 'grown' }
  | { is: 'held'; until: Date; why: CandidateHold['why'] }
  /** Nothing is owed before this time. */
  | { is: 'nothing'; dueAt: Date | null };

/** Worth a post is what has grown to so many times as many failures as were told. */
export const GROWTH = 10;

/** Whoever was rung looks at it: what gets worse meanwhile rings after this. */
export const BETWEEN_RINGS_MS = 5 * MINUTE_MS;
/** At least so long after the last post or line, growth is told. */
const GROWN_AFTER_MS = 15 * MINUTE_MS;
/** So long after it was posted, a message that was deleted is replaced. */
const DELETED_AFTER_MS = 30 * MINUTE_MS;
/** What was less than many for so long can ring for every again. */
const BELOW_MANY_MS = HOUR_MS;
/** So long after the last post, people are reminded of what still fails. */
const REMINDER_MS = DAY_MS;

/** The second outbreak is told at once, the third after this, and each later one after twice as long. */
const THIRD_OUTBREAK_MS = 10 * MINUTE_MS;
const LONGEST_BETWEEN_OUTBREAKS_MS = 6 * HOUR_MS;

/** Something that a watch has to post of an incident. */
interface Wish {
  reason: PostReason;
  /** Null: at once. */
  from: Date | null;
  rings: boolean;
  /** It breaks the mute of its incident. */
  breaks: boolean;
}

export function decide(candidate: Candidate, now: Date): Decision {
  const { hold, told } = candidate;
  const wishes = wishesFor(candidate, now);
  const breaking = wishes.filter((wish) => wish.breaks && isDue(wish, now));
  const isBroken = hold !== null && hold.incidentMutedSince !== null && breaking.length > 0;
  if (hold !== null && !isBroken) {
    const isAnyDue = wishes.some((wish) => isDue(wish, now)) || isToEscalate(candidate, now);
    if (isAnyDue || told?.owedSince != null) return { is: 'held', until: hold.until, why: hold.why };
    return { is: 'nothing', dueAt: earliest([hold.until, ...wishes.map(({ from }) => from), escalatesAt(candidate)]) };
  }
  const due = (isBroken ? breaking : wishes).find((wish) => isDue(wish, now));
  const isEscalated = isToEscalate(candidate, now);
  // One ring says both.
  if (due?.rings && isEscalated) return { is: 'post', reason: 'escalated', rings: true };
  if (due !== undefined) return { is: 'post', reason: due.reason, rings: due.rings };
  if (isEscalated)
    return told?.hasThread && told.outbreak === candidate.outbreak
      ? { is: 'line', what: 'escalated' }
      : { is: 'post', reason: 'escalated', rings: true };
  if (isToSayGrown(candidate, now)) return { is: 'line', what: 'grown' };
  return { is: 'nothing', dueAt: earliest([...wishes.map(({ from }) => from), escalatesAt(candidate)]) };
}

const isDue = ({ from }: Wish, now: Date): boolean => from === null || from <= now || isFar(from, now);

/** Later than any wait that starts now, with a margin: such a date is of a clock that was wrong, and silences nothing. */
const isFar = (from: Date, now: Date): boolean =>
  from.getTime() - now.getTime() > 2 * LONGEST_BETWEEN_OUTBREAKS_MS + REMINDER_MS;

const earliest = (times: readonly (Date | null)[]): Date | null => {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : min(known);
};

/** What the watch has to post; of what is due, the first is told. */
function wishesFor(candidate: Candidate, now: Date): readonly Wish[] {
  const { outbreak, isSingle, isComplaint, failures, told } = candidate;
  if (failures === 0) return [];
  const isNewOutbreak = told === null || told.outbreak < outbreak;
  if (isSingle) {
    const isWanted = isNewOutbreak && !isComplaint;
    return isWanted ? [{ reason: 'single', from: null, rings: false, breaks: false }] : [];
  }
  const isFiring = candidate.state === 'firing';
  const rings = isFiring && !candidate.isQuiet;
  if (told === null || told.outbreak === 0 || told.isSingle)
    return [
      {
        reason: told?.heldBy === 'mute' ? 'missed' : 'new',
        from: null,
        rings: rings && isUnowned(candidate),
        breaks: isWorseThanMuted(candidate),
      },
    ];
  if (isNewOutbreak) {
    // Flapping tells ever more seldom.
    const pauseMs = outbreak <= 2 ? 0 : doubled(THIRD_OUTBREAK_MS, outbreak - 3, LONGEST_BETWEEN_OUTBREAKS_MS);
    const from = told.postedAt && addMilliseconds(told.postedAt, pauseMs);
    return [{ reason: 'back', from, rings: rings && isUnowned(candidate), breaks: true }];
  }
  const wishes = isFiring ? worseWishes(candidate, told, now) : [];
  // What an edit owes has no `heldBy`: it is told as what it is, not as missed.
  const isMissed = told.owedSince !== null && told.heldBy !== null;
  return [
    ...wishes,
    ...(isMissed
      ? [{ reason: 'missed', from: null, rings: rings && isUnowned(candidate), breaks: false } as const]
      : []),
    ...(isFiring && told.isGone ? [goesOn(candidate, told, DELETED_AFTER_MS)] : []),
    ...(isFiring && candidate.isReminded ? [goesOn(candidate, told, REMINDER_MS)] : []),
  ];
}

const isWorseThanMuted = (candidate: Candidate): boolean =>
  (candidate.badness === 'every' && isAfterMute(candidate.everySince, candidate)) ||
  (candidate.critical && isAfterMute(candidate.criticalSince, candidate));

/** Whoever muted an incident knew how it was then: only what came later breaks the mute. */
function isAfterMute(at: Date | null, { hold }: Candidate): boolean {
  const since = hold?.incidentMutedSince ?? null;
  return since === null || at === null || at > since;
}

const isUnowned = ({ unacknowledgedSince }: Candidate): boolean => unacknowledgedSince !== null;

/** Mentions stop once somebody has it. */
const goesOn = (candidate: Candidate, told: Told, ms: number): Wish => ({
  ...later('goes-on', told, ms),
  rings: isUnowned(candidate),
});

const later = (reason: PostReason, { postedAt }: Told, ms: number): Wish => ({
  reason,
  from: postedAt && addMilliseconds(postedAt, ms),
  rings: true,
  breaks: false,
});

function worseWishes(candidate: Candidate, told: Told, now: Date): readonly Wish[] {
  const { badness, critical, criticalSince, everySince, failures, stateAt, isQuiet } = candidate;
  if (isQuiet || !isUnowned(candidate)) return [];
  const from = told.rangAt && addMilliseconds(told.rangAt, BETWEEN_RINGS_MS);
  const ring = (reason: PostReason, since: Date | null): Wish => ({
    reason,
    from,
    rings: true,
    breaks: isAfterMute(since, candidate),
  });
  const isEvery = badness === 'every';
  const failsAgain = told.postedAt !== null && stateAt > told.postedAt;
  return [
    // What was critical already when it failed again isn't news.
    ...(failsAgain && (isEvery || critical) ? [ring('again', stateAt)] : []),
    ...(critical && !told.critical ? [ring('critical', criticalSince)] : []),
    ...(isEvery && isBelowEvery(told, now) ? [ring('every', everySince)] : []),
    ...(failures >= GROWTH * Math.max(1, told.failures) ? [later('grown', told, GROWN_AFTER_MS)] : []),
  ];
}

/** A rise to every rings once, and again after an hour below many. What an older version told counts as it is seen first. */
function isBelowEvery({ badness, belowManySince }: Told, now: Date): boolean {
  if (badness === null) return false;
  if (badness !== 'every') return true;
  return belowManySince !== null && now.getTime() - belowManySince.getTime() >= BELOW_MANY_MS;
}

/** Escalates once an outbreak, whatever else waits or happened. */
function escalatesAt({
  state,
  critical,
  criticalSince,
  unacknowledgedSince,
  firstRangAt,
  escalateMs,
  told,
  outbreak,
}: Candidate): Date | null {
  if (escalateMs === null || state !== 'firing' || !critical || told === null || told.outbreak === 0) return null;
  const isEscalated = told.outbreak === outbreak && told.escalatedAt !== null;
  if (unacknowledgedSince === null || criticalSince === null || isEscalated) return null;
  // While Slack was away, nobody could acknowledge it.
  return addMilliseconds(max([criticalSince, unacknowledgedSince, firstRangAt ?? criticalSince]), escalateMs);
}

function isToEscalate(candidate: Candidate, now: Date): boolean {
  const at = escalatesAt(candidate);
  return at !== null && at <= now;
}

/** Ten times as many failures, while somebody has acknowledged it: a line, a quarter of an hour or more after the last post or line. */
function isToSayGrown(
  { state, failures, badness, unacknowledgedSince, told, outbreak, isSingle }: Candidate,
  now: Date,
): boolean {
  if (state !== 'firing' || isSingle || unacknowledgedSince !== null) return false;
  if (told === null || told.outbreak !== outbreak || !told.hasThread) return false;
  if (failures < GROWTH * Math.max(1, told.failures, told.failuresInLine)) return false;
  // The line that it fails for everyone said so.
  if (badness === 'every' && told.badness !== 'every') return false;
  const saidAt = [told.postedAt, told.lineAt].filter((time) => time !== null);
  return saidAt.every((at) => now.getTime() - at.getTime() >= GROWN_AFTER_MS);
}
