import { summaryDue } from '../../domain/alerting/summary.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Watch } from '../../domain/watches/watch.ts';

export interface SummaryStore {
  /** The watches that have not ended, with the local day (yyyy-MM-dd) of their last summary; null for one that has had none. */
  lastSummaries(): Promise<readonly { readonly watch: Watch; readonly lastDay: string | null }[]>;
  /**
   * Writes down what there was since the last summary in those of the environments that the watch is about, to be delivered. False
   * where that day's summary is written already, by whomever.
   */
  writeSummary(watch: Watch, day: string, environments: readonly string[], now: Date): Promise<boolean>;
}

export interface SummariseParts {
  readonly store: SummaryStore;
  /** The names of those that are configured. */
  readonly environments: readonly string[];
  readonly logger: Logger;
  readonly now: () => Date;
}

/** Writes the daily summaries that are due, each once over all replicas. Returns how many. */
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
