import { max } from 'date-fns';
import { and, desc, eq, ne } from 'drizzle-orm';
import { boundedId, type Storable } from '../lib/text/shown-id.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { byLaggingClock } from '../lib/time/service-clock.ts';
import type { Db } from '../store/db.ts';
import { beginIncident, beginOutbreak } from './begin.ts';
import type { IncidentKind } from './incident.ts';
import {
  currentOf,
  type OutbreakKey,
  outbreakWithKey,
  renewVersions,
  updateIncident,
  updateOutbreak,
} from './incident-rows.ts';
import { placeFailures, SAME_INCIDENT_MS } from './outbreak.ts';
import { type IncidentRow, incidents, outbreakWorkflows } from './tables.ts';
import { type Happening, noteHappenings } from './timeline.ts';

/** What isn't a failure of notifications, and is an incident with a number like any: why Notif can't say what fails, or that nothing is sent. */
export interface Condition {
  kind: Exclude<IncidentKind, 'failures'>;
  environment: string;
  /** Null: the whole environment's. */
  workflow: { identifier: Storable; name: Storable | null } | null;
  headline: string | null;
  causeText: string;
  causeKey: string;
  critical: boolean;
  /** By the service's clock. */
  beganAt: Date;
  /** Up to when it is known to last, by the service's clock. */
  lastAt: Date;
  /** The gap that it leaves. */
  gapId: string | null;
}

/** What each condition is of: one can be ongoing for each. */
type ConditionPlace = Pick<Condition, 'kind' | 'environment' | 'workflow'>;

/** A condition that was over for less than this was only interrupted. */
const BRIEF_MS = 5 * MINUTE_MS;

/** What keys of conditions begin with; those of other incidents are hashes. */
const PREFIXES: Record<Condition['kind'], string> = {
  unreadable: 'outage',
  slow: 'slow',
  'not-running': 'not-running',
  silence: 'silence',
};

const conditionKey = ({ kind, environment, workflow }: ConditionPlace): string =>
  [PREFIXES[kind], environment, ...(workflow === null ? [] : [workflow.identifier])].join(' ');

interface Clock {
  now: Date;
  /** How far the service's clock is ahead of ours; null: unknown. */
  clockAheadMs: number | null;
}

/** Begins an incident, goes on with the open one, or says that it is back. Needs a lock on the environment. */
export async function noteCondition(tx: Db, condition: Condition, now: Date): Promise<void> {
  const [known] = await tx
    .select()
    .from(incidents)
    .where(eq(incidents.key, conditionKey(condition)))
    .orderBy(desc(incidents.id))
    .limit(1)
    .for('no key update');
  if (known === undefined || condition.lastAt.getTime() - known.lastAt.getTime() >= SAME_INCIDENT_MS)
    await beginCondition(tx, condition, now);
  else await goOnWith(tx, known, condition, now);
}

async function beginCondition(tx: Db, condition: Condition, now: Date): Promise<void> {
  const { kind, environment, workflow, headline, causeText, causeKey, critical, beganAt, lastAt } = condition;
  const incident = await beginIncident(
    tx,
    {
      key: conditionKey(condition),
      kind,
      environment,
      channel: boundedId(''),
      verdictClass: 'announced',
      isTest: false,
      isRecipientFault: false,
      headline,
      causeText,
      causeKey,
      state: 'firing',
    },
    { beganAt, lastAt },
    now,
  );
  await describeOutbreak(tx, currentOf(incident), condition, now);
  const occurrence = {
    action: 'began',
    failedAt: beganAt,
    workflow: workflow?.identifier ?? null,
    critical,
  } as const;
  await noteHappenings(tx, [{ incident, outbreak: 1, occurrence }], now);
  await renewVersions(tx, environment, [incident.id]);
}

