import { max, subDays } from 'date-fns';
import type { PastEpisode } from '../../domain/alerting/past-episode.ts';
import { joinedPreviews, type Preview, previewOf } from '../../domain/alerting/preview.ts';
import type { Environment } from '../../domain/environment.ts';
import { isAbout, type WatchSettings } from '../../domain/watches/watch.ts';

export interface PreviewStore {
  /** Returns since when an environment has been checked; null: never. */
  coverage(environment: string): Promise<{ readonly from: Date } | null>;
  /** Returns the episodes with a failure recorded since a time, reduced to what decides whether a watch with these settings is alerted. */
  pastEpisodes(environment: string, settings: WatchSettings, since: Date): Promise<readonly PastEpisode[]>;
}

export interface PreviewWatchParts {
  readonly store: PreviewStore;
  readonly environments: readonly Environment[];
  /** How long failures are kept. */
  readonly retentionDays: number;
  readonly now: () => Date;
}

const MOST_DAYS = 7;

/** Shows what a watch with these settings would have posted in the last seven days, or for as long as failures are kept. */
export async function previewWatch(
  settings: WatchSettings,
  { store, environments, retentionDays, now }: PreviewWatchParts,
  pause: () => Promise<unknown>,
): Promise<Preview> {
  const to = now();
  const since = subDays(to, Math.min(MOST_DAYS, retentionDays));
  const previews: Preview[] = [];
  for (const { name } of environments.filter((environment) => isAbout(settings.filter, environment.name))) {
    const covered = await store.coverage(name);
    if (covered === null) continue;
    const range = { from: max([since, covered.from]), to };
    const past = await store.pastEpisodes(name, settings, range.from);
    previews.push(await previewOf(settings, past, range, pause));
  }
  const begins = previews.map(({ range }) => range.from.getTime());
  return joinedPreviews({ from: new Date(Math.min(to.getTime(), ...begins)), to }, previews);
}
