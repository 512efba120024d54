import { max, subDays } from 'date-fns';
import type { Environment } from '../../domain/environment.ts';
import type { Group } from '../../domain/failures/failure.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import { isAbout, type WatchSettings } from '../../domain/watches/watch.ts';

export interface PastIncident {
  readonly episodeId: number;
  readonly group: Group;
  readonly failures: number;
  readonly firstSeen: Date;
  readonly isReached: boolean;
}

export interface Preview {
  readonly range: TimeRange;
  readonly incidents: readonly PastIncident[];
  /** Those that it covers and that stayed below its threshold. */
  readonly below: readonly PastIncident[];
}

export interface PreviewStore {
  coverage(environment: string): Promise<{ readonly from: Date } | null>;
  pastIncidents(environment: string, settings: WatchSettings, since: Date): Promise<readonly PastIncident[]>;
}

export interface PreviewWatchParts {
  readonly store: PreviewStore;
  readonly environments: readonly Environment[];
  readonly retentionDays: number;
  readonly now: () => Date;
}

const MOST_DAYS = 7;

export async function previewWatch(
  settings: WatchSettings,
  { store, environments, retentionDays, now }: PreviewWatchParts,
): Promise<Preview> {
  const to = now();
  const since = subDays(to, Math.min(MOST_DAYS, retentionDays));
  const covered: PastIncident[] = [];
  let from = to;
  for (const { name } of environments.filter((environment) => isAbout(settings.filter, environment.name))) {
    const coverage = await store.coverage(name);
    if (coverage === null) continue;
    const begin = max([since, coverage.from]);
    covered.push(...(await store.pastIncidents(name, settings, begin)));
    if (begin < from) from = begin;
  }
  const newestFirst = covered.toSorted((a, b) => b.firstSeen.getTime() - a.firstSeen.getTime());
  return {
    range: { from, to },
    incidents: newestFirst.filter(({ isReached }) => isReached),
    below: newestFirst.filter(({ isReached }) => !isReached),
  };
}
