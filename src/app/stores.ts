import { openBySeverity } from '../incidents/lists.ts';
import { storeTrouble } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { muted } from '../watches/mutes.ts';

export function statusStore(store: Store) {
  const { polling, operation, db } = store;
  const outstanding = async (environments: readonly string[], now: Date) => ({
    open: await openBySeverity(db, environments, now),
    ...(await muted(db, null, now)),
  });
  return { ...polling, ...operation, trouble: () => storeTrouble(db), outstanding };
}

export function doctorStore(store: Store) {
  return { ...statusStore(store), ...store.audit };
}
