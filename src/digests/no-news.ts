import type { Watch } from '../watches/settings.ts';
import type { News } from './alerts.ts';

type Seen = Pick<News, 'id' | 'environment' | 'recorded' | 'isDue'>;

export type NoNews = ReturnType<typeof createNoNews>;

/**
 * Incidents that a watch's filter covers nothing of, or not as much as its threshold, until more is recorded: to look again takes as long as
 * they have failures. A filter that was widened, or another threshold, covers only what comes after.
 */
export function createNoNews() {
  const recordedIn = new Map<string, ReadonlyMap<number, number>>();
  const placeOf = ({ id }: Watch, environment: string) => `${id} ${environment}`;
  return {
    note(watch: Watch, environment: string, seen: readonly Seen[]): void {
      recordedIn.set(placeOf(watch, environment), new Map(seen.map(({ id, recorded }) => [id, recorded])));
    },
    has(watch: Watch, { id, environment, recorded, isDue }: Seen): boolean {
      return !isDue && recordedIn.get(placeOf(watch, environment))?.get(id) === recorded;
    },
  };
}
