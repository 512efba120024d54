import type { Shown } from './difficult-slack.ts';
import type { Stretch } from './facts.ts';
import type { Reading } from './readings.ts';
import type { Done } from './story.ts';

// What people read, against what the story was. It knows the promises only, and asks the product nothing.

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** The world as it was at a time: before it, and after it, another may hold. Times are true milliseconds. */
export interface Moment {
  at: number;
  incidents: ReadonlyMap<number, IncidentThen>;
  watches: ReadonlyMap<string, WatchThen>;
}

export interface IncidentThen {
  state: string;
  outbreak: number;
  /** When it ended by itself, as recovered. */
  endedAt: number | null;
  /** Failures of the newest outbreak. */
  failures: readonly FailureThen[];
  /** Failures of the outbreaks before. */
  earlier: readonly FailureThen[];
}

export interface FailureThen {
  id: string;
  /** When Notif knew it, and when it failed: both in true time. */
  at: number;
  failedAt: number;
  person: string;
  workflow: string;
  critical: boolean;
  /** From when on the service says that it is critical; 0 for always. */
  labeledAt: number;
}

export interface WatchThen {
  channel: string;
  escalateMs: number | null;
  everyMs: number;
  /** Whether these failures certainly start it off. */
  isThresholdReached: (failures: readonly FailureThen[]) => boolean;
  settings: string;
  /** It may be muted or in quiet hours, or certainly is. */
  mayBeHeld: boolean;
  isSurelyHeld: boolean;
  /** It covers whole incidents. */
  isWhole: boolean;
  covers: (incident: number, failure: FailureThen) => boolean;
}

export interface Told {
  shown: readonly Shown[];
  readings: readonly Reading[];
  /** The watch of each message, and the incidents that it is about. */
  watchOf: ReadonlyMap<string, string>;
  aboutOf: ReadonlyMap<string, readonly number[]>;
  moments: readonly Moment[];
  done: readonly Done[];
  takesDirectMessages: (person: string) => boolean;
  /** What may be few people's own trouble, which is gathered. */
  mayBeSingle: ReadonlySet<number>;
  /** Deleted messages, and when. */
  deletedAt: ReadonlyMap<string, number>;
  /** When each failed workflow had delivered again after its last failure; 0 if it may end without that. */
  provenAt: (incident: number, failures: readonly FailureThen[]) => number;
  /** For how long something may wait while nothing is in the way, and what is in the way. */
  withinMs: (from: number) => number;
  excuses: readonly Stretch[];
  /** What the database lost: what was posted then is told, though its rows came later. */
  lost: Stretch | null;
  /** Notif can look in Slack for what its database lost. */
  isHistoryRead: boolean;
  /** How far clocks differ. */
  blurMs: number;
  /** How far the clocks of two replicas differ at once: by so much the order of what they record isn't known. */
  replicasApartMs: number;
  /** The counts and times are those of the story. */
  isCountable: boolean;
  isEditable: boolean;
  end: number;
}

/** The moments around a time: what holds in both holds then. */
export function around({ moments, blurMs }: Told, at: number): readonly Moment[] {
  const after = moments.findIndex((moment) => moment.at > at + blurMs);
  const last = after < 0 ? moments.length - 1 : after;
  const first = moments.findLastIndex((moment) => moment.at < at - blurMs);
  return moments.slice(Math.max(0, first), last + 1);
}

export const every = (told: Told, at: number, holds: (moment: Moment) => boolean): boolean =>
  around(told, at).every(holds);

/** Whether it may fail at that time. What is in no moment is about the service itself, which fails while something is in the way. */
export function mayFail(told: Told, incident: number, at: number): boolean {
  const isOfFailures = told.moments.some(({ incidents }) => incidents.has(incident));
  if (!isOfFailures) return isExcused(told, at);
  return around(told, at).some(({ incidents }) => incidents.get(incident)?.state === 'firing');
}

/** The outbreak that a message was about; null if it changed just then. */
export function outbreakAt(told: Told, incident: number, at: number): number | null {
  const [first, ...others] = new Set(
    around(told, at).flatMap(({ incidents }) => incidents.get(incident)?.outbreak ?? []),
  );
  return first === undefined || others.length > 0 ? null : first;
}

/** The rows of messages that aren't continued in a newer one. */
export const live = ({ readings }: Told): readonly Reading[] => readings.filter(({ isContinued }) => !isContinued);

export const isLost = ({ lost }: Told, time: number): boolean =>
  lost !== null && time >= lost.from - MINUTE && time <= lost.to + SECOND;

export const isExcused = ({ excuses }: Told, time: number): boolean =>
  excuses.some(({ from, to }) => time >= from && time <= to);

/** The length of the stretch in which nothing is in the way. */
export function freeMs({ excuses }: Told, from: number, to: number): number {
  const busy = excuses.reduce(
    (sum, other) => sum + Math.max(0, Math.min(to, other.to) - Math.max(from, other.from)),
    0,
  );
  return Math.max(0, to - from - busy);
}

/** The mute of an incident is of the outbreak in which it was set. */
export function isMuted(told: Told, watchId: string, incident: number, outbreak: number, at: number): boolean {
  const last = told.done.findLast(
    ({ what, watchId: itsWatch, incidentId, at: doneAt }) =>
      what === 'muted' && itsWatch === watchId && incidentId === incident && doneAt <= at,
  );
  if (last === undefined || (last.until ?? 0) + MINUTE < at) return false;
  const muted = outbreakAt({ ...told, blurMs: 0 }, incident, last.at);
  return muted === null || muted === outbreak;
}

/** Whether it certainly is, by what people did: an acknowledgment is of its outbreak. */
export function isAcknowledged(told: Told, incident: number, outbreak: number | null, at: number): boolean {
  const near = told.blurMs + SECOND;
  const acts = told.done.filter(
    ({ what, incidentId }) => incidentId === incident && /acknowledged|resolved/.test(what),
  );
  const last = acts.findLast(({ at: doneAt }) => doneAt < at - near);
  const isChanging = acts.some(({ at: doneAt }) => Math.abs(doneAt - at) <= near);
  return (
    last?.what === 'acknowledged' &&
    !isChanging &&
    outbreak !== null &&
    outbreakAt({ ...told, blurMs: 0 }, incident, last.at) === outbreak
  );
}

/** Posts about an incident in the order of a watch, without its lines. */
export function postsOf(told: Told): ReadonlyMap<string, readonly Reading[]> {
  const posts = new Map<string, Reading[]>();
  for (const reading of live(told)) {
    const key = `${told.watchOf.get(reading.deliveryId)} ${reading.incident}`;
    if (!reading.isEdit && told.watchOf.has(reading.deliveryId)) posts.set(key, [...(posts.get(key) ?? []), reading]);
  }
  return posts;
}

export const isPerson = (place: string): boolean => /^[UW]/.test(place);
