import type { TargetNow } from '../../domain/incidents/incident-actions.ts';
import { incidentMeant, type NamedIncident } from '../../domain/incidents/incident-names.ts';
import type { ActedOnStore } from './act-on-incident.ts';

export interface NamingStore extends ActedOnStore {
  /** The open incidents of an environment, what fails first, at most 200. */
  incidentsByName(environment: string, now: Date): Promise<NamedIncident[]>;
}

export interface NamingParts {
  readonly store: NamingStore;
  readonly now: () => Date;
}

/** What words in a command name. */
export type Named =
  | { readonly is: 'one'; readonly on: TargetNow }
  /** `on`: the first of `total`. */
  | { readonly is: 'several'; readonly on: readonly TargetNow[]; readonly total: number }
  | { readonly is: 'none'; readonly nearest: string | null; readonly open: number };

const MOST_SHOWN = 5;

/** The incident of an environment that words name (`incidentMeant`). A number names one of any environment, also one that is over. */
export async function nameIncident(
  words: readonly string[],
  environment: string,
  { store, now }: NamingParts,
): Promise<Named> {
  const open = await store.incidentsByName(environment, now());
  const meant = incidentMeant(words, open);
  if (meant.is === 'none') return { ...meant, open: open.length };
  const ids = meant.is === 'one' ? [meant.episodeId] : meant.episodeIds;
  const found: TargetNow[] = [];
  for (const episodeId of ids.slice(0, MOST_SHOWN)) {
    const on = await store.actedOn({ deliveryId: '', episodeId }, now());
    if (on !== null) found.push(on);
  }
  const [first] = found;
  if (first === undefined) return { is: 'none', nearest: null, open: open.length };
  return meant.is === 'one' ? { is: 'one', on: first } : { is: 'several', on: found, total: ids.length };
}
