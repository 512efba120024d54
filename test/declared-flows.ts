import { createFlows } from '../src/app/flows.ts';
import { storeOn } from '../src/store/store.ts';

/** All commands and routes as they're declared. Nothing is answered, so nothing is needed of the parts but the store's nouns. */
export const FLOWS = createFlows(Object.assign(Object.create(null), { store: storeOn(Object.create(null)) }));
