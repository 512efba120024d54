import { type CheckResult, checkResult, gravestFirst } from '../../domain/health/check-result.ts';
import type { Logger } from '../../domain/logger.ts';

/** A check of one aspect of the setup. */
export interface SetupCheck {
  /** What is checked. */
  readonly subject: string;
  /** A rejection is reported as a check that couldn't be done. */
  look(signal: AbortSignal): Promise<readonly CheckResult[]>;
}

export interface ExamineParts {
  /** Ends early when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly logger: Logger;
}

/** Somebody waits for the answer; a check that takes longer is left out and reported so. */
const LONGEST_MS = 10_000;

/** Runs all checks in parallel for at most ten seconds. Returns the results, the most severe first. */
export async function examine(checks: readonly SetupCheck[], { sleep, logger }: ExamineParts): Promise<CheckResult[]> {
  const tooLong = new AbortController();
  const done = new AbortController();
  const waiting = sleep(LONGEST_MS, done.signal).then(() => {
    tooLong.abort();
    return null;
  });
  const found = await Promise.all(
    checks.map(
      async (check) => (await Promise.race([lookAt(check, tooLong.signal, logger), waiting])) ?? [tooSlow(check)],
    ),
  );
  done.abort();
  return gravestFirst(found.flat());
}

async function lookAt(check: SetupCheck, signal: AbortSignal, logger: Logger): Promise<readonly CheckResult[]> {
  try {
    return await check.look(signal);
  } catch (err) {
    logger.warn({ err, subject: check.subject }, 'a check of the setup failed');
    return [checkResult('unknown', check.subject, FAILED)];
  }
}

const FAILED = {
  what: "This check couldn't run.",
  next: 'Fix the problems above, then run /notif doctor again; if they persist, the log says why.',
};

function tooSlow({ subject }: SetupCheck): CheckResult {
  return checkResult('unknown', subject, { what: 'This took longer than 10 s.', next: 'Try again in a minute.' });
}
