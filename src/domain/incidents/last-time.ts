import type { EpisodeBeginning } from './episode.ts';
import type { Note } from './note.ts';

/** An episode of an incident, or what is kept of it, for those after it. */
export interface PastEpisode {
  readonly beganAs: EpisodeBeginning;
  /** Its first and its last failure. */
  readonly firstSeen: Date;
  readonly lastSeen: Date;
  readonly taken: Taken;
  /** The newest first. */
  readonly notes: readonly Note[];
}

/** Who took an incident, by their Slack user ids; null: nobody did. */
export interface Taken {
  readonly acknowledgedBy: string | null;
  readonly assignedTo: string | null;
  /** Null too where it recovered by itself. */
  readonly resolvedBy: string | null;
}

/** The last outage of the same cause of which something is known that helps. */
export interface LastTime {
  readonly from: Date;
  readonly to: Date;
  readonly taken: Taken;
  readonly note: Note | null;
  /** How many outages came between it and the one that is shown, without a note and with nobody who took them. */
  readonly since: number;
}

/** What people wrote about the outage that an episode belongs to, and about the one before. */
export interface Remembered {
  readonly note: Note | null;
  readonly lastTime: LastTime | null;
}

/**
 * What is to be remembered of an incident's episodes, the newest first, which is the one that is shown. An episode that goes on from the
 * one before is the same outage. An outage tells something where somebody took it or wrote a note; one that came and went by itself doesn't.
 */
export function remembered(episodes: readonly PastEpisode[]): Remembered {
  const [current, ...earlier] = outagesOf(episodes);
  const since = earlier.findIndex(tellsSomething);
  const last = earlier[since];
  return {
    note: current?.note ?? null,
    lastTime: last === undefined ? null : { ...last, since },
  };
}

type Outage = Omit<LastTime, 'since'>;

function outagesOf(episodes: readonly PastEpisode[]): Outage[] {
  const outages: Outage[] = [];
  let goesOn = false;
  for (const episode of episodes) {
    const later = goesOn ? outages.pop() : undefined;
    outages.push(later === undefined ? outageOf(episode) : prolonged(later, episode));
    goesOn = episode.beganAs === 'goes-on';
  }
  return outages;
}

function outageOf({ firstSeen, lastSeen, taken, notes }: PastEpisode): Outage {
  return { from: firstSeen, to: lastSeen, taken, note: notes[0] ?? null };
}

/** What the later part says counts: who had it last, and the last note. */
function prolonged(later: Outage, { firstSeen, taken, notes }: PastEpisode): Outage {
  return {
    from: firstSeen,
    to: later.to,
    taken: {
      acknowledgedBy: later.taken.acknowledgedBy ?? taken.acknowledgedBy,
      assignedTo: later.taken.assignedTo ?? taken.assignedTo,
      resolvedBy: later.taken.resolvedBy,
    },
    note: later.note ?? notes[0] ?? null,
  };
}

function tellsSomething({ taken, note }: Outage): boolean {
  return note !== null || Object.values(taken).some((person) => person !== null);
}
