import { addMilliseconds, max } from 'date-fns';
import { environmentOf } from '../coverage/environments.ts';
import type { Gap } from '../coverage/gap.ts';
import { gapsIn } from '../coverage/gaps.ts';
import { joinedRanges, lengthOf, MINUTE_MS, overlap, type TimeRange, withoutRanges } from '../lib/time/durations.ts';
import { lagMs } from '../lib/time/service-clock.ts';
import type { Db } from '../store/db.ts';

/** What of an environment's events was checked, by the service's clock. */
export interface Coverage extends TimeRange {
  /** What polls have yet to read before `to`. */
  unread: readonly TimeRange[];
  /** The last successful check, by our clock. */
  checkedAt: Date | null;
  /** How far the service's clock is behind ours. */
  lagMs: number;
}

export async function coverageOf(db: Db, environment: string): Promise<Coverage | null> {
  const known = await environmentOf(db, environment);
  if (known === null || known.checkedTo <= known.coveredFrom) return null;
  const { coveredFrom: from, checkedTo, readAhead, lastSuccessAt: checkedAt, clockAheadMs } = known;
  const to = max([checkedTo, ...readAhead.map((range) => range.to)]);
  const unread = withoutRanges({ from: checkedTo, to }, readAhead);
  return { from, to, unread, checkedAt, lagMs: lagMs(clockAheadMs) };
}

/** The end of a range that is newer than the last check, by less than this, is about to be checked: it isn't missing. */
const SOON_MS = 5 * MINUTE_MS;

/** What of a range was checked. Its times are by our clock, those of `coverage` by the service's. */
export interface CoveredRange {
  coverage: Coverage | null;
  /** The beginning of what was ever checked, if that is within the range. */
  since: Date | null;
  /** From the first to the last checked moment of the range; empty if none was. */
  read: TimeRange;
  gaps: readonly Gap[];
  /** What within `read` is still to be checked. */
  toRead: readonly TimeRange[];
  /** What within `read` will never be checked. */
  givenUp: readonly TimeRange[];
  /** The rest of the range, after `read`. */
  after: TimeRange;
  /** Up to when anything was checked, also after the range. */
  checkedTo: Date | null;
  /** All of the range that wasn't checked, except what is about to be. */
  missing: readonly TimeRange[];
}

export async function coverageIn(db: Db, environment: string, range: TimeRange): Promise<CoveredRange> {
  const coverage = await coverageOf(db, environment);
  const serviceLagMs = coverage?.lagMs ?? 0;
  const checked = coverage && movedBy(serviceLagMs, coverage);
  const since = checked && checked.from > range.from ? checked.from : null;
  const read = checkedPart(range, checked);
  const stored = await gapsIn(db, environment, movedBy(-serviceLagMs, read));
  const gaps = stored.map((gap) => gapMovedBy(serviceLagMs, gap));
  const within = (windows: readonly TimeRange[]) =>
    joinedRanges(windows.flatMap((window) => overlap(window, read) ?? []));
  const unread = coverage?.unread.map((window) => movedBy(serviceLagMs, window)) ?? [];
  const toRead = within([...unread, ...gaps.flatMap((gap) => gap.toRead)]);
  const givenUp = within(gaps.flatMap((gap) => gap.givenUp));
  const after = { from: read.to, to: range.to };
  const isSoonChecked = read.from < read.to && lengthOf(after) < SOON_MS;
  const covered = withoutRanges(isSoonChecked ? { ...read, to: range.to } : read, [...toRead, ...givenUp]);
  return {
    coverage,
    since,
    read,
    gaps,
    toRead,
    givenUp,
    after,
    checkedTo: checked?.to ?? null,
    missing: withoutRanges(range, covered),
  };
}

/** Empty where nothing was checked: at the end of a range before the first check, else at its beginning. */
function checkedPart(range: TimeRange, checked: TimeRange | null): TimeRange {
  const emptyAt = checked !== null && checked.from >= range.to ? range.to : range.from;
  return (checked && overlap(range, checked)) ?? { from: emptyAt, to: emptyAt };
}

export function movedBy(ms: number, { from, to }: TimeRange): TimeRange {
  return { from: addMilliseconds(from, ms), to: addMilliseconds(to, ms) };
}

function gapMovedBy(ms: number, gap: Gap): Gap {
  const moved = (windows: readonly TimeRange[]) => windows.map((window) => movedBy(ms, window));
  const span = { beginsAt: addMilliseconds(gap.beginsAt, ms), endsAt: gap.endsAt && addMilliseconds(gap.endsAt, ms) };
  return { ...gap, ...span, toRead: moved(gap.toRead), givenUp: moved(gap.givenUp) };
}
