import { environmentHealth } from './environment-health.ts';
import { isNothingChecked, type StatusCtx } from './status.ts';
import { storeTrouble } from './store-trouble.ts';

/** The answer of `/readyz`. */
export interface Readiness {
  slack: boolean;
  store: boolean;
  disk: boolean;
  checked: boolean;
  behind: readonly string[];
}

type ReadinessCtx = Pick<StatusCtx, 'db' | 'environments' | 'isSlackConnected' | 'readFreeBytes' | 'behind' | 'now'>;

/** With less free space an embedded database may end. */
const NEEDED_BYTES = 64 * 2 ** 20;

export async function readinessOf(ctx: ReadinessCtx): Promise<Readiness> {
  const { db, environments, isSlackConnected, readFreeBytes, behind, now } = ctx;
  const names = environments.map(({ name }) => name);
  const store = (await storeTrouble(db)) === null;
  return {
    slack: isSlackConnected(),
    store,
    disk: ((await readFreeBytes()) ?? NEEDED_BYTES) >= NEEDED_BYTES,
    checked: !store || !isNothingChecked(await environmentHealth(db, now()), names, now()),
    behind: behind().map(({ name }) => name),
  };
}

export function isReady({ behind, ...working }: Readiness): boolean {
  return behind.length === 0 && Object.values(working).every(Boolean);
}
