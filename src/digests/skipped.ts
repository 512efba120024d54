import type { Watch } from '../watches/settings.ts';
import type { Pending } from './alerts.ts';

type Seen = Pick<Pending, 'id' | 'environment' | 'recorded' | 'isDue'>;

export type Skipped = ReturnType<typeof createSkipped>;

/** Remembers what a watch's filter or threshold skipped until more is recorded, because counting failures is slow. */
export function createSkipped() {
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
