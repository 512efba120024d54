import { isKnownTrouble } from '../../domain/health/store-trouble.ts';
import type { Logger } from '../../domain/logger.ts';

export interface DueEnvironment {
  readonly environment: string;
  readonly news: number;
}

export interface AnnouncedStore {
  /** Returns the environments with something new to announce, and those not announced since a time. */
  dueForAnnouncing(notSince: Date): Promise<readonly DueEnvironment[]>;
  /** Notes that everything to announce at that time has been written. */
  noteAnnounced(due: DueEnvironment, now: Date): Promise<void>;
}

export interface AnnounceAllParts {
  readonly environments: readonly string[];
  readonly store: AnnouncedStore;
  /**
   * Whether a poll of the environment records just now: announcing waits for it, so that one outage is one message, and the poll wakes it when
   * it ends.
   */
  readonly isRecording: (environment: string) => boolean;
  /** Writes the messages about an environment to the outbox. Returns their IDs. */
  announce(environment: string): Promise<readonly string[]>;
  readonly logger: Logger;
  readonly now: () => Date;
  /** The poll interval; changes caused by time alone are announced after it. */
  readonly pollMs: number;
  readonly signal: AbortSignal;
}

/**
 * Announces what is new in any environment, independently of polling: a finished poll, late failures, changes. If nothing is new, that
 * costs one statement. If announcing one environment throws, Notif logs it and continues with the others. Returns the IDs of the messages
 * written.
 */
export async function announceAll(parts: AnnounceAllParts): Promise<string[]> {
  const { environments, store, isRecording, announce, logger, now, pollMs, signal } = parts;
  const ids: string[] = [];
  for (const due of await store.dueForAnnouncing(new Date(now().getTime() - pollMs))) {
    const { environment } = due;
    if (signal.aborted) break;
    if (!environments.includes(environment) || isRecording(environment)) continue;
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
