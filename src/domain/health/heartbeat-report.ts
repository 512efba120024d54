import type { Explanation } from '../errors.ts';
import { describeDuration } from '../time/time-range.ts';
import type { HeartbeatAnswer, HeartbeatBlocker } from './heartbeat.ts';
import { isReadInTime } from './status.ts';

/** `withheld`: not sent, so that the dead man's switch raises an alarm. */
export type HeartbeatOutcome = 'answered' | 'failed' | 'withheld';

export interface LastHeartbeat {
  readonly outcome: HeartbeatOutcome;
  /** Worded to continue a sentence, without the address; null if it was answered. */
  readonly why: string | null;
  readonly at: Date;
}

/** Without its address, which is a secret. */
export function answerWords(answer: HeartbeatAnswer): string {
  switch (answer.kind) {
    case 'answered':
      return `its address answered ${answer.status}`;
    case 'timed-out':
      return "its address didn't answer in time";
    case 'unreachable':
      return answer.code === null ? "its address can't be reached" : `its address can't be reached (${answer.code})`;
  }
}

/** Somebody acts on the first ones; the others have checks of their own. */
const MOST_NAMED = 3;

export function blockerWords(blockers: readonly HeartbeatBlocker[]): string {
  const left = blockers.length - MOST_NAMED;
  const words = blockers.slice(0, MOST_NAMED).map(wordsOf).join('; ');
  return left > 0 ? `${words}; and ${left} more` : words;
}

function wordsOf(blocker: HeartbeatBlocker): string {
  switch (blocker.why) {
    case 'not-read':
      return `${blocker.environment} isn't checked in time`;
    case 'unreadable':
      return `none of the ${blocker.events} newest events of ${blocker.environment} can be read`;
    case 'not-announced':
      return `alerts about ${blocker.environment} aren't written in time`;
    case 'not-delivered':
      return 'delivery has stalled';
    case 'not-alerted':
      return 'messages are pending';
  }
}

/** One is due in each poll interval. Null if nothing is wrong. @param last null if none was ever recorded. */
export function judgeHeartbeat(
  last: LastHeartbeat | null,
  { pollMs, startedAt }: { readonly pollMs: number; readonly startedAt: Date },
  now: Date,
): Explanation | null {
  if (last === null || !isReadInTime(last.at, pollMs, now)) {
    if (isReadInTime(startedAt, pollMs, now)) return null;
    const since = last === null ? 'yet' : `for ${describeDuration(now.getTime() - last.at.getTime())}`;
    return {
      what: `The dead man's switch has not been called ${since}.`,
      next: 'Fix the other problems first. If it persists, look for Loop failed with heartbeat in the log.',
    };
  }
  const ago = `${describeDuration(now.getTime() - last.at.getTime())} ago`;
  switch (last.outcome) {
    case 'answered':
      return null;
    case 'failed':
      return {
        what: `The dead man's switch couldn't be called ${ago}: ${last.why ?? 'the log says why'}.`,
        next: 'Check NOTIF_HEARTBEAT_URL, and that Notif can reach its address. 404 and 410 mean that the switch does not exist.',
      };
    case 'withheld':
      return {
        what: `Withheld ${ago}, since ${last.why ?? 'something is not checked or sent'}.`,
        next: 'Fix that first: the calls then resume by themselves.',
      };
  }
}
