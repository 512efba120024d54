import type { EpisodeBeginning } from './episode.ts';
import type { IncidentNow } from './incident-now.ts';
import type { Note } from './note.ts';

export interface PastIncident {
  readonly now: IncidentNow;
  /** The newest first: at most `MOST_NOTES`. */
  readonly notes: readonly Note[];
  readonly moreNotes: number;
  /** The next episode; null for the last one of its incident. */
  readonly next: { readonly episodeId: number; readonly beganAs: EpisodeBeginning } | null;
}

export const MOST_NOTES = 3;
