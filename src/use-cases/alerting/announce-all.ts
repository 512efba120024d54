import { isKnownTrouble } from '../../domain/health/store-trouble.ts';
import type { Logger } from '../../domain/logger.ts';

/** An environment that is to be announced, and how often something had become news in it by then. */
export interface DueEnvironment {
  readonly environment: string;
  readonly news: number;
}

export interface AnnouncedStore {
  /**
   * The environments in which something has become news, and those that weren't announced since a time. Left out are those whose present
   * has been recorded for less than so long, by the database's clock.
   */
  dueForAnnouncing(notSince: Date, recordingForMs: number): Promise<readonly DueEnvironment[]>;
  /** All that was news then has been written down. */
  noteAnnounced(due: DueEnvironment, now: Date): Promise<void>;
}

export interface AnnounceAllParts {
  readonly environments: readonly string[];
  readonly store: AnnouncedStore;
  /** Writes down what is to be posted about an environment. Returns the ids of the messages. */
  announce(environment: string): Promise<readonly string[]>;
  readonly logger: Logger;
  readonly now: () => Date;
  /** The poll interval: what takes effect by time alone is announced after it. */
  readonly pollMs: number;
  readonly signal: AbortSignal;
}

/**
 * A poll that is recording wakes announcing when it ends: until then its environment is left out, so that one outage is one message. A
 * poll that takes longer than this holds nothing up.
 */
const RECORDING_FOR_MS = 10_000;

/**
 * Announces what is news in any environment, whatever polling does: a poll that ended, late failures, changes. Where nothing is, that costs
 * one statement. An environment whose announcing throws is logged and keeps none of the others waiting. Returns the ids of the messages
 * written.
 */
export async function announceAll(parts: AnnounceAllParts): Promise<string[]> {
  const { environments, store, announce, logger, now, pollMs, signal } = parts;
  const ids: string[] = [];
  for (const due of await store.dueForAnnouncing(new Date(now().getTime() - pollMs), RECORDING_FOR_MS)) {
    const { environment } = due;
    if (signal.aborted) break;
    if (!environments.includes(environment)) continue;
    try {
      ids.push(...(await announce(environment)));
      await store.noteAnnounced(due, now());
    } catch (err) {
      if (isKnownTrouble(err)) logger.debug({ environment, trouble: err.trouble }, 'alerts wait for the store');
      else logger.error({ environment, err }, 'alerts could not be written, trying again in the next poll interval');
    }
  }
  return ids;
}
