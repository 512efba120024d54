import { subDays } from 'date-fns';
import { and, eq, gt, inArray, isNotNull, lte, or, type SQL } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { environments } from '../coverage/tables.ts';
import { placeOf, recentAttempts, type Share } from '../incidents/attempts.ts';
import { type Badness, badnessOf, isSingle } from '../incidents/badness.ts';
import { type IncidentWithOutbreak, isCurrentOutbreak } from '../incidents/incident-rows.ts';
import { type Matched, matchedIn } from '../incidents/matched.ts';
import { incidents, outbreaks, outbreakWorkflows } from '../incidents/tables.ts';
import { lastRisesToEvery } from '../incidents/timeline.ts';
import { coversWholeIncidents } from '../judging/filter.ts';
import { CLASSES_WITH_OUTBREAKS } from '../judging/verdict.ts';
import { slackMessages } from '../outbox/tables.ts';
import type { Db } from '../store/db.ts';
import { coversSilence, mayCover, type SilentWorkflow } from '../watches/covers.ts';
import { MUTES_FOR_DAYS, mutesEndingAfter, type WatchMute } from '../watches/mutes.ts';
import type { Watch, WatchSettings } from '../watches/settings.ts';
import type { Candidate, CandidateHold, Told } from './decide.ts';
import { firstRings } from './digest-says.ts';
import { incidentHold } from './holds.ts';
import { type AlertRow, watchAlerts } from './tables.ts';
import { incidentsAtThreshold } from './threshold.ts';

/** How a watch looks at an environment. */
export interface View {
  watch: Watch;
  environment: string;
  /** The watch's own, or those of before an edit. */
  settings: WatchSettings;
  mutes: readonly WatchMute[];
  /** What failed only before it isn't told, unless it is owed. */
  since: Date;
  now: Date;
}

export function viewOf(watch: Watch, environment: string, mutes: readonly WatchMute[], now: Date): View {
  // A clock that was set back since dates the watch in the future, and it would tell nothing until then.
  const since = watch.createdAt > now ? new Date(0) : watch.createdAt;
  return { watch, environment, settings: watch.settings, mutes, since, now };
}

export async function viewBy(tx: Db, watch: Watch, environment: string, now: Date): Promise<View> {
  const mutes = await mutesEndingAfter(tx, watch.id, subDays(now, MUTES_FOR_DAYS));
  return viewOf(watch, environment, mutes, now);
}

/** An incident with what a watch has told of it. */
export interface Compared extends IncidentWithOutbreak {
  alert: AlertRow | null;
  hasThread: boolean;
}

const isChanged = (environment: string, version: number): SQL | undefined =>
  and(eq(incidents.environment, environment), gt(incidents.version, version));

/** The watch owes something, or it's time to look again. */
export const isDue = (now: Date): SQL | undefined => or(isNotNull(watchAlerts.owedSince), lte(watchAlerts.dueAt, now));

/** Incidents of which something changed since `version`, and those of which something is owed or due. */
export async function comparedIn(
  db: Db,
  { watch, environment, now }: View,
  version: number,
): Promise<readonly Compared[]> {
  const isOfWatch = and(eq(watchAlerts.incidentId, incidents.id), eq(watchAlerts.watchId, watch.id));
  const changed = db.select({ id: incidents.id }).from(incidents).where(isChanged(environment, version));
  const isDueHere = and(eq(watchAlerts.watchId, watch.id), eq(watchAlerts.environment, environment), isDue(now));
  const due = db.select({ id: watchAlerts.incidentId }).from(watchAlerts).where(isDueHere);
  const isCompared = and(
    eq(incidents.environment, environment),
    inArray(incidents.verdictClass, [...CLASSES_WITH_OUTBREAKS]),
    inArray(incidents.id, unionAll(changed, due)),
  );
  const rows = await db
    .select()
    .from(incidents)
    .innerJoin(outbreaks, isCurrentOutbreak)
    .innerJoin(environments, eq(environments.environment, incidents.environment))
    .leftJoin(watchAlerts, isOfWatch)
    .leftJoin(slackMessages, eq(slackMessages.id, watchAlerts.messageId))
    .where(isCompared)
    .orderBy(incidents.id);
  return rows.map(({ watch_alerts: alert, slack_messages: message, ...row }) => ({
    incident: row.incidents,
    outbreak: row.outbreaks,
    read: row.environments,
    // A message that isn't edited any more doesn't show how the incident is: it counts as gone.
    alert: alert !== null && message?.isLeft ? { ...alert, isMessageGone: true } : alert,
    hasThread: watch.settings.hasThread && message?.state === 'posted' && !message.isThreadClosed,
  }));
}

