import { setTimeout as wait } from 'node:timers/promises';
import { StoreTroubleError } from '../domain/health/store-trouble.ts';
import type { Logger } from '../domain/logger.ts';

interface StoringParts {
  readonly logger: Logger;
  /** Ends the process. Called when a later attempt fails for another reason than store trouble. */
  readonly onFatal: (error: unknown) => void;
  readonly signal: AbortSignal;
  readonly everyMs?: number;
}

export interface StoredAtStart {
  readonly isStored: boolean;
  /** Resolves when no further attempt is made. Never rejects. */
  readonly done: Promise<void>;
}

/** While the store accepts no changes, Notif starts without these, so that lookups and probes work, and retries. Rejects for other errors. */
export async function storeAtStart(storing: () => Promise<void>, parts: StoringParts): Promise<StoredAtStart> {
  const trouble = await troubleOf(storing);
  if (trouble === null) return { isStored: true, done: Promise.resolve() };
  if (parts.signal.aborted) return { isStored: false, done: Promise.resolve() };
  parts.logger.warn(
    { trouble: trouble.trouble, next: trouble.next },
    'started without changes to the database: channels from the configuration are applied once it accepts them',
  );
  return { isStored: false, done: storeLater(storing, parts).catch(parts.onFatal) };
}

async function storeLater(storing: () => Promise<void>, { signal, everyMs = 1_000 }: StoringParts): Promise<void> {
  for (;;) {
    await wait(everyMs, undefined, { ref: false, signal }).catch(() => {});
    if (signal.aborted || (await troubleOf(storing)) === null) return;
  }
}

async function troubleOf(storing: () => Promise<void>): Promise<StoreTroubleError | null> {
  try {
    await storing();
    return null;
  } catch (error) {
    if (error instanceof StoreTroubleError) return error;
    throw error;
  }
}
