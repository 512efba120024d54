import { openBySeverity } from '../incidents/lists.ts';
import { join } from '../store/join.ts';
import type { Store } from '../store/store.ts';
import { muted } from '../watches/mutes.ts';

export function statusStore(store: Store) {
  const { polling, operation, trouble, database } = store;
  const outstanding = async (environments: readonly string[], now: Date) => ({
    open: await openBySeverity(database, environments, now),
    ...(await muted(database, null, now)),
  });
  return join(polling, operation, { trouble, outstanding });
}

export function doctorStore(store: Store) {
  return join(statusStore(store), store.audit);
}
