import type { EnvironmentChange } from '../changes/change.ts';
import type { IncidentNow } from '../incidents/incident-now.ts';
import type { Gap } from '../polling/gap.ts';
import type { TimeRange } from '../time/time-range.ts';

/** What the next person on call has to know about a time range that ends now. */
export interface Handover {
  readonly range: TimeRange;
  /** The requested environments, in configured order. */
  readonly environments: readonly HandedEnvironment[];
  /** Unowned incidents first, then as in any list of incidents. */
  readonly open: SomeOpen;
  /** What was resolved, or went quiet for a day, the latest first. */
  readonly over: Some<IncidentNow>;
  /** How many incidents began. */
  readonly opened: number;
  /** Mutes that end by `mutesTo`, the next first. */
  readonly mutes: Some<EndingMute>;
  readonly mutesTo: Date;
  readonly changes: SomeChanges;
  readonly tests: Some<SentTest>;
}

export interface HandedEnvironment {
  readonly name: string;
  /** What has failed since the time range began is dated after this, by the service's clock. */
  readonly datedFrom: Date;
  /** Until when events were checked; null: none were yet. */
  readonly checkedTo: Date | null;
  /** The gaps in the time range that are worth reporting. */
  readonly gaps: readonly Gap[];
  /** What else of the time range wasn't checked: after the last poll, before the first poll's hour, in gaps that aren't listed. */
  readonly unchecked: readonly TimeRange[];
}

/** The first few items of a list, and how many more there are. */
export interface Some<Item> {
  readonly items: readonly Item[];
  readonly more: number;
}

/** Open incidents, and how many of all of them nobody has. */
export interface SomeOpen extends Some<IncidentNow> {
  readonly unowned: number;
}

/** Changes, the latest first. */
export interface SomeChanges {
  readonly items: readonly EnvironmentChange[];
  readonly hasMore: boolean;
  /** Environments whose integration changes aren't known yet. */
  readonly unknown: readonly string[];
}

/** A running mute of an incident, or of whole watches, in a channel. */
export interface EndingMute {
  /** Null if the reader might not be a member of the channel. */
  readonly channel: string | null;
  readonly muted: MutedIncident | { readonly watches: number };
  /** A Slack user id. */
  readonly by: string;
  readonly until: Date;
}

export interface MutedIncident {
  readonly environment: string;
  readonly channel: string;
  readonly provider: string | null;
}

/** A test notification that somebody sent or may have sent. */
export interface SentTest {
  readonly environment: string;
  readonly workflow: string;
  readonly at: Date;
  /** How many events the service accepted; null: its answer isn't known. */
  readonly accepted: number | null;
}

/** Returns an incident's owner: its assignee, else the person who acknowledged it; a Slack user ID, or null for nobody. */
export function ownerOf({ assigned, acknowledged }: Pick<IncidentNow, 'assigned' | 'acknowledged'>): string | null {
  return assigned?.to ?? acknowledged?.by ?? null;
}

/** Returns the Slack user IDs of the people whom a handover names. */
export function peopleNamed({ open, over, mutes }: Handover): readonly string[] {
  const incidents = [...open.items, ...over.items].flatMap(({ assigned, acknowledged, state, note, lastTime }) => [
    assigned?.to,
    acknowledged?.by,
    (note ?? lastTime?.note)?.by,
    state.is === 'resolved' ? state.by : null,
  ]);
  const all = [...incidents, ...mutes.items.map(({ by }) => by)];
  return [...new Set(all.filter((person) => person !== null && person !== undefined))];
}
