import type { Logger } from '../../domain/logger.ts';

export interface Finding {
  readonly is: 'problem' | 'unknown' | 'advice';
  readonly what: string;
  readonly about: readonly Concerned[];
  readonly next: string;
}

export interface Concerned {
  readonly kind: 'channel' | 'person' | 'user-group' | 'word';
  readonly id: string;
}

export interface Check {
  readonly subject: string;
  /** Returns nothing if all is well. A rejection is reported as a check that couldn't be done. */
  look(signal: AbortSignal): Promise<readonly Finding[]>;
}

export interface Checked {
  readonly subject: string;
  readonly findings: readonly Finding[];
}

export interface RunChecksParts {
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly logger: Logger;
}

export function problem(what: string, next: string, about: readonly Concerned[] = []): Finding {
  return { is: 'problem', what, next, about };
}

export function advice(what: string, next: string, about: readonly Concerned[] = []): Finding {
  return { is: 'advice', what, next, about };
}

export const words = (ids: readonly string[]): Concerned[] => ids.map((id) => ({ kind: 'word', id }));
export const channels = (ids: readonly string[]): Concerned[] => ids.map((id) => ({ kind: 'channel', id }));

/** Somebody waits for the answer; a check that takes longer is reported so. */
const LONGEST_MS = 10_000;

/** For at most ten seconds. */
export async function runChecks(checks: readonly Check[], { sleep, logger }: RunChecksParts): Promise<Checked[]> {
  const tooLong = new AbortController();
  const done = new AbortController();
  const waiting = sleep(LONGEST_MS, done.signal).then(() => {
    tooLong.abort();
    return [TOO_SLOW];
  });
  const run = async ({ subject, look }: Check): Promise<Checked> => {
    const looking = look(tooLong.signal).catch((err: unknown) => {
      logger.warn({ err, subject }, 'a check of the setup failed');
      return [FAILED];
    });
    return { subject, findings: await Promise.race([looking, waiting]) };
  };
  const checked = await Promise.all(checks.map(run));
  done.abort();
  return checked;
}

const TOO_SLOW: Finding = {
  ...{ is: 'unknown', what: 'This took longer than 10 s.', next: 'Try again in a minute.', about: [] },
};

const FAILED: Finding = {
  is: 'unknown',
  what: "This check couldn't run.",
  next: 'Fix the other problems, then run /notif doctor again; if this persists, the log says why.',
  about: [],
};
