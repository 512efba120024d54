import { StoreTroubleError } from './errors.ts';
import type { Logger } from './logger.ts';
import { systemCode } from './system-code.ts';

/** A statement that takes too long, which the store cancels, is the trouble of what it was for. */
export function isStoreAway(err: unknown): boolean {
  return err instanceof StoreTroubleError && systemCode(err.cause) !== '57014';
}

/** What else is known is shown anyway. */
export function withoutStore<Stored>(
  read: Promise<Stored>,
  instead: Stored,
  logger: Logger,
  what: string,
): Promise<Stored> {
  return read.catch((err: unknown) => {
    if (!(err instanceof StoreTroubleError)) throw err;
    logger.warn({ err, what }, 'Left out while the store is in trouble');
    return instead;
  });
}
