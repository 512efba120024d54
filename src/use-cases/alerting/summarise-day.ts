import { summaryDue } from '../../domain/alerting/summary.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Watch } from '../../domain/watches/watch.ts';

export interface SummaryStore {
  /** Returns the active watches with the local day (yyyy-MM-dd) of their last summary; null if there was none. */
  lastSummaries(): Promise<readonly { readonly watch: Watch; readonly lastDay: string | null }[]>;
  /**
   * Writes the summary since the last one, for those of the environments that the watch covers, to the outbox. Returns false if that day's
   * summary is already written, by any replica.
   */
  writeSummary(watch: Watch, day: string, environments: readonly string[], now: Date): Promise<boolean>;
}

export interface SummariseParts {
  readonly store: SummaryStore;
  /** The names of the configured environments. */
  readonly environments: readonly string[];
  readonly logger: Logger;
  readonly now: () => Date;
}

/** Writes the daily summaries that are due, each once across all replicas. Returns how many. */
export async function summariseDay(parts: SummariseParts, signal: AbortSignal): Promise<number> {
  const { store, environments, logger, now } = parts;
  let written = 0;
  for (const { watch, lastDay } of await store.lastSummaries()) {
    if (signal.aborted) break;
    const day = summaryDue(watch, lastDay, now());
    if (day === null || !(await store.writeSummary(watch, day, environments, now()))) continue;
    logger.info({ watchId: watch.id, channel: watch.channel, day }, 'daily summary written');
    written += 1;
  }
  return written;
}
