import { join } from '../store/join.ts';
import type { Store } from '../store/store.ts';

/** The store's functions for the status. */
export function statusStore(store: Store) {
  const { polling, incidents, deliveries, operation, trouble } = store;
  return join(polling, incidents, deliveries, operation, { trouble });
}

/** The store's functions for the checks of `/notif doctor`. */
export function doctorStore(store: Store) {
  return join(statusStore(store), store.watches, store.audit);
}

/** The store's functions for a Home tab. */
export function homeStore(store: Store) {
  return join(statusStore(store), store.watches);
}

/** The store's functions for sending a test and recording it in the audit trail. */
export function triggerStore({ triggers, audit }: Store) {
  return join(triggers, audit);
}
