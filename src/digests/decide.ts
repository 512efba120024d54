import type { IncidentState } from '../incidents/state.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts';
import { doubled } from '../lib/time/waiting.ts';
import type { AlertReason } from '../outbox/kinds.ts';
import type { alerts, messages } from '../outbox/tables.ts';

export interface Candidate {
  state: IncidentState;
  stateAt: Date;
  relapses: number;
  /** The outbreak's failures that the filter covers; those under a mute are `missed`. */
  matched: number;
  missed: number;
  critical: boolean;
  isSingle: boolean;
  /** Spam complaints alone, which the filter doesn't name, are skipped while single. */
  isComplaint: boolean;
  isAcknowledged: boolean;
  hasThread: boolean;
  escalateMs: number | null;
  lastAlert: LastAlert | null;
  /** The incident is muted, not its whole watch. */
  isMuted: boolean;
}

type Alert = typeof alerts.$inferSelect;

export interface LastAlert extends Pick<Alert, 'at' | 'reason' | 'matched' | 'relapses' | 'critical' | 'escalated'> {
  stateAt: Date;
  messageState: (typeof messages.$inferSelect)['state'];
}

/** A line in the last post's thread notifies only by its mention, if critical or escalated. Without threads, it edits the post. */
export type Decision = { reason: AlertReason; as: 'post' | 'line' };

export const GROWTH = 10;

/** While a reason waits, it holds up lines, which would count as its alert, but no post. */
export function decide(candidate: Candidate, now: Date): Decision | null {
  if (candidate.isMuted && muteEndReason(candidate) === null) return null;
  const all = reasonsFor(candidate, now);
  // An alert that breaks a mute also says what was missed.
  const reasons = candidate.isMuted && all.length > 1 ? all.filter((reason) => reason !== 'missed') : all;
  const placed = reasons.flatMap((reason): Decision[] => {
    const as = placeOf(reason, candidate, now);
    return as === null ? [] : [{ reason, as }];
  });
  const line = placed.length === reasons.length ? placed[0] : undefined;
  return placed.find(({ as }) => as === 'post') ?? line ?? null;
}

export function reasonsFor(candidate: Candidate, now: Date): readonly AlertReason[] {
  const { state, stateAt, matched, critical, isSingle, isComplaint, missed, lastAlert } = candidate;
  if (isSingle) return (lastAlert === null || isBack(candidate)) && !isComplaint ? ['single'] : [];
  if (lastAlert === null || lastAlert.reason === 'single') return [missed > 0 ? 'missed' : 'new'];
  const isFiring = state === 'firing';
  const isReminder = isFiring && !isWithin(REMINDER_MS, lastAlert.at, now);
  const reasons = [
    isBack(candidate) && 'relapsed',
    critical && !lastAlert.critical && 'critical',
    isFiring && matched >= GROWTH * lastAlert.matched && 'grown',
    isToEscalate(candidate, now) && 'escalated',
    isFiring && stateAt > lastAlert.stateAt && 'flared',
    missed > 0 && 'missed',
    (lastAlert.messageState === 'gone' || isReminder) && 'goes-on',
  ] as const;
  return reasons.filter((reason) => reason !== false);
}

function isBack({ relapses, lastAlert }: Candidate) {
  return lastAlert !== null && relapses > lastAlert.relapses;
}

/** An outbreak escalates once, by time alone. */
function isToEscalate(candidate: Candidate, now: Date) {
  const { state, critical, isAcknowledged, escalateMs, lastAlert } = candidate;
  if (escalateMs === null || lastAlert === null || lastAlert.escalated || isBack(candidate)) return false;
  return state === 'firing' && critical && !isAcknowledged && !isWithin(escalateMs, lastAlert.at, now);
}

/** A mute covers what was known, and ends early if there's more. */
export function muteEndReason(candidate: Candidate) {
  const { matched, critical, missed, lastAlert } = candidate;
  if (isBack(candidate) && missed >= matched) return 'relapsed';
  if (critical && lastAlert?.critical !== true) return 'critical';
  return matched >= GROWTH * Math.max(1, matched - missed) ? 'grown' : null;
}