/** An incident as far as a watch covers it. */
export interface Covered extends Compared {
  /** What is counted of the part that the filter covers. */
  counts: Pick<Matched, 'failures' | 'subscribers' | 'critical' | 'recordedAt'>;
  badness: Badness;
  /** Its share of recent attempts at its place; null: it is no incident of failures. */
  share: Share | null;
  /** Read only if the watch escalates it. */
  firstRangAt: Date | null;
  candidate: Candidate;
}

/** The incidents that the watch covers, and that reach its threshold or were told or owed before. */
export async function coveredBy(db: Db, view: View, compared: readonly Compared[]): Promise<readonly Covered[]> {
  const { environment, settings, since, now } = view;
  const { filter } = settings;
  const near = await mayBeCovered(db, settings, compared);
  const isInPart = ({ incident }: Compared) => incident.kind === 'failures' && !coversWholeIncidents(filter);
  const matched = await matchedIn(db, environment, near.filter(isInPart).map(rangeOf), filter);
  const withCounts = near.flatMap((row) => {
    const total = matched.get(row.incident.id)?.total;
    const isUncovered = isInPart(row) && total === undefined;
    if (isUncovered && !isOwed(row)) return [];
    const counts = total ?? countsOf(row);
    const isOlderThanWatch = row.alert === null && counts.recordedAt < since;
    return isOlderThanWatch ? [] : [{ ...row, counts }];
  });
  const notifiable = await reachingThreshold(db, view, withCounts);
  const failing = notifiable.filter(({ incident }) => incident.kind === 'failures');
  const shares = await recentAttempts(db, failing.map(placeOf), now);
  const escalating = settings.escalateMs === null ? [] : notifiable.filter(({ counts }) => counts.critical);
  const firstRangAts = await firstRings(
    db,
    view.watch,
    escalating.map(({ incident }) => incident),
  );
  const held = notifiable.map((row) => ({
    ...row,
    hold: incidentHold({ ...view.watch, settings }, view.mutes, row, now),
  }));
  const muted = held.filter(({ hold }) => hold?.incidentMutedSince != null);
  const rises = await lastRisesToEvery(
    db,
    muted.map(({ incident }) => incident.id),
  );
  return held.map(({ hold, ...row }): Covered => {
    const share = shares.get(row.incident.id) ?? null;
    const workflows = isInPart(row) ? (matched.get(row.incident.id)?.workflows ?? []) : null;
    const badness = badnessNow(row, share, workflows);
    const covered = { ...row, share, badness, firstRangAt: firstRangAts.get(row.incident.id) ?? null };
    const everySince = rises.get(row.incident.id) ?? null;
    return { ...covered, candidate: candidateOf(settings, covered, hold, everySince) };
  });
}

const isOwed = ({ alert }: Compared): boolean => alert !== null && alert.owedSince !== null;

/** Leaves out what the filter can't cover, whatever failed. */
async function mayBeCovered(
  db: Db,
  settings: WatchSettings,
  compared: readonly Compared[],
): Promise<readonly Compared[]> {
  const silent = await silentWorkflows(db, compared);
  return compared.filter((row) => {
    if (isOwed(row)) return true;
    const workflow = silent.get(row.incident.id);
    return workflow === undefined ? mayCover(settings.filter, row.incident) : coversSilence(settings, workflow);
  });
}

