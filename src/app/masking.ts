import { addMilliseconds } from 'date-fns';
import { storedCauses } from '../incidents/mask-causes.ts';
import type { Loop } from '../lib/loop.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { storedReasons } from '../sendings/mask-reasons.ts';
import type { Ctx } from '../store/db.ts';
import { maskStoredTexts } from '../store/masked-texts.ts';

const STORED = [storedCauses, ...storedReasons];
/** Half of the loop's time limit. The next run goes on. */
const LONGEST_MS = 5 * MINUTE_MS;

/** Masks what versions before have stored. */
export function createMasking({ db, logger, now }: Pick<Ctx, 'db' | 'logger' | 'now'>): Loop['run'] {
  let isDone = false;
  return async (signal) => {
    if (isDone) return;
    const end = addMilliseconds(now(), LONGEST_MS);
    isDone = await maskStoredTexts(db, STORED, () => signal.aborted || now() >= end);
    if (isDone) logger.info({}, 'Stored texts masked');
  };
}
