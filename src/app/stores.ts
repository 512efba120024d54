import { join } from '../store/join.ts';
import type { Store } from '../store/store.ts';

export function statusStore(store: Store) {
  const { polling, deliveries, operation, trouble } = store;
  return join(polling, deliveries, operation, { trouble });
}

export function doctorStore(store: Store) {
  return join(statusStore(store), store.audit);
}
