import { addMilliseconds, max, min, subMilliseconds } from 'date-fns';
import { countedIn } from '../coverage/minutes.ts';
import { ongoingCondition } from '../incidents/conditions.ts';
import type { IncidentNow } from '../incidents/incident.ts';
import { incidentNow } from '../incidents/lists.ts';
import type { Environment } from '../lib/environment.ts';
import { MINUTE_MS, minuteOf, type TimeRange } from '../lib/time/durations.ts';
import { CLOCK_TOLERANCE_MS } from '../lib/time/service-clock.ts';
import type { CheckNow } from '../polling/check-now.ts';
import { ServiceError } from '../service/service-error.ts';
import type { Db } from '../store/db.ts';
import { type CoveredRange, coverageIn, movedBy } from './coverage.ts';
import type { Scope } from './found.ts';

/** A range that ends so shortly before the question ends now. */
const JUST_NOW_MS = 500;

export interface CheckedCtx {
  environment: Environment;
  db: Db;
  checkNow: CheckNow;
  now: () => Date;
}

interface EventsChecked {
  eventsChecked: number;
  unreadable: number;
}

/** What an answer about a range covers. */
export interface Checked extends EventsChecked, Pick<CoveredRange, 'read' | 'since' | 'givenUp'> {
  environment: Environment;
  range: TimeRange;
  /** The last successful check is `asOf`, and `isCurrent` if it began after the question. */
  freshness: { asOf: Date | null; isCurrent: boolean };
  /** What of the range is still to be checked. */
  unchecked: readonly TimeRange[];
  /** Why the check before the answer failed. */
  trouble: ServiceError | null;
  /** The incident of a service that can't be read. */
  outage: IncidentNow | null;
}

/** Checks the environment once more first. Returns how far the service's clock is behind ours, too. */
export async function checkedIn(
  { environment, db, checkNow, now }: CheckedCtx,
  range: TimeRange,
): Promise<{ checked: Checked; scope: Scope; lagMs: number }> {
  const askedAt = now();
  const { outcome, problem } = await checkNow(environment.name);
  const { coverage, read, since, toRead, givenUp, after } = await coverageIn(db, environment.name, range);
  const lagMs = coverage?.lagMs ?? 0;
  // No time is between these.
  const nothing = { from: range.to, to: range.from };
  const isPast = range.to < subMilliseconds(askedAt, JUST_NOW_MS);
  // What a fast clock dates into the future has happened by now.
  const to = isPast ? range.to : addMilliseconds(askedAt, CLOCK_TOLERANCE_MS);
  const isChecked = read.from < read.to;
  const scope = {
    range: movedBy(-lagMs, { ...range, to }),
    coverage: isChecked && coverage !== null ? coverage : nothing,
  };
  const outage = await ongoingCondition(db, { kind: 'unreadable', environment: environment.name, workflow: null });
  const checked = {
    environment,
    range,
    read,
    since,
    givenUp,
    freshness: { asOf: coverage?.checkedAt ?? null, isCurrent: outcome === 'checked' },
    unchecked: [...toRead, ...(after.from < after.to ? [after] : [])],
    trouble: problem && new ServiceError(environment.name, 'listEvents', problem),
    ...(await eventsIn(db, environment.name, scope)),
    outage: outage && outage.firstAt < scope.range.to ? await incidentNow(db, outage.id, askedAt) : null,
  };
  return { checked, scope, lagMs };
}

/** Whether a range ends within the last minute. */
export const reachesNow = ({ to }: TimeRange, now: Date): boolean => now.getTime() - to.getTime() <= MINUTE_MS;

export async function eventsIn(db: Db, environment: string, { range, coverage }: Scope): Promise<EventsChecked> {
  // The minute of the end is included.
  const to = addMilliseconds(min([range.to, coverage.to]), 1);
  const from = minuteOf(max([range.from, coverage.from]));
  const { events: eventsChecked, unreadable } = await countedIn(db, environment, { from, to });
  return { eventsChecked, unreadable };
}
