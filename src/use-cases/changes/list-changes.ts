import type { EnvironmentChange } from '../../domain/changes/change.ts';

export interface ChangesQuery {
  readonly since: Date;
  /** At least one. */
  readonly environments: readonly string[];
  /** Only changes with a lower id: the page after the one that ended with it. Null for the first page. */
  readonly olderThan: number | null;
  readonly limit: number;
}

/** Since when an environment's integrations are compared, and when they were read last. */
export interface Compared {
  readonly environment: string;
  readonly since: Date;
  readonly lastAt: Date;
}

export interface ChangesPage {
  /** The newest first. */
  readonly changes: readonly EnvironmentChange[];
  readonly hasOlder: boolean;
  /** An environment whose integrations haven't been read yet is missing. */
  readonly compared: readonly Compared[];
}

export interface ChangesList {
  changesSince(query: ChangesQuery): Promise<ChangesPage>;
}

/** A page of what was changed around environments. */
export function listChanges(query: ChangesQuery, { store }: { readonly store: ChangesList }): Promise<ChangesPage> {
  return store.changesSince(query);
}
