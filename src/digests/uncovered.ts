import type { Watch } from '../watches/settings.ts';
import type { News } from './alerts.ts';

type Seen = Pick<News, 'id' | 'environment' | 'recorded'>;

export type Uncovered = ReturnType<typeof createUncovered>;

/**
 * Incidents of which a watch's filter covers nothing, until more is recorded: to look again takes as long as they have failures. A filter
 * that was widened covers only what comes after.
 */
export function createUncovered() {
  const recordedIn = new Map<string, ReadonlyMap<number, number>>();
  const placeOf = (watch: Watch, environment: string) => `${watch.id} ${environment}`;
  return {
    note(watch: Watch, environment: string, news: readonly Seen[]): void {
      recordedIn.set(placeOf(watch, environment), new Map(news.map(({ id, recorded }) => [id, recorded])));
    },
    has(watch: Watch, { id, environment, recorded }: Seen): boolean {
      return recordedIn.get(placeOf(watch, environment))?.get(id) === recorded;
    },
  };
}
