import { WebAPIPlatformError } from '@slack/web-api';
import { inTime, type Sleep } from '../../lib/time/waiting.ts';
import { LONGEST_USED_MS } from '../../lib/workspace.ts';
import type { SlackCtx } from '../ctx.ts';
import { LOST_ERRORS, PASSING_ERRORS } from '../slack-errors.ts';

export type AskingCtx = Pick<SlackCtx, 'client' | 'logger' | 'now' | 'sleep'>;

/** Answers of one kind, such as people: bounds memory. */
export const MOST_KEPT = 1_000;
/** How long a newer answer than the last is waited for: Slack gives a form three seconds to open. */
const WAIT_IF_KNOWN_MS = 1_500;
/** How long an answer is waited for without a last one: the client's four tries take as long. */
const LONGEST_WAIT_MS = 8_000;
const PASSING = [...LOST_ERRORS, ...PASSING_ERRORS];

/** Asks again after a while. Uses the last answer meanwhile if Slack has a problem or is slow, but none that is too old. */
export function cached<Answer>(
  { logger, now, sleep }: AskingCtx,
  usualTtlMs: number,
  ask: (key: string) => Promise<Answer>,
): (key: string, ttlMs?: number) => Promise<Answer> {
  const answers = new Map<string, { answer: Answer; askedAt: number }>();
  const askAndKeep = async (key: string, askedAt: number): Promise<Answer> => {
    const answer = await ask(key);
    answers.delete(key);
    const [oldest = key] = answers.keys();
    if (answers.size >= MOST_KEPT) answers.delete(oldest);
    answers.set(key, { answer, askedAt });
    return answer;
  };
  return async (key, ttlMs = usualTtlMs) => {
    const known = answers.get(key);
    const askedAt = now().getTime();
    // It is below zero if the clock was set back.
    const ageMs = known === undefined ? Infinity : askedAt - known.askedAt;
    if (known !== undefined && ageMs >= 0 && ageMs < ttlMs) return known.answer;
    const fresh = askAndKeep(key, askedAt);
    if (known === undefined || Math.abs(ageMs) >= LONGEST_USED_MS) return inTimeOrFail(fresh, sleep);
    const freshOrKnown = fresh.catch((err: unknown) => {
      if (err instanceof WebAPIPlatformError && !PASSING.includes(err.data.error)) throw err;
      logger.warn({ err }, "Slack didn't answer, using its last answer");
      return known.answer;
    });
    return inTime(freshOrKnown, WAIT_IF_KNOWN_MS, known.answer, sleep);
  };
}

async function inTimeOrFail<Answer>(promise: Promise<Answer>, sleep: Sleep): Promise<Answer> {
  const answered = promise.then((answer) => ({ answer }));
  const inTimeOrNull = await inTime(answered, LONGEST_WAIT_MS, null, sleep);
  if (inTimeOrNull === null) throw new Error("Slack doesn't answer");
  return inTimeOrNull.answer;
}
