import type { Logger } from '../../domain/logger.ts';
import { CHECK_CREATORS_MS, orphanEndsAt } from '../../domain/watches/orphans.ts';
import type { WatchEnd } from '../../domain/watches/watch.ts';
import type { Workspace } from '../ports/workspace.ts';

/** A watch that a person made. */
export interface CreatedWatch {
  readonly watchId: string;
  readonly createdBy: string;
  /** Since when its creator is known to be gone; null while they are not. */
  readonly orphanedAt: Date | null;
}

export interface CreatorStore {
  /** The watches that people made and that were not checked since a time, at most a hundred. */
  watchesToCheck(checkedBefore: Date): Promise<readonly CreatedWatch[]>;
  noteCreatorThere(watchId: string, now: Date): Promise<void>;
  /** Notes that the creator is gone and, the first time, writes down a notice to the channel. True then. */
  noteCreatorGone(watchId: string, now: Date): Promise<boolean>;
  /** Makes a watch whose creator is gone somebody else's. False where it is not, or no longer. */
  takeOver(watchId: string, by: string, now: Date): Promise<boolean>;
  /** Ends a watch and writes down a notice of it to `tell`; null is its channel. */
  endWatchBecause(watchId: string, why: WatchEnd, tell: readonly (string | null)[], now: Date): Promise<boolean>;
}

export interface CheckCreatorsParts {
  readonly store: Omit<CreatorStore, 'takeOver'>;
  readonly workspace: Pick<Workspace, 'person'>;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** Looks up, once a day, whether those who made watches are still there. Returns how many messages were written down about those who are not. */
export async function checkCreators(parts: CheckCreatorsParts, signal: AbortSignal): Promise<number> {
  const { store, now } = parts;
  let told = 0;
  for (const watch of await store.watchesToCheck(new Date(now().getTime() - CHECK_CREATORS_MS))) {
    if (signal.aborted) break;
    if (await checkCreator(watch, parts)) told += 1;
  }
  return told;
}

async function checkCreator(watch: CreatedWatch, parts: CheckCreatorsParts): Promise<boolean> {
  const { watchId, orphanedAt } = watch;
  const { store, logger, now } = parts;
  const isThere = await isCreatorThere(watch, parts);
  if (isThere === null) return false;
  if (isThere) {
    await store.noteCreatorThere(watchId, now());
    return false;
  }
  if (orphanedAt !== null && now() >= orphanEndsAt(orphanedAt)) {
    logger.info({ watchId }, 'watch ended, its creator is gone and nobody took it over');
    return store.endWatchBecause(watchId, 'creator-gone', [null], now());
  }
  return store.noteCreatorGone(watchId, now());
}

/** Null where Slack does not tell: it is asked again with the next run. */
async function isCreatorThere(
  { watchId, createdBy }: CreatedWatch,
  { workspace, logger }: CheckCreatorsParts,
): Promise<boolean | null> {
  try {
    return (await workspace.person(createdBy)) !== null;
  } catch (error) {
    logger.warn({ err: error, watchId }, 'whether the creator of a watch is still there could not be asked');
    return null;
  }
}
