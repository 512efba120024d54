import { inTime } from '../lib/time/waiting.ts';
import { ANSWERS_WITHIN_MS, storeTrouble } from '../store/trouble.ts';
import { isUnchecked, tooSlow } from './environment-condition.ts';
import { environmentHealth } from './environment-health.ts';
import { MB } from './free-bytes.ts';
import type { StatusCtx } from './status.ts';

export interface Readiness {
  /** Whether alerts can be posted. */
  slack: boolean;
  /** Whether the database answers and takes changes. */
  store: boolean;
  /** Whether all that is stored can be read. */
  readable: boolean;
  /** Whether an embedded database has room. */
  disk: boolean;
  /** Whether any environment is checked in time. */
  checked: boolean;
  /** Names of loops. */
  behind: readonly string[];
  /** The environments that are checked too slowly: "production by 12 min". */
  late?: readonly string[];
}

/** With less free space, an embedded database can crash. */
const NEEDED_BYTES = 64 * MB;

type ReadinessCtx = Pick<
  StatusCtx,
  | 'db'
  | 'logger'
  | 'environments'
  | 'isSlackConnected'
  | 'readFreeBytes'
  | 'behind'
  | 'readUnreadable'
  | 'pollMs'
  | 'now'
>;

export async function readinessOf(ctx: ReadinessCtx): Promise<Readiness> {
  const { db, environments, isSlackConnected, readFreeBytes, behind, readUnreadable, pollMs, now } = ctx;
  const at = now();
  // Whoever asks waits a few seconds only, also for a database that hangs.
  const [health, unreadable, trouble, freeBytes] = await Promise.all([
    answerOr(null, environmentHealth(db, at), ctx),
    answerOr([], readUnreadable(), ctx),
    storeTrouble(db),
    readFreeBytes(),
  ]);
  const known = (health ?? []).filter(({ environment }) => environments.some(({ name }) => name === environment));
  const late = tooSlow(known, pollMs, at);
  return {
    slack: isSlackConnected(),
    store: health !== null && trouble === null,
    readable: unreadable.length === 0,
    disk: (freeBytes ?? NEEDED_BYTES) >= NEEDED_BYTES,
    checked: known.filter((row) => isUnchecked(row, pollMs, at)).length < environments.length,
    behind: behind().map(({ name }) => name),
    ...(late.length > 0 && { late }),
  };
}

async function answerOr<Answer, Other>(
  instead: Other,
  answer: Promise<Answer>,
  { logger }: Pick<ReadinessCtx, 'logger'>,
): Promise<Answer | Other> {
  try {
    return await inTime(answer, ANSWERS_WITHIN_MS, instead);
  } catch (err) {
    logger.error({ err }, "Database couldn't be asked whether Notif is ready");
    return instead;
  }
}

/** A single environment that is late makes nothing else unready. */
export function isReady({ behind, late: _, ...working }: Readiness): boolean {
  return behind.length === 0 && Object.values(working).every(Boolean);
}
