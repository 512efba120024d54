import type { Affected, EpisodeFailure, InCommon } from '../../domain/incidents/incident-actions.ts';
import { csvLine } from '../../domain/lookups/csv.ts';

export interface EpisodeStore {
  /**
   * Returns the failures of an episode, the newest first, limited to those known when the first page was shown: `upTo` is null for the
   * first page, then the value that it returned.
   */
  episodeFailures(
    episodeId: number,
    page: { readonly upTo: number | null; readonly offset: number; readonly limit: number },
  ): Promise<{ readonly failures: readonly EpisodeFailure[]; readonly upTo: number | null }>;
  mostAffected(episodeId: number, limit: number): Promise<readonly Affected[]>;
  affected(
    episodeId: number,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly Affected[]>;
  inCommon(episodeId: number): Promise<InCommon>;
}

/** Rows read per statement, which keeps each one short. */
const CHUNK = 250;

/** The most subscribers in a file, some 10 MB, so that a click can't fill the memory. */
export const MOST_IN_FILE = 100_000;

const HEADING = csvLine(['subscriber', 'failures', 'first failed at', 'last failed at']);

/** Yields an episode's affected subscribers as lines of a CSV file, read in chunks; times are UTC. The last line says if there are more. */
export async function* affectedCsv(episodeId: number, store: Pick<EpisodeStore, 'affected'>): AsyncGenerator<string> {
  yield HEADING;
  let after: string | null = null;
  for (let read = 0; read < MOST_IN_FILE; read += CHUNK) {
    const chunk: readonly Affected[] = await store.affected(episodeId, { after, limit: CHUNK });
    yield chunk.map(lineOf).join('');
    after = chunk.at(-1)?.subscriberId ?? null;
    if (chunk.length < CHUNK) return;
  }
  const more = await store.affected(episodeId, { after, limit: 1 });
  if (more.length > 0) yield csvLine([`and more: a file holds ${MOST_IN_FILE.toLocaleString('en-US')} at most`]);
}

function lineOf({ subscriberId, failures, firstSeen, lastSeen }: Affected): string {
  return csvLine([subscriberId, failures, firstSeen.toISOString(), lastSeen.toISOString()]);
}
