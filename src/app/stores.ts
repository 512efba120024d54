import { join } from '../store/join.ts';
import type { Store } from '../store/store.ts';

/** What the status is made from. */
export function statusStore(store: Store) {
  const { polling, incidents, deliveries, operation, disk, trouble } = store;
  return join(polling, incidents, deliveries, operation, { disk, trouble });
}

/** What the checks of `/notif doctor` look at. */
export function doctorStore(store: Store) {
  return join(statusStore(store), store.watches, store.audit);
}

/** What a Home tab is made from. */
export function homeStore(store: Store) {
  return join(statusStore(store), store.watches, store.homes);
}

/** What sends a test, and writes it down in the audit trail. */
export function triggerStore({ triggers, audit }: Store) {
  return join(triggers, audit);
}
