import type { Affected, EpisodeFailure, InCommon } from '../../domain/incidents/incident-actions.ts';
import { csvLine } from '../../domain/lookups/csv.ts';

export interface EpisodeStore {
  /**
   * The failures of an episode, the newest first, of those that were known when the first page was shown: `upTo` is null then, and
   * what the first page came with afterwards.
   */
  episodeFailures(
    episodeId: number,
    page: { readonly upTo: number | null; readonly offset: number; readonly limit: number },
  ): Promise<{ readonly failures: readonly EpisodeFailure[]; readonly upTo: number | null }>;
  /** Whom an episode hit, in the order of their ids, after `after`, the first `offset` of them left out. */
  affected(
    episodeId: number,
    page: { readonly after: string | null; readonly offset: number; readonly limit: number },
  ): Promise<readonly Affected[]>;
  /** What the newest failures of an episode have in common: at most three values of a kind. */
  inCommon(episodeId: number): Promise<InCommon>;
}

/** So many are read at once: a statement stays short. */
const CHUNK = 250;

/** A file holds at most so many subscribers, so that a click can't fill the memory; some 10 MB. */
export const MOST_IN_FILE = 100_000;

const HEADING = csvLine(['subscriber', 'failures', 'first failed at', 'last failed at']);

/** The subscribers that an episode hit as the lines of a CSV file, read in chunks; times are UTC. The last line says so where there are more. */
export async function* affectedCsv(episodeId: number, store: Pick<EpisodeStore, 'affected'>): AsyncGenerator<string> {
  yield HEADING;
  let after: string | null = null;
  for (let read = 0; read < MOST_IN_FILE; read += CHUNK) {
    const chunk: readonly Affected[] = await store.affected(episodeId, { after, offset: 0, limit: CHUNK });
    yield chunk.map(lineOf).join('');
    after = chunk.at(-1)?.subscriberId ?? null;
    if (chunk.length < CHUNK) return;
  }
  const more = await store.affected(episodeId, { after, offset: 0, limit: 1 });
  if (more.length > 0) yield csvLine([`and more: a file holds ${MOST_IN_FILE.toLocaleString('en-US')} at most`]);
}

function lineOf({ subscriberId, failures, firstSeen, lastSeen }: Affected): string {
  return csvLine([subscriberId, failures, firstSeen.toISOString(), lastSeen.toISOString()]);
}
