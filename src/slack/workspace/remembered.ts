import { WebAPIPlatformError } from '@slack/web-api';
import { inTime, isStillKept } from '../../lib/time/waiting.ts';
import type { SlackCtx } from '../ctx.ts';
import { PASSING_ERRORS } from '../router/calls.ts';

export type AskingCtx = Pick<SlackCtx, 'client' | 'logger' | 'now' | 'sleep'>;

const PATIENCE_MS = 1_000;
const MOST_KEPT = 1_000;

/** While Slack has a problem, its last answer holds. */
export function remembering<Answer>(
  { logger, now, sleep }: AskingCtx,
  keptMs: number,
  ask: (key: string) => Promise<Answer>,
): (key: string) => Promise<Answer> {
  const kept = new Map<string, { readonly answer: Answer; readonly since: number }>();
  const underway = new Map<string, Promise<Answer>>();

  const askAnew = async (key: string) => {
    const since = now().getTime();
    const answer = await ask(key);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(key, { answer, since });
    return answer;
  };

  return async (key) => {
    const known = kept.get(key);
    if (known !== undefined && isStillKept(known.since, keptMs, now().getTime())) return known.answer;
    const answer = underway.get(key) ?? askAnew(key).finally(() => underway.delete(key));
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
