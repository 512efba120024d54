import { StoreTroubleError } from './errors.ts';
import { systemCode } from './system-code.ts';

/** A statement that takes too long, which the store cancels, is the trouble of what it was for. */
export function isStoreAway(err: unknown): err is StoreTroubleError {
  return err instanceof StoreTroubleError && systemCode(err.cause) !== '57014';
}