/** The shortest pauses between posts about an incident. Its first relapse has none, and each later one twice as much. */
const WORSE_PAUSE_MS = 15 * MINUTE_MS;
const USUAL_PAUSE_MS = 30 * MINUTE_MS;
const SECOND_RELAPSE_MS = 10 * MINUTE_MS;
const LONGEST_RELAPSE_MS = 6 * HOUR_MS;

export const REMINDER_MS = DAY_MS;

function placeOf(reason: AlertReason, candidate: Candidate, now: Date): Decision['as'] | null {
  const { state, relapses, isAcknowledged, lastAlert } = candidate;
  if (lastAlert === null || lastAlert.reason === 'single') return 'post';
  const isWaiting = lastAlert.messageState === 'waiting' || lastAlert.messageState === 'posting';
  const hasThread = candidate.hasThread && lastAlert.messageState === 'posted';
  const postAfter = (ms: number) => (isWithin(ms, lastAlert.at, now) ? null : 'post');
  switch (reason) {
    case 'relapsed':
      return postAfter(relapses < 2 ? 0 : doubled(SECOND_RELAPSE_MS, relapses - 2, LONGEST_RELAPSE_MS));
    case 'critical':
    case 'grown': {
      const isUnattended = !isAcknowledged && state !== 'resolved';
      if (isWaiting) return null;
      if (isUnattended && postAfter(WORSE_PAUSE_MS) !== null) return 'post';
      return reason === 'critical' && isUnattended && !hasThread ? null : 'line';
    }
    case 'escalated':
      return isWaiting ? null : hasThread ? 'line' : postAfter(WORSE_PAUSE_MS);
    case 'flared':
      return lastAlert.messageState === 'posted' ? 'line' : null;
    default:
      return postAfter(USUAL_PAUSE_MS);
  }
}

/** A date far in the future counts as old: a wrong clock silences nothing. */
function isWithin(ms: number, at: Date | null, now: Date) {
  return at !== null && Math.abs(now.getTime() - at.getTime()) < ms;
}

const FEWEST_PEOPLE = 3;
const FEWEST_ATTEMPTS = 10;

type Fault = { isRecipientFault: boolean; isFaultUnknown: boolean; subscribers: number };

/** A single incident is few people's own fault: it's gathered, and mentions nobody. */
export function canBeSingle({ isRecipientFault, isFaultUnknown, subscribers }: Fault) {
  return (isRecipientFault || isFaultUnknown) && subscribers < FEWEST_PEOPLE;
}

/** An error of unknown fault is the recipient's only while its provider delivers to others. */
export function isSingle(fault: Fault, attempts = { failed: 0, tried: 0 }) {
  const hasEnough = attempts.tried >= FEWEST_ATTEMPTS;
  const failsOften = hasEnough && attempts.failed * 10 >= attempts.tried;
  return canBeSingle(fault) && !failsOften && (fault.isRecipientFault || hasEnough);
}

const GATHERED_MS = 15 * MINUTE_MS;

export type Pace = { everyMs: number; lastNotifiedAt: Date | null; lastAlertAt: Date | null };

/** Returns all posts if one may notify now, else the singles once they were gathered. */
export function messageOf<Posted extends { reason: AlertReason }>(
  posts: readonly Posted[],
  { everyMs, lastNotifiedAt, lastAlertAt }: Pace,
  now: Date,
) {
  const notifying = posts.filter(({ reason }) => reason !== 'single');
  const isNow = posts.some(({ reason }) => ['relapsed', 'critical', 'grown', 'escalated'].includes(reason));
  if (isNow || (notifying.length > 0 && !isWithin(everyMs, lastNotifiedAt, now))) return posts;
  return isWithin(GATHERED_MS, lastAlertAt, now) ? [] : posts.filter(({ reason }) => reason === 'single');
}