async function goOnWith(tx: Db, known: IncidentRow, condition: Condition, now: Date): Promise<void> {
  const { environment, workflow, headline, causeText, causeKey, critical, beganAt, lastAt, gapId } = condition;
  const newest = await outbreakWithKey(tx, currentOf(known));
  const ranges = newest === null ? [] : [newest];
  const { begun, failsAgainAt } = placeFailures(known.state, ranges, [{ occurredAt: lastAt }]);
  const [back = null] = begun;
  const outbreak = back?.number ?? known.outbreak;
  const endedAt = newest?.endedAtService ?? beganAt;
  if (back !== null) await beginOutbreak(tx, known, { ...back, beganAt: max([beganAt, endedAt]) }, now);
  const fires = back !== null || failsAgainAt !== null;
  const isBrief = back === null && now.getTime() - known.stateAt.getTime() < BRIEF_MS;
  // A condition that flaps fires since its outbreak began, so that it rings nobody again.
  const stateAt = isBrief ? (newest?.beganAt ?? now) : now;
  const state = fires ? ({ state: 'firing', stateAt, outbreak } as const) : {};
  await updateIncident(tx, known.id, { headline, causeText, causeKey, lastAt, lastRecordedAt: now, ...state });
  await describeOutbreak(tx, { incidentId: known.id, number: outbreak }, condition, now);
  if (fires) {
    const isBack = { action: 'back', failedAt: beganAt, workflow: workflow?.identifier ?? null, critical } as const;
    const occurrence = back === null ? ({ action: 'failing-again', failedAt: lastAt, isBrief } as const) : isBack;
    await noteHappenings(tx, [{ incident: known, outbreak, occurrence }], now);
  }
  if (fires || known.causeKey !== causeKey || gapId !== newest?.gapId) await renewVersions(tx, environment, [known.id]);
}

/** Whatever it is, a condition counts as one failure that everybody has. */
async function describeOutbreak(tx: Db, key: OutbreakKey, condition: Condition, now: Date): Promise<void> {
  const { gapId, lastAt, critical, workflow } = condition;
  const before = await outbreakWithKey(tx, key);
  await updateOutbreak(tx, key, {
    failures: 1,
    verdicts: ['failed'],
    badness: 'every',
    worst: 'every',
    gapId,
    lastFailedAt: lastAt,
    criticalSince: critical ? (before?.criticalSince ?? now) : null,
  });
  if (workflow === null) return;
  const row = {
    incidentId: key.incidentId,
    outbreak: key.number,
    workflow: workflow.identifier,
    workflowName: workflow.name,
    failures: 1,
    critical,
    lastFailedAt: lastAt,
    successesNeeded: null,
  };
  await tx.insert(outbreakWorkflows).values(row).onConflictDoNothing();
}

/** The incident of a condition that isn't over. */
export async function ongoingCondition(db: Db, condition: ConditionPlace): Promise<IncidentRow | null> {
  const isOngoing = and(eq(incidents.key, conditionKey(condition)), ne(incidents.state, 'resolved'));
  // A renamed environment can have one of each name.
  const firingFirst = desc(eq(incidents.state, 'firing'));
  const [ongoing = null] = await db.select().from(incidents).where(isOngoing).orderBy(firingFirst);
  return ongoing;
}

/** How a condition ends: what can come back soon recovers first; what nobody expects any more is over without a proof. */
export type ConditionEnd = 'recovering' | 'recovered' | 'unconfirmed';

export async function endCondition(
  tx: Db,
  condition: ConditionPlace,
  end: ConditionEnd,
  { now, clockAheadMs }: Clock,
): Promise<void> {
  const known = await ongoingCondition(tx, condition);
  const state = end === 'recovering' ? 'recovering' : 'resolved';
  if (known === null || known.state === state || known.state === 'unconfirmed') return;
  await updateIncident(tx, known.id, { state, stateAt: now });
  const occurrence =
    end === 'recovering'
      ? ({ action: 'recovering', lastFailedAt: known.lastAt } as const)
      : await endOutbreak(tx, known, end, { now, clockAheadMs });
  if (occurrence !== null) await noteHappenings(tx, [{ incident: known, outbreak: known.outbreak, occurrence }], now);
  await renewVersions(tx, known.environment, [known.id]);
}

async function endOutbreak(
  tx: Db,
  known: IncidentRow,
  ending: Exclude<ConditionEnd, 'recovering'>,
  { now, clockAheadMs }: Clock,
): Promise<Happening['occurrence'] | null> {
  const endedAtService = byLaggingClock(now, clockAheadMs);
  const outbreak = await updateOutbreak(tx, currentOf(known), {
    endedAt: now,
    endedAtService,
    failuresAtEnd: 1,
    ending,
  });
  if (outbreak === null) return null;
  const { beganAt: from, lastFailedAt: to } = outbreak;
  return { action: 'ended', ending, from, to, failures: 1, subscribers: 0, isAtLeast: false, verdicts: [] };
}
