import { setTimeout as wait } from 'node:timers/promises';
import { StoreTroubleError } from '../health/store-trouble.ts';
import type { Logger } from '../lib/logger.ts';

/** Resolves when that is stored, or with the stop. While the store accepts no changes, lookups and probes work, and this tries again. */
export async function untilStored(
  storing: () => Promise<void>,
  { logger, signal, everyMs = 1_000 }: { logger: Logger; signal: AbortSignal; everyMs?: number },
): Promise<void> {
  for (let tries = 1; !signal.aborted; tries += 1) {
    try {
      return await storing();
    } catch (error) {
      if (!(error instanceof StoreTroubleError)) throw error;
      const { trouble, next } = error;
      const sentence = 'started without changes to the database: events are checked once it accepts them';
      if (tries === 1 && !signal.aborted) logger.warn({ trouble, next }, sentence);
    }
    await wait(everyMs, undefined, { ref: false, signal }).catch(() => {});
  }
}
