import type { EnvironmentSummary } from '../../domain/alerting/delivery.ts';
import {
  type CheckedEnvironment,
  delayedBy,
  isUpToDate,
  type SummaryMoment,
  summaryDue,
  summaryEnd,
} from '../../domain/alerting/summary.ts';
import type { Logger } from '../../domain/logger.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import { isAbout, type Watch } from '../../domain/watches/watch.ts';

export interface NewSummary {
  readonly watch: Watch;
  /** The local day (yyyy-MM-dd) that it's for. */
  readonly day: string;
  /** From the end of the last summary to where the next one begins. */
  readonly range: TimeRange;
  /** The configured environments that the watch covers. */
  readonly environments: readonly Pick<EnvironmentSummary, 'environment' | 'coverage' | 'delayed'>[];
}

export interface SummaryStore {
  /** Returns the active watches with the local day (yyyy-MM-dd) of their last summary, null for none, and where the next one begins. */
  lastSummaries(): Promise<
    readonly { readonly watch: Watch; readonly lastDay: string | null; readonly summedTo: Date }[]
  >;
  /** Returns how far each of the environments has been checked, in their order. */
  checked(environments: readonly string[]): Promise<readonly CheckedEnvironment[]>;
  /** Writes a summary to the outbox. Returns false if that day's summary is already written, by any replica. */
  writeSummary(summary: NewSummary, now: Date): Promise<boolean>;
}

export interface SummariseParts {
  readonly store: SummaryStore;
  readonly environments: readonly string[];
  readonly pollMs: number;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** After a downtime the first poll takes seconds, and catching up on the night takes minutes. */
const LONGEST_WAIT_MS = 10 * MINUTE_MS;

/** Writes each summary once across replicas. Remembers since when they are due, so that a process that just started waits for its polls. */
export function createSummariser(parts: SummariseParts): (signal: AbortSignal) => Promise<number> {
  const { store, environments, pollMs, logger, now } = parts;
  let dueSince: ReadonlyMap<string, Date> = new Map();

  return async (signal) => {
    const due = (await store.lastSummaries()).flatMap(({ watch, lastDay, summedTo }) => {
      const day = summaryDue(watch, lastDay, now());
      const key = `${watch.id} ${day}`;
      return day === null ? [] : [{ watch, day, from: summedTo, key, since: dueSince.get(key) ?? now() }];
    });
    dueSince = new Map(due.map(({ key, since }) => [key, since]));
    if (due.length === 0) return 0;
    // Read before the summaries, so that they can be newer than this but never older.
    const checked = await store.checked(environments);
    let written = 0;
    for (const { watch, day, from, since } of due) {
      if (signal.aborted) break;
      const moment: SummaryMoment = { from, pollMs, now: now() };
      const about = checked.filter(({ environment }) => isAbout(watch.settings.filter, environment));
      const hasWaited = moment.now.getTime() - since.getTime() >= LONGEST_WAIT_MS;
      if (!hasWaited && !about.every((one) => isUpToDate(one, moment))) continue;
      const range = { from, to: summaryEnd(about, moment) };
      const summed = about.map((one) => ({ ...one, delayed: delayedBy(one, moment) }));
      if (!(await store.writeSummary({ watch, day, range, environments: summed }, moment.now))) continue;
      logger.info({ watchId: watch.id, channel: watch.channel, day }, 'daily summary written');
      written += 1;
    }
    return written;
  };
}
