import type { Permission } from '../access/membership.ts';
import type { IncidentNow } from '../incidents/incident-now.ts';
import type { Watch } from '../watches/watch.ts';
import type { Status } from './status.ts';

/** A Home tab is kept up to date for this long after its owner has opened it or clicked there: Slack does not tell when it is closed. */
export const HOME_FOLLOWED_MS = 10 * 60_000;

/** It is published at most once in this time, but for what its owner asks for. */
export const HOME_EVERY_MS = 60_000;

/** What a person's Home tab shows: Notif's health, what fails, and which channels get alerts. */
export interface Home {
  readonly status: Status;
  /** The gravest; null where the database does not answer, as for `watches`. */
  readonly open: OpenGroups | null;
  readonly watches: SeenWatches | null;
  /** Whether its owner can send tests; the button is offered where that isn't known. */
  readonly canTrigger: Permission;
}

/** A group that fails, or has been quiet for less than a day, in its last episode. */
export interface OpenGroup extends IncidentNow {
  /** How many watches have muted it. */
  readonly mutedIn: number;
}

/** A part of the open groups, and how many there are. */
export interface OpenGroups {
  readonly groups: readonly OpenGroup[];
  /** How many stand before them in the order of all. */
  readonly offset: number;
  /** Of each environment that has any. */
  readonly counts: readonly OpenCount[];
}

export interface OpenCount {
  readonly environment: string;
  readonly failing: number;
  readonly quiet: number;
}

export function openTotal(counts: readonly OpenCount[]): number {
  return counts.reduce((total, { failing, quiet }) => total + failing + quiet, 0);
}

/** The watches that somebody may see: those of public channels, and their own. */
export interface SeenWatches {
  readonly watches: readonly Watch[];
  /** How many there are beyond them, in private channels, direct messages, or too many to show. */
  readonly others: number;
}
