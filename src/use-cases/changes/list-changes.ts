import type { EnvironmentChange } from '../../domain/changes/change.ts';

export interface ChangesQuery {
  readonly since: Date;
  readonly environments: readonly string[];
  /** Limits the page to changes with a lower ID, to continue after the previous page. Null for the first page. */
  readonly olderThan: number | null;
  readonly limit: number;
}

export interface Compared {
  readonly environment: string;
  readonly since: Date;
  readonly lastAt: Date;
}

export interface ChangesPage {
  readonly changes: readonly EnvironmentChange[];
  readonly hasOlder: boolean;
  /** An environment whose integrations haven't been read yet is missing. */
  readonly compared: readonly Compared[];
}

export interface ChangesList {
  changesSince(query: ChangesQuery): Promise<ChangesPage>;
}

export function listChanges(query: ChangesQuery, { store }: { readonly store: ChangesList }): Promise<ChangesPage> {
  return store.changesSince(query);
}
