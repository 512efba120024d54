import { audit } from '../audit/audit.ts';
import { workflows } from '../changes/workflows.ts';
import { createTraffic } from '../failures/labels.ts';
import { knownNames } from '../lookups/filter-conditions.ts';
import type { Db } from './db.ts';
import { type DatabasePlace, type OpenOptions, openDb } from './open.ts';
import { pruning } from './prune.ts';

export interface Store extends Nouns {
  readonly db: Db;
}

export interface OpenStore extends Store {
  close(): Promise<void>;
}

export async function openStore(place: DatabasePlace, options: OpenOptions): Promise<OpenStore> {
  const { db, vacuum, close } = await openDb(place, options);
  return { ...storeOn(db, vacuum), close };
}

export function storeOn(db: Db, vacuum = async (_signal?: AbortSignal) => {}): Store {
  return { ...nounsOn(db, vacuum), db };
}

type Nouns = ReturnType<typeof nounsOn>;

function nounsOn(db: Db, vacuum: (signal?: AbortSignal) => Promise<void>) {
  return {
    /** A sample of the newest events, in memory. */
    traffic: createTraffic(),
    /** What was read from the service, and how far: events, failures, gaps. */
    polling: { ...workflows(db), ...knownNames(db) },
    audit: audit(db),
    operation: pruning(db, vacuum),
  };
}
