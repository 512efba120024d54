import { max, subMilliseconds } from 'date-fns';
import { and, desc, eq, ne } from 'drizzle-orm';
import type { Lag } from '../coverage/lag.ts';
import type { EnvironmentRow } from '../coverage/tables.ts';
import type { ServiceProblem } from '../lib/errors.ts';
import { boundedId, type Storable } from '../lib/text/shown-id.ts';
import { MINUTE_MS, type TimeRange } from '../lib/time/durations.ts';
import { byLaggingClock } from '../lib/time/service-clock.ts';
import { briefWhy } from '../service/problem-words.ts';
import type { Db } from '../store/db.ts';
import { beginIncident, beginOutbreak } from './begin.ts';
import type { IncidentKind } from './incident.ts';
import { currentOf, type OutbreakKey, outbreakWithKey, updateIncident, updateOutbreak } from './incident-rows.ts';
import { placeFailures, SAME_INCIDENT_MS } from './outbreak.ts';
import { renewVersions } from './record.ts';
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
  lastAt: Date;
  gapId: string | null;
}

/** What answers for less than this goes on. */
const BRIEF_MS = 5 * MINUTE_MS;

/** The keys of other incidents are hashes. */
const PREFIXES: Record<Condition['kind'], string> = {
  unreadable: 'outage',
  slow: 'slow',
  'not-running': 'not-running',
  silence: 'silence',
};

const conditionKey = ({ kind, environment, workflow }: Pick<Condition, 'kind' | 'environment' | 'workflow'>): string =>
  [PREFIXES[kind], environment, ...(workflow === null ? [] : [workflow.identifier])].join(' ');

