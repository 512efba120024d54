import { isKnownTrouble } from '../../domain/health/store-trouble.ts';
import type { Logger } from '../../domain/logger.ts';

export interface DueEnvironment {
  readonly environment: string;
  readonly news: number;
}

export interface AnnouncedStore {
  dueForAnnouncing(notSince: Date): Promise<readonly DueEnvironment[]>;
  noteAnnounced(due: DueEnvironment, now: Date): Promise<void>;
}

export interface AnnounceAllParts {
  readonly environments: readonly string[];
  readonly store: AnnouncedStore;
  /** Announcing waits for a poll that records, so that one outage is one message; the poll wakes it when it ends. */
  readonly isRecording: (environment: string) => boolean;
  announce(environment: string): Promise<readonly string[]>;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly pollMs: number;
  readonly signal: AbortSignal;
}

/** If nothing is new, that costs one statement. An environment that throws is logged and stops no other. Returns the messages' IDs. */
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
