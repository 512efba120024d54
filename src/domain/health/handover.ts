import type { EnvironmentChange } from '../changes/change.ts';
import type { IncidentNow } from '../incidents/incident-now.ts';
import type { Gap } from '../polling/gap.ts';
import type { TimeRange } from '../time/time-range.ts';

/** What the next person on call has to know of a stretch of time that ends now. */
export interface Handover {
  readonly range: TimeRange;
  /** In the order in which they are configured, as far as they were asked for. */
  readonly environments: readonly HandedEnvironment[];
  /** What nobody has, first; then as in any list of incidents. */
  readonly open: Some<IncidentNow>;
  /** What was resolved, or went quiet for a day, the last first. */
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
  /** Up to when events were checked; null: none were yet. */
  readonly checkedTo: Date | null;
  /** Of the stretch of time. */
  readonly gaps: readonly Gap[];
}

/** The first of several. */
export interface Some<Item> {
  readonly items: readonly Item[];
  readonly more: number;
}

/** What was changed, the last first. */
export interface SomeChanges {
  readonly items: readonly EnvironmentChange[];
  readonly hasMore: boolean;
  /** Environments of which changes of integrations aren't known yet. */
  readonly unknown: readonly string[];
}

/** A running mute of an incident, or of whole watches, in a channel. */
export interface EndingMute {
  /** Null where anyone who reads this may not know it. */
  readonly channel: string | null;
  readonly muted: MutedIncident | { readonly watches: number };
  /** A Slack user id. */
  readonly by: string;
  readonly until: Date;
}

export interface MutedIncident {
  readonly channel: string;
  readonly provider: string | null;
}

/** A test notification that somebody sent, or may have sent. */
export interface SentTest {
  readonly environment: string;
  readonly workflow: string;
  readonly at: Date;
  /** For how many subscribers the service took it; null: its answer isn't known. */
  readonly accepted: number | null;
}

/** Who has an incident: the person it's assigned to, else the one who acknowledged it; a Slack user id, or null for nobody. */
export function ownerOf({ assigned, acknowledged }: Pick<IncidentNow, 'assigned' | 'acknowledged'>): string | null {
  return assigned?.to ?? acknowledged?.by ?? null;
}

/** Open incidents with those that nobody has first; else their order stays. */
export function unownedFirst<Incident extends IncidentNow>(open: readonly Incident[]): Incident[] {
  return [...open.filter((one) => ownerOf(one) === null), ...open.filter((one) => ownerOf(one) !== null)];
}

/** The people whom a handover names, by their Slack user ids. */
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
