import type { GroupTally } from '../failures/failure.ts';
import type { EpisodeBeginning } from './episode.ts';
import type { IncidentNow } from './incident-now.ts';
import type { Note } from './note.ts';

/** What happened to an incident, as the thread of the message that announced it says. People are Slack user IDs. */
export type HistoryEvent =
  | { readonly what: 'acknowledged' | 'unacknowledged' | 'unmuted'; readonly by: string; readonly at: Date }
  | { readonly what: 'assigned'; readonly to: string; readonly by: string; readonly at: Date }
  | { readonly what: 'muted'; readonly by: string; readonly at: Date; readonly until: Date }
  | ({ readonly what: 'noted' } & Note)
  | { readonly what: 'relapsed'; readonly at: Date }
  /** `by` is null if it recovered by itself. */
  | { readonly what: 'resolved'; readonly by: string | null; readonly at: Date };

/** An incident's counts when it was resolved; later failures don't change what was reported. */
export type IncidentTotal = Pick<GroupTally, 'failures' | 'subscribers' | 'firstSeen' | 'lastSeen'>;

/** An incident that an event is about; `total` if the event ends it. */
export interface IncidentInHistory {
  readonly now: IncidentNow;
  readonly total: IncidentTotal | null;
}

export function peopleIn(event: HistoryEvent): readonly string[] {
  const by = 'by' in event && event.by !== null ? [event.by] : [];
  return event.what === 'assigned' ? [...by, event.to] : by;
}

export interface PastIncident {
  readonly now: IncidentNow;
  /** The newest first: at most `MOST_NOTES`. */
  readonly notes: readonly Note[];
  readonly moreNotes: number;
  /** The next episode; null for the last one of its incident. */
  readonly next: { readonly episodeId: number; readonly beganAs: EpisodeBeginning } | null;
}

export const MOST_NOTES = 3;
