import { addMilliseconds, compareAsc, max, subMilliseconds } from 'date-fns';
import { DAY_MS, HOUR_MS, lengthWithout, MINUTE_MS, type TimeRange } from '../lib/time/durations.ts';

export const INCIDENT_STATES = ['firing', 'recovering', 'unconfirmed', 'resolved'] as const;

export type IncidentState = (typeof INCIDENT_STATES)[number];

const CALM_MS = 5 * MINUTE_MS;
const RECOVERED_MS = 10 * MINUTE_MS;

/** So many successes are a recovery before CALM_MS. */
const FEWEST_SUCCESSES = 10;

/** Times are by the service's clock: the caller has converted `stateAt`, which is stored by ours. Successes are those of the incident's workflows at its channel and provider. */
export interface Evidence {
  state: IncidentState;
  stateAt: Date;
  lastAt: Date;
  /** When a failure was last recorded, as a stuck step is noticed late; `lastAt` if Notif itself was late. */
  foundAt: Date;
  checkedTo: Date;
  unchecked: readonly TimeRange[];
  /** A recipient's fault or an outage: the successes of others say nothing. */
  isProvenByTime: boolean;
  /** What was delivered may still bounce, so it proves nothing soon. */
  isBounced: boolean;
  /** Counted in its last day, as older successes are pruned. */
  failures: number;
  /** Counted up to `lastAt`. */
  successesBefore: number;
  successesAfter: number;
  /** As counted when it began to recover. */
  successesNeeded: number | null;
}

/** By the rule of three (Hanley and Lippman-Hand, JAMA 1983): beyond 3 ÷ p successes, p is refuted at 5 %. */
export function successesNeeded({ failures, successesBefore }: Pick<Evidence, 'failures' | 'successesBefore'>) {
  return Math.ceil((3 * (failures + successesBefore)) / Math.max(1, failures));
}

export function stateBy(evidence: Evidence): IncidentState {
  const { state, stateAt, lastAt, foundAt, checkedTo, unchecked, failures, successesAfter } = evidence;
  const { isProvenByTime, isBounced } = evidence;
  const known = state === 'firing' ? null : evidence.successesNeeded;
  const needed = Math.max(known ?? 0, successesNeeded(evidence));
  // No failure is left if each retry succeeded.
  const isProven = isProvenByTime || failures === 0 || successesAfter >= needed;
  const calmMs = (from: Date) => lengthWithout({ from, to: checkedTo }, unchecked);
  switch (state) {
    case 'firing': {
      const othersProve = !isProvenByTime && !isBounced;
      const isQuick = failures === 0 || (othersProve && successesAfter >= Math.max(FEWEST_SUCCESSES, needed));
      return isQuick || calmMs(max([lastAt, foundAt])) >= CALM_MS ? 'recovering' : 'firing';
    }
    case 'recovering':
      if (calmMs(max([lastAt, stateAt])) < RECOVERED_MS) return 'recovering';
      return isProven ? 'resolved' : 'unconfirmed';
    case 'unconfirmed':
      return isProven ? 'resolved' : 'unconfirmed';
    case 'resolved':
      return 'resolved';
  }
}

/** Returns the new `stateAt`, by our clock. A recovery shorter than CALM_MS doesn't count. */
export function firingSince({ state, stateAt }: { state: IncidentState; stateAt: Date }, startedAt: Date, now: Date) {
  // A `stateAt` that isn't later than the last alert's is no reason to alert again (digests/decide.ts).
  return state === 'recovering' && now.getTime() - stateAt.getTime() < CALM_MS ? startedAt : now;
}

const CALM_FOR_RELAPSE_MS = HOUR_MS;

/** A failure from before the recovery, found late, changes nothing. */
export function effectOf(
  { state, lastAt, endedAt }: { state: IncidentState; lastAt: Date; endedAt: Date },
  occurredAt: Date,
): 'stays' | 'fires' | 'relapses' {
  if (state === 'firing') return 'stays';
  if (state === 'resolved') return occurredAt > endedAt ? 'relapses' : 'stays';
  if (occurredAt <= lastAt) return 'stays';
  const calmMs = occurredAt.getTime() - lastAt.getTime();
  return state === 'unconfirmed' && calmMs >= CALM_FOR_RELAPSE_MS ? 'relapses' : 'fires';
}

export const SAME_INCIDENT_MS = DAY_MS;

/** A null `joinableTo` means a day after `lastAt`. */
export type Joinable = { id: number; firstAt: Date; lastAt: Date; joinableTo: Date | null };

/** Each failure, earliest first, joins the newest incident that is joinable at its time. */
export function join<Item extends { occurredAt: Date }, Known extends Joinable>(
  items: readonly Item[],
  known: readonly Known[],
) {
  const newestFirst = known.toSorted((a, b) => b.id - a.id);
  const spans = newestFirst.map((incident) => ({ ...incident, incident, items: [] as Item[] }));
  const begun: (Omit<Joinable, 'id'> & { items: [Item, ...Item[]] })[] = [];
  for (const item of items.toSorted((a, b) => compareAsc(a.occurredAt, b.occurredAt))) {
    const { occurredAt: at } = item;
    const span = [...begun, ...spans].find((near) => isNear(at, near));
    if (span === undefined) begun.unshift({ firstAt: at, lastAt: at, joinableTo: null, items: [item] });
    else {
      span.items.push(item);
      span.lastAt = max([span.lastAt, at]);
    }
  }
  return {
    joined: spans.filter((span) => span.items.length > 0),
    begun: begun.toReversed().map((span) => span.items),
  };
}

function isNear(at: Date, { firstAt, lastAt, joinableTo }: Omit<Joinable, 'id'>) {
  return (
    at >= subMilliseconds(firstAt, SAME_INCIDENT_MS) && at <= (joinableTo ?? addMilliseconds(lastAt, SAME_INCIDENT_MS))
  );
}
