import type { TimeRange } from '../lib/time/time-range.ts';
import type { Gap } from '../polling/gap.ts';
import type { IncidentNow } from './incident.ts';

export interface Handover {
  readonly range: TimeRange;
  /** In configured order. */
  readonly environments: readonly HandedEnvironment[];
  /** Unowned incidents first, then as in any list of incidents. */
  readonly open: SomeOpen;
  /** What was resolved, or went quiet for a day, the latest first. */
  readonly over: Some<IncidentNow>;
  /** Mutes that end by `mutesTo`, the next first. */
  readonly mutes: Some<EndingMute>;
  readonly mutesTo: Date;
}

export interface HandedEnvironment {
  readonly name: string;
  /** Until when events were checked; null: none were yet. */
  readonly checkedTo: Date | null;
  readonly gaps: readonly Gap[];
  /** What else of the time range wasn't checked: after the last poll, before the first poll's hour, in gaps that aren't listed. */
  readonly unchecked: readonly TimeRange[];
}

export interface Some<Item> {
  readonly items: readonly Item[];
  readonly more: number;
}

export interface SomeOpen extends Some<IncidentNow> {
  readonly unowned: number;
}

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

/** Returns an incident's owner: its assignee, else the person who acknowledged it; a Slack user ID, or null for nobody. */
export function ownerOf({ assigned, acknowledged }: Pick<IncidentNow, 'assigned' | 'acknowledged'>): string | null {
  return assigned?.to ?? acknowledged?.by ?? null;
}

export function gapState({ to, unchecked, givenUp }: Gap): 'open' | 'catching up' | 'partly lost' | 'caught up' {
  if (to === null) return 'open';
  if (unchecked.length > 0) return 'catching up';
  return givenUp.length > 0 ? 'partly lost' : 'caught up';
}

export function isWhole({ checkedTo, gaps, unchecked }: HandedEnvironment): boolean {
  return checkedTo !== null && unchecked.length === 0 && gaps.every((gap) => gapState(gap) === 'caught up');
}

export function peopleNamed({ open, over, mutes }: Handover): readonly string[] {
  const incidents = [...open.items, ...over.items].flatMap(({ assigned, acknowledged, state, note }) => [
    assigned?.to,
    acknowledged?.by,
    note?.by,
    state.is === 'resolved' ? state.by : null,
  ]);
  const all = [...incidents, ...mutes.items.map(({ by }) => by)];
  return [...new Set(all.filter((person) => person !== null && person !== undefined))];
}