interface Clock {
  now: Date;
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

async function beginCondition(tx: Db, condition: Condition, now: Date) {
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

async function goOnWith(tx: Db, known: IncidentRow, condition: Condition, now: Date) {
  const { environment, workflow, headline, causeText, causeKey, critical, beganAt, lastAt, gapId } = condition;
  const newest = await outbreakWithKey(tx, currentOf(known));
  const ranges = newest === null ? [] : [newest];
  const { begun, failsAgainAt } = placeFailures(known.state, ranges, [{ occurredAt: lastAt }]);
  const [back] = begun;
  const outbreak = back?.number ?? known.outbreak;
  const endedAt = newest?.endedAtService ?? beganAt;
  if (back !== undefined) await beginOutbreak(tx, known, { ...back, beganAt: max([beganAt, endedAt]) }, now);
  const fires = back !== undefined || failsAgainAt !== null;
  const isBrief = back === undefined && now.getTime() - known.stateAt.getTime() < BRIEF_MS;
  // What flaps is as old as its outbreak: it rings nobody again.
  const stateAt = isBrief ? (newest?.beganAt ?? now) : now;
  await updateIncident(tx, known.id, {
    headline,
    causeText,
    causeKey,
    lastAt,
    lastRecordedAt: now,
    ...(fires && { state: 'firing', stateAt, outbreak }),
  });
  await describeOutbreak(tx, { incidentId: known.id, number: outbreak }, condition, now);
  if (fires) {
    const occurrence =
      back === undefined
        ? ({ action: 'failing-again', failedAt: lastAt, isBrief } as const)
        : ({ action: 'back', failedAt: beganAt, workflow: workflow?.identifier ?? null, critical } as const);
    await noteHappenings(tx, [{ incident: known, outbreak, occurrence }], now);
  }
  if (fires || known.causeKey !== causeKey || gapId !== newest?.gapId) await renewVersions(tx, environment, [known.id]);
}

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

export async function ongoingCondition(
  db: Db,
  condition: Pick<Condition, 'kind' | 'environment' | 'workflow'>,
): Promise<IncidentRow | null> {
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
  condition: Pick<Condition, 'kind' | 'environment' | 'workflow'>,
  end: ConditionEnd,
  { now, clockAheadMs }: Clock,
): Promise<void> {
  const known = await ongoingCondition(tx, condition);
  const state = end === 'recovering' ? 'recovering' : 'resolved';
  if (known === null || known.state === state || known.state === 'unconfirmed') return;
  await updateIncident(tx, known.id, { state, stateAt: now });
  if (end !== 'recovering') {
    const outbreak = await updateOutbreak(tx, currentOf(known), {
      endedAt: now,
      endedAtService: byLaggingClock(now, clockAheadMs),
      failuresAtEnd: 1,
      ending: end,
    });
    if (outbreak !== null) {
      const occurrence: Happening['occurrence'] = {
        action: 'ended',
        ending: end,
        from: outbreak.beganAt,
        to: outbreak.lastFailedAt,
        failures: 1,
        subscribers: 0,
        isAtLeast: false,
        verdicts: [],
      };
      await noteHappenings(tx, [{ incident: known, outbreak: known.outbreak, occurrence }], now);
    }
  } else {
    const occurrence = { action: 'recovering', lastFailedAt: known.lastAt } as const;
    await noteHappenings(tx, [{ incident: known, outbreak: known.outbreak, occurrence }], now);
  }
  await renewVersions(tx, known.environment, [known.id]);
}

/** A service that two polls couldn't read is an incident, with the gap that it leaves. Needs a lock on the environment. */
export async function noteUnreadable(
  tx: Db,
  { environment, checkedTo, clockAheadMs }: EnvironmentRow,
  { problem, gapId }: { problem: ServiceProblem; gapId: string },
  now: Date,
): Promise<void> {
  const { headline, text: causeText } = briefWhy(problem);
  await noteCondition(
    tx,
    {
      kind: 'unreadable',
      environment,
      workflow: null,
      headline,
      causeText,
      causeKey: problem.kind,
      critical: true,
      // A clock that is ahead would begin it in our future.
      beganAt: subMilliseconds(checkedTo, Math.max(0, clockAheadMs ?? 0)),
      lastAt: byLaggingClock(now, clockAheadMs),
      gapId,
    },
    now,
  );
}

export async function noteReadable(tx: Db, environment: string, clockAheadMs: number | null, now: Date): Promise<void> {
  await endCondition(tx, { kind: 'unreadable', environment, workflow: null }, 'recovering', { now, clockAheadMs });
}

/** New events that are checked ever later are an incident: what fails meanwhile is told too late. Needs a lock on the environment. */
export async function noteSlowness(
  tx: Db,
  { environment, clockAheadMs }: Pick<EnvironmentRow, 'environment' | 'clockAheadMs'>,
  { lagMs, tooSlowSince }: Lag,
  now: Date,
): Promise<void> {
  const slowness = { kind: 'slow', environment, workflow: null } as const;
  if (tooSlowSince === null)
    return endCondition(tx, slowness, lagMs === null ? 'recovered' : 'recovering', { now, clockAheadMs });
  await noteCondition(
    tx,
    {
      ...slowness,
      headline: null,
      causeText: 'new events are checked too slowly',
      causeKey: 'slow',
      critical: true,
      beganAt: byLaggingClock(tooSlowSince, clockAheadMs),
      lastAt: byLaggingClock(now, clockAheadMs),
      gapId: null,
    },
    now,
  );
}

/** Time in which Notif didn't run is an incident that is over once it is known. Needs a lock on the environment. */
export async function noteNotRunning(
  tx: Db,
  { environment, clockAheadMs }: Pick<EnvironmentRow, 'environment' | 'clockAheadMs'>,
  { from, to, gapId }: TimeRange & { gapId: string },
  now: Date,
): Promise<void> {
  const away = { kind: 'not-running', environment, workflow: null } as const;
  await noteCondition(
    tx,
    {
      ...away,
      headline: null,
      causeText: "Notif wasn't running",
      causeKey: 'not-running',
      critical: false,
      beganAt: from,
      lastAt: to,
      gapId,
    },
    now,
  );
  await endCondition(tx, away, 'recovered', { now, clockAheadMs });
}
