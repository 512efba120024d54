import type { FailureFilter, FilterName } from '../domain/failures/failure-filter.ts';
import { MOST_KNOWN_NAMES, type SeenNames, type UnseenName, unseenNames } from '../domain/failures/unseen-names.ts';

export interface SeenAnywhereStore {
  /** Returns the names seen in all environments; at most `MOST_KNOWN_NAMES` of each kind, any of them. */
  knownNames(): Promise<SeenNames>;
  namesSeen(environment: string, of: FilterName): Promise<readonly string[]>;
}

/** Of a kind with more names than the store lists at once, each environment's are read before one counts as unseen. */
export async function unseenAnywhere(
  filter: FailureFilter,
  environments: readonly { readonly name: string }[],
  store: SeenAnywhereStore,
): Promise<UnseenName[]> {
  const known = await store.knownNames();
  const unseen = unseenNames(filter, known);
  const cutOff = new Set(unseen.map((one) => one.filter).filter((of) => (known[of] ?? []).length >= MOST_KNOWN_NAMES));
  if (cutOff.size === 0) return unseen;
  const all: { [Name in FilterName]?: readonly string[] } = { ...known };
  for (const of of cutOff) {
    const names: string[] = [];
    for (const { name } of environments) names.push(...(await store.namesSeen(name, of)));
    all[of] = names;
  }
  return unseenNames(filter, all);
}
