import { createFlows } from '../src/app/flows.ts';
import { storeOn } from '../src/store/store.ts';

/** All declared commands and routes. Nothing is called, so the parts are empty except for the store's method names. */
export const FLOWS = createFlows(Object.assign(Object.create(null), { store: storeOn(Object.create(null)) }));
