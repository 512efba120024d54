import { addMilliseconds, compareAsc, max, subMilliseconds } from 'date-fns';
import { HOUR_MS } from '../lib/time/durations.ts';
import type { IncidentState } from './state.ts';

/** A number lasts while its outbreaks are less than this apart: what fails each day at two stays one incident. */
export const SAME_INCIDENT_MS = 26 * HOUR_MS;

/** A failure between an end and the next beginning belongs to the later outbreak if it's this close before it. */
const BEFORE_BEGINNING_MS = HOUR_MS;

/** An outbreak as a range of failures. Times are by the service's clock. */
export interface OutbreakRange {
  number: number;
  /** Null: from the first failure on. */
  coversFrom: Date | null;
  lastFailedAt: Date;
  /** The newest delivery that proved it when it last began to recover. Null: nothing but calm did. */
  recoversSince: Date | null;
  /** Null while it isn't over. */
  endedAtService: Date | null;
}

/** An outbreak that begins with a failure. */
export interface BegunOutbreak extends OutbreakRange {
  coversFrom: Date;
  beganAt: Date;
}

/** Where failures of an incident belong, and what that changes. */
export interface Placement<Item> {
  /** The outbreak of each item. */
  placed: readonly { item: Item; outbreak: number }[];
  begun: readonly BegunOutbreak[];
  /** When the newest outbreak, which was recovering, failed again; null: it didn't. */
  failsAgainAt: Date | null;
}

/**
 * Says to which outbreak of an incident each failure belongs, and which begin with them. A failure from before an end, found late, belongs to what
 * ended then: it is neither a new outbreak nor growth of the next one. Nor does one from before what proved a recovery wake it. `outbreaks` are newest
 * first.
 */
export function placeFailures<Item extends { occurredAt: Date }>(
  state: IncidentState,
  outbreaks: readonly OutbreakRange[],
  items: readonly Item[],
): Placement<Item> {
  const ranges: OutbreakRange[] = [...outbreaks];
  const begun: BegunOutbreak[] = [];
  const placed: { item: Item; outbreak: number }[] = [];
  let now = state;
  let failsAgainAt: Date | null = null;
  for (const item of items.toSorted((a, b) => compareAsc(a.occurredAt, b.occurredAt))) {
    const { occurredAt: failedAt } = item;
    const [newest] = ranges;
    if (newest === undefined) throw new Error('an incident has at least one outbreak');
    if (isAfterEnd(now, newest, failedAt)) {
      const next = begunAfter(newest, failedAt);
      ranges.unshift(next);
      begun.push(next);
      now = 'firing';
      failsAgainAt = null;
    } else if ((now === 'recovering' || now === 'unconfirmed') && isAfterRecovery(newest, failedAt)) {
      now = 'firing';
      failsAgainAt = failedAt;
    }
    const index = ranges.findIndex(({ coversFrom }) => coversFrom === null || failedAt >= coversFrom);
    const range = ranges[index] ?? newest;
    if (index >= 0) ranges[index] = { ...range, lastFailedAt: max([range.lastFailedAt, failedAt]) };
    placed.push({ item, outbreak: range.number });
  }
  return { placed, begun, failsAgainAt };
}

function begunAfter(before: OutbreakRange, failedAt: Date): BegunOutbreak {
  const endedAt = before.endedAtService ?? before.lastFailedAt;
  const coversFrom = max([addMilliseconds(endedAt, 1), subMilliseconds(failedAt, BEFORE_BEGINNING_MS)]);
  return {
    number: before.number + 1,
    coversFrom,
    beganAt: failedAt,
    lastFailedAt: failedAt,
    recoversSince: null,
    endedAtService: null,
  };
}

function isAfterRecovery({ lastFailedAt, recoversSince }: OutbreakRange, failedAt: Date): boolean {
  return failedAt > lastFailedAt && (recoversSince === null || failedAt > recoversSince);
}

function isAfterEnd(state: IncidentState, newest: OutbreakRange, failedAt: Date): boolean {
  if (state === 'resolved') return failedAt > (newest.endedAtService ?? newest.lastFailedAt);
  // What was never seen to work again fails again, for as long as it keeps its number.
  return state === 'unconfirmed' && failedAt.getTime() - newest.lastFailedAt.getTime() >= SAME_INCIDENT_MS;
}