/** Each outbreak is counted anew; what was told or is owed of it needs no threshold. */
async function reachingThreshold<Row extends Compared>(
  db: Db,
  { environment, settings }: View,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const isExempt = (row: Row): boolean =>
    row.incident.kind !== 'failures' || isOwed(row) || row.alert?.outbreak === row.outbreak.number;
  const untold = rows.filter((row) => !isExempt(row)).map(({ incident }) => incident.id);
  const reached = await incidentsAtThreshold(db, environment, untold, settings);
  return rows.filter((row) => isExempt(row) || reached.has(row.incident.id));
}

const rangeOf = ({ incident: { id }, outbreak }: Compared) => ({
  id,
  from: outbreak.coversFrom,
  to: outbreak.coversTo,
});

/** What is counted of an incident that the watch covers whole. */
const countsOf = ({ incident, outbreak }: Compared): Covered['counts'] => ({
  failures: outbreak.failures,
  subscribers: outbreak.subscribers,
  critical: outbreak.criticalSince !== null,
  recordedAt: incident.lastRecordedAt,
});

/** How bad it is for the workflows that the watch covers; null: for all. */
function badnessNow(
  { incident, outbreak, counts }: Compared & Pick<Covered, 'counts'>,
  share: Share | null,
  workflows: readonly Matched[] | null,
): Badness {
  if (incident.kind !== 'failures') return outbreak.badness;
  if (workflows === null) return badnessOf({ ...incident, ...counts }, share?.total ?? null);
  const covered = workflows.map(({ workflow }) => share?.byWorkflow.get(workflow ?? '') ?? { failed: 0, tried: 0 });
  const sum = (count: 'failed' | 'tried') => covered.reduce((total, attempts) => total + attempts[count], 0);
  const attempts = share === null ? null : { failed: sum('failed'), tried: sum('tried') };
  return badnessOf({ ...incident, ...counts }, attempts);
}

async function silentWorkflows(db: Db, compared: readonly Compared[]): Promise<ReadonlyMap<number, SilentWorkflow>> {
  const silences = compared.filter(({ incident }) => incident.kind === 'silence');
  const ids = silences.map(({ incident }) => incident.id);
  const isOfSilence = inArray(outbreakWorkflows.incidentId, ids);
  const rows = ids.length === 0 ? [] : await db.select().from(outbreakWorkflows).where(isOfSilence);
  return new Map(
    silences.map(({ incident, outbreak }) => {
      const row = rows.find((each) => each.incidentId === incident.id && each.outbreak === outbreak.number);
      // Without a row, a whole environment is silent, which is critical.
      const { workflow = null, workflowName = null, critical = true } = row ?? {};
      return [incident.id, { workflow, workflowName, critical }];
    }),
  );
}

function candidateOf(
  { filter, escalateMs }: WatchSettings,
  row: Omit<Covered, 'candidate'>,
  hold: CandidateHold | null,
  everySince: Date | null,
): Candidate {
  const { incident, outbreak, alert, hasThread, counts, badness, share, firstRangAt } = row;
  const { kind, state } = incident;
  const verdicts: readonly string[] = outbreak.verdicts;
  const isComplaint = verdicts.length > 0 && verdicts.every((verdict) => verdict === 'complained');
  const isFailing = kind === 'failures';
  return {
    outbreak: outbreak.number,
    state,
    stateAt: incident.stateAt,
    failures: counts.failures,
    badness,
    critical: counts.critical,
    criticalSince: outbreak.criticalSince,
    everySince,
    isSingle: isFailing && isSingle({ ...incident, ...counts }, share?.total),
    isComplaint: isComplaint && !filter.verdicts.includes('complained'),
    unacknowledgedSince: outbreak.acknowledgedBy === null ? (outbreak.unacknowledgedSince ?? incident.stateAt) : null,
    isQuiet: kind === 'not-running',
    isReminded: kind !== 'silence' && kind !== 'not-running',
    escalateMs,
    firstRangAt,
    told: alert === null ? null : toldOf(alert, hasThread),
    hold,
  };
}

function toldOf(alert: AlertRow, hasThread: boolean): Told {
  return { ...alert, isGone: alert.isMessageGone, hasThread };
}
