import type { EpisodeBeginning } from './episode.ts';
import type { Note } from './note.ts';

export interface EarlierEpisode {
  readonly beganAs: EpisodeBeginning;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
  readonly taken: Taken;
  /** The newest first. */
  readonly notes: readonly Note[];
}

/** Who took an incident, by Slack user IDs; null: nobody did. */
export interface Taken {
  readonly acknowledgedBy: string | null;
  readonly assignedTo: string | null;
  /** Also null if it recovered by itself. */
  readonly resolvedBy: string | null;
}

export interface LastTime {
  readonly from: Date;
  readonly to: Date;
  readonly taken: Taken;
  readonly note: Note | null;
  readonly since: number;
}

export interface Remembered {
  readonly note: Note | null;
  readonly lastTime: LastTime | null;
}

/** Takes the newest first. An outage is worth remembering if somebody took it or wrote a note, not if it came and went by itself. */
export function remembered(episodes: readonly EarlierEpisode[]): Remembered {
  const [current, ...earlier] = outagesOf(episodes);
  const since = earlier.findIndex(isWorthShowing);
  const last = earlier[since];
  return {
    note: current?.note ?? null,
    lastTime: last === undefined ? null : { ...last, since },
  };
}

type Outage = Omit<LastTime, 'since'>;

function outagesOf(episodes: readonly EarlierEpisode[]): Outage[] {
  const outages: Outage[] = [];
  let goesOn = false;
  for (const episode of episodes) {
    const later = goesOn ? outages.pop() : undefined;
    outages.push(later === undefined ? outageOf(episode) : prolonged(later, episode));
    goesOn = episode.beganAs === 'goes-on';
  }
  return outages;
}

function outageOf({ firstSeen, lastSeen, taken, notes }: EarlierEpisode): Outage {
  return { from: firstSeen, to: lastSeen, taken, note: notes[0] ?? null };
}

/** The later part takes precedence: the last owner and the last note. */
function prolonged(later: Outage, { firstSeen, taken, notes }: EarlierEpisode): Outage {
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

function isWorthShowing({ taken, note }: Outage): boolean {
  return note !== null || Object.values(taken).some((person) => person !== null);
}
