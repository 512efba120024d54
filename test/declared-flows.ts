import { createFlows } from '../src/app/flows.ts';

/** All declared commands and routes. Nothing is called, so there are no parts. */
export const FLOWS = createFlows(Object.create(null));
