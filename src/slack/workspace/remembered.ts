import { WebAPIPlatformError } from '@slack/web-api';
import { inTime, isStillKept } from '../../lib/time/waiting.ts';
import type { SlackCtx } from '../ctx.ts';
import { PASSING_ERRORS } from '../router/calls.ts';

export type AskingCtx = Pick<SlackCtx, 'client' | 'logger' | 'now' | 'sleep'>;

/** A form must be opened within three seconds of its interaction, and options shown. */
const PATIENCE_MS = 1_000;
const MOST_KEPT = 1_000;

/**
 * Asks at most once in some time for each key. While Slack doesn't respond within a second or has a problem of its own, its last answer
 * holds; other refusals go to the caller.
 */
export function remembering<Answer>(
  { logger, now, sleep }: AskingCtx,
  keptMs: number,
  ask: (key: string) => Promise<Answer>,
): (key: string) => Promise<Answer> {
  const kept = new Map<string, { readonly answer: Answer; readonly since: number }>();
  const underway = new Map<string, Promise<Answer>>();

  async function askAnew(key: string): Promise<Answer> {
    const since = now().getTime();
    try {
      const answer = await ask(key);
      kept.delete(key);
      kept.set(key, { answer, since });
      // A Map keeps insertion order: the first entry is the oldest.
      const [oldest] = kept.keys();
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
      return answer;
    } finally {
      underway.delete(key);
    }
  }

  return async (key) => {
    const known = kept.get(key);
    if (known !== undefined && isStillKept(known.since, keptMs, now().getTime())) return known.answer;
    const answer = underway.get(key) ?? askAnew(key);
    underway.set(key, answer);
    if (known === undefined) return answer;
    try {
      return await inTime(answer, { ms: PATIENCE_MS, instead: known.answer }, sleep);
    } catch (err) {
      if (err instanceof WebAPIPlatformError && !PASSING_ERRORS.has(err.data.error)) throw err;
      logger.warn({ err }, "Slack didn't answer: what it said before holds");
      return known.answer;
    }
  };
}
