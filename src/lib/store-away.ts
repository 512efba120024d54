import { StoreTroubleError } from './errors.ts';
import { systemCode } from './system-code.ts';

/** 57014 is the database's cancellation of a slow statement: it's available. */
export function isStoreAway(err: unknown): err is StoreTroubleError {
  return err instanceof StoreTroubleError && systemCode(err.cause) !== '57014';
}
