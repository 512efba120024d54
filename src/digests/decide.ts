import type { IncidentState } from '../incidents/state.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts';
import { isQuietAt } from '../lib/time/wall-clock.ts';
import type { alerts } from '../store/schema.ts';
import type { WatchSettings } from '../watches/settings.ts';

/** In the order of the title. A single waits for the next message, or a quiet one of its own; `told`: directly. */
export const REASONS = ['new', 'relapsed', 'critical', 'grown', 'goes-on', 'missed', 'single', 'told'] as const;
export type Reason = (typeof REASONS)[number];

/** An incident that a watch covers, with failures that it wasn't told of. Counts are of the current outbreak. */
export interface Candidate {
  readonly state: IncidentState;
  readonly relapses: number;
  readonly matched: number;
  readonly critical: boolean;
  /** Trouble of single recipients, too few to say more. */
  readonly isSingle: boolean;
  readonly lastAlert: LastAlert | null;
  /** The incident or the whole watch. */
  readonly mutedUntil: Date | null;
  /** How many of its failures a mute withheld that is over. */
  readonly missed: number;
  /** The watch's threshold; without one it is. */
  readonly isReached: boolean;
}

export type LastAlert = Pick<typeof alerts.$inferSelect, 'at' | 'reason' | 'matched' | 'relapses' | 'critical'> & {
  /** Somebody deleted the message. */
  readonly isGone: boolean;
};

export type Decision =
  | { readonly is: 'tell'; readonly reason: Exclude<Reason, 'told'> }
  | { readonly is: 'wait'; readonly why: 'mute' | 'quiet' | 'pace' }
  | { readonly is: 'nothing' };

export const GROWTH = 10;

const AGAIN_MS = 30 * MINUTE_MS;

const REMINDER_MS = DAY_MS;

/** `lastToldAt`: when the watch was last told of anything. */
export function decide(
  candidate: Candidate,
  { quiet, timeZone, everyMs }: Pick<WatchSettings, 'quiet' | 'timeZone' | 'everyMs'>,
  lastToldAt: Date | null,
  now: Date,
): Decision {
  const { mutedUntil, isReached, lastAlert } = candidate;
  if (mutedUntil !== null && now < mutedUntil) return { is: 'wait', why: 'mute' };
  if (lastAlert === null && !isReached) return { is: 'nothing' };
  const reason = reasonOf(candidate, now);
  if (reason === null) return { is: 'nothing' };
  if (isQuietAt(quiet, timeZone, now)) return { is: 'wait', why: 'quiet' };
  const { sinceIncident, sinceAny } = pauseBefore(reason, candidate, everyMs);
  const isTooSoon = isWithin(sinceIncident, lastAlert?.at ?? null, now) || isWithin(sinceAny, lastToldAt, now);
  return isTooSoon ? { is: 'wait', why: 'pace' } : { is: 'tell', reason };
}

/** What began and ended before it could be told is told as over: the incident, and a relapse. */
function reasonOf({ state, relapses, matched, critical, isSingle, missed, lastAlert }: Candidate, now: Date) {
  if (isSingle) return lastAlert === null ? 'single' : null;
  if (missed > 0) return 'missed';
  if (lastAlert === null || lastAlert.reason === 'single') return 'new';
  if (relapses > lastAlert.relapses) return 'relapsed';
  const isFiring = state === 'firing';
  if (isFiring && critical && !lastAlert.critical) return 'critical';
  if (isFiring && matched >= GROWTH * lastAlert.matched) return 'grown';
  if (lastAlert.isGone) return 'goes-on';
  return isFiring && !isWithin(REMINDER_MS, lastAlert.at, now) ? 'goes-on' : null;
}

const FIRST_RELAPSE_MS = 10 * MINUTE_MS;
const LONGEST_RELAPSE_MS = 6 * HOUR_MS;

/** What got worse doesn't wait: only a relapse after the first does, ever longer. */
function pauseBefore(reason: Reason, { relapses }: Candidate, everyMs: number) {
  if (['critical', 'grown', 'single'].includes(reason)) return { sinceIncident: 0, sinceAny: 0 };
  if (reason === 'new') return { sinceIncident: 0, sinceAny: everyMs };
  if (reason !== 'relapsed') return { sinceIncident: AGAIN_MS, sinceAny: everyMs };
  const longMs = Math.min(FIRST_RELAPSE_MS * 2 ** (relapses - 2), LONGEST_RELAPSE_MS);
  return { sinceIncident: relapses < 2 ? 0 : longMs, sinceAny: 0 };
}

/** A date in the future, by a clock that is ahead, counts as old: a wrong clock silences nothing. */
export function isWithin(ms: number, at: Date | null, now: Date): boolean {
  return at !== null && Math.abs(now.getTime() - at.getTime()) < ms;
}

const FEWEST_PEOPLE = 3;
/** Fewer attempts say nothing about a share. */
const FEWEST_ATTEMPTS = 10;

/** What the catalogue calls the recipient's is a single's trouble while it hits few people, and few of the attempts. */
export function isSingle(
  { isRecipients, subscribers }: { readonly isRecipients: boolean; readonly subscribers: number },
  tried: { readonly failed: number; readonly tried: number },
): boolean {
  const isMuch = tried.tried >= FEWEST_ATTEMPTS && tried.failed * 10 >= tried.tried;
  return isRecipients && subscribers < FEWEST_PEOPLE && !isMuch;
}

/** How long singles wait for a message that tells of something else. */
export const GATHERED_MS = 15 * MINUTE_MS;
