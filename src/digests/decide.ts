import type { IncidentState } from '../incidents/state.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts';
import type { alerts } from '../store/schema.ts';

/** In the order of the title. A single waits for the next message. */
export const ALERT_REASONS = ['new', 'relapsed', 'critical', 'grown', 'goes-on', 'missed', 'single', 'told'] as const;
export type AlertReason = (typeof ALERT_REASONS)[number];

export interface Candidate {
  state: IncidentState;
  relapses: number;
  matched: number;
  critical: boolean;
  isSingle: boolean;
  lastAlert: LastAlert | null;
  isMuted: boolean;
  missed: number;
}

export type LastAlert = Pick<typeof alerts.$inferSelect, 'at' | 'reason' | 'matched' | 'relapses' | 'critical'> & {
  isGone: boolean;
};

export const GROWTH = 10;

const AGAIN_MS = 30 * MINUTE_MS;

const REMINDER_MS = DAY_MS;

/** Why to tell of it now, or null. */
export function decide(candidate: Candidate, everyMs: number, lastRungAt: Date | null, now: Date): AlertReason | null {
  const { isMuted, lastAlert } = candidate;
  if (isMuted) return null;
  const isDue = (reason: AlertReason) => {
    const { sinceIncident, sinceAny } = pauseBefore(reason, candidate, everyMs);
    return !isWithin(sinceIncident, lastAlert?.at ?? null, now) && !isWithin(sinceAny, lastRungAt, now);
  };
  return reasonsFor(candidate, now).find(isDue) ?? null;
}

/** One that has to wait holds up no graver one. */
function reasonsFor(
  { state, relapses, matched, critical, isSingle, missed, lastAlert }: Candidate,
  now: Date,
): readonly AlertReason[] {
  if (isSingle) return lastAlert === null ? ['single'] : [];
  if (lastAlert === null || lastAlert.reason === 'single') return [missed > 0 ? 'missed' : 'new'];
  const isFiring = state === 'firing';
  const isReminder = isFiring && !isWithin(REMINDER_MS, lastAlert.at, now);
  const reasons = [
    missed > 0 && 'missed',
    relapses > lastAlert.relapses && 'relapsed',
    isFiring && critical && !lastAlert.critical && 'critical',
    isFiring && matched >= GROWTH * lastAlert.matched && 'grown',
    (lastAlert.isGone || isReminder) && 'goes-on',
  ] as const;
  return reasons.filter((reason) => reason !== false);
}

const FIRST_RELAPSE_MS = 10 * MINUTE_MS;
const LONGEST_RELAPSE_MS = 6 * HOUR_MS;

/** Only a relapse after the first waits, ever longer. */
function pauseBefore(reason: AlertReason, { relapses }: Candidate, everyMs: number) {
  if (['critical', 'grown', 'single'].includes(reason)) return { sinceIncident: 0, sinceAny: 0 };
  if (reason === 'new') return { sinceIncident: 0, sinceAny: everyMs };
  if (reason !== 'relapsed') return { sinceIncident: AGAIN_MS, sinceAny: everyMs };
  const longMs = Math.min(FIRST_RELAPSE_MS * 2 ** (relapses - 2), LONGEST_RELAPSE_MS);
  return { sinceIncident: relapses < 2 ? 0 : longMs, sinceAny: 0 };
}

/** A date in the future counts as old: a wrong clock silences nothing. */
function isWithin(ms: number, at: Date | null, now: Date): boolean {
  return at !== null && Math.abs(now.getTime() - at.getTime()) < ms;
}

const FEWEST_PEOPLE = 3;
const FEWEST_ATTEMPTS = 10;

export function isSingle(
  { isRecipients, subscribers }: { isRecipients: boolean; subscribers: number },
  attempts = { failed: 0, tried: 0 },
): boolean {
  const isMuch = attempts.tried >= FEWEST_ATTEMPTS && attempts.failed * 10 >= attempts.tried;
  return isRecipients && subscribers < FEWEST_PEOPLE && !isMuch;
}

const GATHERED_MS = 15 * MINUTE_MS;

/** Singles alone wait for more. */
export function mayBecomeMessage(
  tellings: readonly { reason: AlertReason }[],
  lastAlertAt: Date | null,
  now: Date,
): boolean {
  return tellings.some(({ reason }) => reason !== 'single') || !isWithin(GATHERED_MS, lastAlertAt, now);
}
