import { max, subMilliseconds } from 'date-fns';
import { ALL_FAILURES, type FailureFilter } from '../judging/filter.ts';
import { mostSevere } from '../judging/verdict.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import type { Db } from '../store/db.ts';
import type { IncidentNow, StateNow, WorkflowShare } from './incident.ts';
import { type Facts, factsAbout, type MatchedPart } from './incident-facts.ts';
import { type IncidentWithOutbreak, incidentsWithIds } from './incident-rows.ts';
import type { IncidentRow, OutbreakRow } from './tables.ts';

/** So many workflows of an incident are named. */
const MOST_WORKFLOWS = 3;
/** A count that is older says as of when it is. */
const STALE_MS = 2 * MINUTE_MS;

/** The incidents by their numbers; with a `filter` the part of each that it covers. */
export async function incidentsNow(
  db: Db,
  ids: readonly number[],
  filter: FailureFilter | null,
  now: Date,
): Promise<ReadonlyMap<number, IncidentNow>> {
  const rows = await incidentsWithIds(db, ids);
  if (rows.length === 0) return new Map();
  const facts = await factsAbout(db, rows, filter ?? ALL_FAILURES, now);
  return new Map(rows.map((row) => [row.incident.id, incidentFrom(row, facts, now)]));
}

/** The incidents in the order of `rows`, without those that are no longer kept. */
export async function incidentsInOrder(
  db: Db,
  rows: readonly { id: number }[],
  now: Date,
  filter: FailureFilter | null = null,
): Promise<readonly IncidentNow[]> {
  const ids = rows.map(({ id }) => id);
  const known = await incidentsNow(db, ids, filter, now);
  return ids.flatMap((id) => known.get(id) ?? []);
}

function incidentFrom(row: IncidentWithOutbreak, facts: Facts, now: Date): IncidentNow {
  const { incident, outbreak, read } = row;
  const { id, code, key, kind, environment, channel, provider, isTest, headline, isRecipientFault } = incident;
  const { firstAt, assignedTo, continuedAs } = incident;
  const match = facts.matched.get(id) ?? null;
  const counts = countsOf(outbreak, match);
  const attempts = facts.attempts.get(id);
  const workflows = facts.workflows.get(id) ?? [];
  const checkedTo = subMilliseconds(read.checkedTo, read.clockAheadMs ?? 0);
  const isStale = incident.state === 'firing' && now.getTime() - checkedTo.getTime() > STALE_MS;
  const isPartOver = match?.isEarlier === true && incident.state !== 'resolved';
  const { note = null, earlierNote = null, lastTime = null } = facts.remembered.get(id) ?? {};
  const past = facts.outbreaks.get(id) ?? [];
  // A later outbreak can have begun since the incident was read.
  const earlier = past.filter(({ number, failures }) => number < outbreak.number && failures > 0);
  const failuresBefore = earlier.reduce((sum, { failures }) => sum + failures, 0);
  const { acknowledgedBy, acknowledgedAt } = outbreak;
  const isOutage = kind !== 'failures' && kind !== 'silence';
  const gap = facts.gaps.get(outbreak.gapId ?? '') ?? null;
  return {
    id,
    code,
    key,
    kind,
    environment,
    channel,
    provider,
    isTest,
    headline,
    isRecipientFault,
    firstAt,
    assignedTo,
    continuedAs,
    ...counts,
    earlier: match === null ? earlier.map(({ from, to }) => ({ from, to })) : [],
    asOf: now,
    cause: { text: incident.causeText, key: incident.causeKey },
    failuresInAll: match === null ? failuresBefore + outbreak.failures : null,
    isAtLeast: outbreak.isAtLeast,
    badness: outbreak.badness,
    worst: outbreak.worst,
    outage: isOutage ? { problem: read.problem, uncheckedSince: checkedTo, gap } : null,
    example: facts.examples.get(id) ?? { eventId: null, transactionId: '', subscriberId: null },
    workflows: workflows.slice(0, MOST_WORKFLOWS).map((share): WorkflowShare => {
      return { ...share, attempts: attempts?.byWorkflow.get(share.workflow ?? '') ?? null };
    }),
    moreWorkflows: Math.max(0, workflows.length - MOST_WORKFLOWS),
    attempts: attempts?.total ?? null,
    // What was delivered can still bounce.
    wentThrough: outbreak.verdicts.includes('bounced') ? 0 : (facts.wentThrough.get(id) ?? 0),
    staleSince: isStale ? max([checkedTo, counts.lastAt]) : null,
    shared: facts.isWhole ? outbreak.shared : null,
    changedBefore: facts.changes.get(id) ?? [],
    state: isPartOver ? stateOfEarlier(incident, counts) : stateOf(incident, outbreak),
    acknowledged: acknowledgedBy === null ? null : { actor: acknowledgedBy, at: acknowledgedAt ?? now },
    formerly: acknowledgedBy === null ? (facts.formerly.get(id) ?? null) : null,
    note,
    earlierNote,
    lastTime,
  };
}

type Counts = Pick<
  IncidentNow,
  'outbreak' | 'beganAt' | 'lastAt' | 'verdict' | 'failures' | 'subscribers' | 'critical'
>;

/** What is counted of an outbreak, or of the part of the incident that a filter covers. */
function countsOf(outbreak: OutbreakRow, match: MatchedPart | null): Counts {
  if (match === null)
    return {
      outbreak: outbreak.number,
      beganAt: outbreak.beganAt,
      lastAt: outbreak.lastFailedAt,
      verdict: mostSevere(outbreak.verdicts),
      failures: outbreak.failures,
      subscribers: outbreak.subscribers,
      critical: outbreak.criticalSince !== null,
    };
  const { total, isEarlier } = match;
  const { firstAt, lastAt, verdicts, failures, subscribers, critical } = total;
  // As it was told: an earlier failure that is found later doesn't move the beginning.
  const beganAt = isEarlier ? firstAt : max([firstAt, outbreak.beganAt]);
  // A part that failed only in an earlier outbreak isn't shown as come back.
  const number = isEarlier ? 1 : outbreak.number;
  return { outbreak: number, beganAt, lastAt, verdict: mostSevere(verdicts), failures, subscribers, critical };
}

/** The state of a part that failed only in an earlier outbreak: whatever fails now is another part. */
function stateOfEarlier({ state }: IncidentRow, { lastAt }: Counts): StateNow {
  return { is: state === 'unconfirmed' ? 'unconfirmed' : 'recovering', since: lastAt };
}

function stateOf({ state, stateAt, kind }: IncidentRow, { lastFailedAt, endedBy, ending }: OutbreakRow): StateNow {
  if (state === 'firing') return { is: state };
  if (state === 'resolved') return { is: state, at: stateAt, actor: endedBy, ending };
  return { is: state, since: kind === 'failures' ? lastFailedAt : stateAt };
}
