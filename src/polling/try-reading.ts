import type { NewCounts } from '../coverage/gaps.ts';
import { environmentNamed } from '../lib/environment.ts';
import { failedRequest } from '../service/problem-words.ts';
import { ServiceError } from '../service/service-error.ts';
import type { PollCtx } from './poll.ts';

/** The client waits out a shorter hold. */
export const LONG_HOLD_MS = 10_000;

/** What readings are called in the log. */
interface Logs {
  success: string;
  failure: string;
}

export async function readAndLog<Report extends NewCounts>(
  ctx: PollCtx,
  environment: string,
  logs: Logs,
  read: () => Promise<Report | null>,
): Promise<Report | null> {
  const report = await tryReading(ctx, environment, logs.failure, read);
  if (report === null) return null;
  ctx.countRecorded(environment, report);
  const level = report.newFailures + report.newUnreadable > 0 ? 'info' : 'debug';
  ctx.logger[level]({ environment, ...report }, logs.success);
  return report;
}

/** Returns null during a long hold, and if reading fails. */
export async function tryReading<Report>(
  { environments, heldForMs, logger }: Pick<PollCtx, 'environments' | 'heldForMs' | 'logger'>,
  environment: string,
  failure: string,
  read: () => Promise<Report>,
): Promise<Report | null> {
  if (heldForMs(environment) > LONG_HOLD_MS) return null;
  try {
    return await read();
  } catch (err) {
    if (!(err instanceof ServiceError)) throw err;
    const explained = failedRequest(err, environmentNamed(environment, environments));
    logger.warn({ environment, problem: err.problem.kind, ...explained, heldMs: heldForMs(environment) }, failure);
    return null;
  }
}
