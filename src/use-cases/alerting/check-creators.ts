import type { Logger } from '../../domain/logger.ts';
import { CHECK_CREATORS_MS, orphanEndsAt } from '../../domain/watches/orphans.ts';
import type { Workspace } from '../ports/workspace.ts';

/** A watch that a person made. */
export interface CreatedWatch {
  readonly watchId: string;
  readonly createdBy: string;
  /** Since when the creator is known to be gone; null if they aren't known to be. */
  readonly orphanedAt: Date | null;
}

export interface CreatorStore {
  /** Returns up to a hundred watches made by people and not checked since the given time. */
  watchesToCheck(checkedBefore: Date): Promise<readonly CreatedWatch[]>;
  noteCreatorThere(watch: CreatedWatch, now: Date): Promise<void>;
  /** Notes that the creator is gone and, the first time, writes a notice to the channel and returns true. Nothing if it has a new creator. */
  noteCreatorGone(watch: CreatedWatch, now: Date): Promise<boolean>;
  /** Gives a watch whose creator is gone to somebody else. Returns false if its creator isn't gone, or the watch has a new one already. */
  takeOver(watchId: string, by: string, now: Date): Promise<boolean>;
  /** Ends a watch whose creator is known to be gone, and writes a notice to its channel. Returns false if it ended or has a new creator. */
  endOrphaned(watch: CreatedWatch, now: Date): Promise<boolean>;
}

export interface CheckCreatorsParts {
  readonly store: Omit<CreatorStore, 'takeOver'>;
  readonly workspace: Pick<Workspace, 'person'>;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** Checks once a day whether creators of watches are still in the workspace. Returns how many messages it wrote about those who aren't. */
export async function checkCreators(parts: CheckCreatorsParts, signal: AbortSignal): Promise<number> {
  const { store, now } = parts;
  let notified = 0;
  for (const watch of await store.watchesToCheck(new Date(now().getTime() - CHECK_CREATORS_MS))) {
    if (signal.aborted) break;
    if (await checkCreator(watch, parts)) notified += 1;
  }
  return notified;
}

async function checkCreator(watch: CreatedWatch, parts: CheckCreatorsParts): Promise<boolean> {
  const { watchId, orphanedAt } = watch;
  const { store, logger, now } = parts;
  const isThere = await isCreatorThere(watch, parts);
  if (isThere === null) return false;
  if (isThere) {
    await store.noteCreatorThere(watch, now());
    return false;
  }
  if (orphanedAt !== null && now() >= orphanEndsAt(orphanedAt)) {
    const hasEnded = await store.endOrphaned(watch, now());
    if (hasEnded) logger.info({ watchId }, 'watch ended, its creator is gone and nobody took it over');
    return hasEnded;
  }
  return store.noteCreatorGone(watch, now());
}

/** Null if Slack doesn't say; the next run asks again. */
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
