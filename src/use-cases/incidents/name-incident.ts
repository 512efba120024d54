import type { TargetNow } from '../../domain/incidents/incident-actions.ts';
import { incidentMeant, type NamedIncident } from '../../domain/incidents/incident-names.ts';
import type { ActedOnStore } from './act-on-incident.ts';

export interface NamingStore extends ActedOnStore {
  /** Returns up to 200 open incidents of an environment, failing ones first. */
  incidentsByName(environment: string, now: Date): Promise<NamedIncident[]>;
}

export interface NamingParts {
  readonly store: NamingStore;
  readonly now: () => Date;
}

/** What the words of a command refer to. */
export type Named =
  | { readonly is: 'one'; readonly target: TargetNow }
  | SeveralNamed
  | { readonly is: 'none'; readonly nearest: string | null; readonly open: number };

/** Incidents that the words match, or whose numbers they are; `targets` holds the first few of `total`. */
export interface SeveralNamed {
  readonly is: 'several';
  readonly by: 'names' | 'numbers';
  readonly targets: readonly TargetNow[];
  readonly total: number;
}

const MOST_SHOWN = 5;

/** Finds the incident that words refer to (`incidentMeant`). A number refers to one of any environment, even an ended one. */
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
  let unknown = 0;
  for (const episodeId of ids.slice(0, MOST_SHOWN)) {
    const target = await store.actedOn({ messageId: null, episodeId }, now());
    if (target === null) unknown += 1;
    // Two numbers can be of one incident: of its episodes today and yesterday.
    else if (found.every(({ newest }) => newest.episodeId !== target.newest.episodeId)) found.push(target);
  }
  const [first] = found;
  if (first === undefined) return { is: 'none', nearest: null, open: open.length };
  const more = Math.max(0, ids.length - MOST_SHOWN);
  const isOne = meant.is === 'one' || (meant.by === 'numbers' && found.length === 1 && unknown + more === 0);
  if (isOne) return { is: 'one', target: first };
  return { is: 'several', by: meant.by, targets: found, total: found.length + more };
}
