import { isKnownTrouble } from '../../domain/health/store-trouble.ts';
import type { Logger } from '../../domain/logger.ts';

export interface AnnouncedStore {
  /** Whether the present of an environment has been recorded for less than so long, by the database's clock. */
  isPresentRecorded(environment: string, forLessThanMs: number): Promise<boolean>;
  /** All that was news in an environment at `now` has been written down. */
  noteAnnounced(environment: string, now: Date): Promise<void>;
}

export interface AnnounceAllParts {
  readonly environments: readonly string[];
  readonly store: AnnouncedStore;
  /** Writes down what is to be posted about an environment. Returns the ids of the messages. */
  announce(environment: string): Promise<readonly string[]>;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/**
 * A poll that is recording wakes announcing when it ends: until then its environment is left out, so that one outage is one message. A
 * poll that takes longer than this holds nothing up.
 */
const RECORDING_FOR_MS = 10_000;

/**
 * Announces what is stored in each environment, whatever polling does. An environment whose announcing throws is logged and keeps none
 * of the others waiting. Returns the ids of the messages written.
 */
export async function announceAll(parts: AnnounceAllParts): Promise<string[]> {
  const ids: string[] = [];
  for (const environment of parts.environments) {
    if (parts.signal.aborted) break;
    try {
      ids.push(...(await announceIn(environment, parts)));
    } catch (err) {
      if (isKnownTrouble(err)) parts.logger.debug({ environment, trouble: err.trouble }, 'alerts wait for the store');
      else
        parts.logger.error({ environment, err }, 'alerts could not be written, trying again in the next poll interval');
    }
  }
  return ids;
}

async function announceIn(environment: string, { store, announce, now }: AnnounceAllParts): Promise<readonly string[]> {
  if (await store.isPresentRecorded(environment, RECORDING_FOR_MS)) return [];
  const ids = await announce(environment);
  await store.noteAnnounced(environment, now());
  return ids;
}
