import { and, eq, gt, inArray, isNotNull, lte, or, type SQL } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { environments } from '../coverage/tables.ts';
import { coversWholeIncidents } from '../failures/filter.ts';
import { TRACKED } from '../failures/judge.ts';
import { recentAttempts, type Share } from '../incidents/attempts.ts';
import { type Badness, badnessOf, isSingle } from '../incidents/badness.ts';
import { type IncidentWithOutbreak, isCurrentOutbreak } from '../incidents/incident-rows.ts';
import { placeOf } from '../incidents/incidents-now.ts';
import { type Matched, matchedIn } from '../incidents/matched.ts';
import { incidents, outbreaks, outbreakWorkflows } from '../incidents/tables.ts';
import { slackMessages } from '../outbox/tables.ts';
import type { Db } from '../store/db.ts';
import { holdOf, incidentMute, type WatchMute } from '../watches/mutes.ts';
import { coversSilence, mayCover, type Watch, type WatchSettings } from '../watches/settings.ts';
import type { Candidate, CandidateHold, Told } from './decide.ts';
import { type AlertRow, watchAlerts } from './tables.ts';
import { reachedIn } from './threshold.ts';

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
  watch: Watch,
  environment: string,
  version: number,
  now: Date,
): Promise<readonly Compared[]> {
  const isOfWatch = and(eq(watchAlerts.incidentId, incidents.id), eq(watchAlerts.watchId, watch.id));
  const changed = db.select({ id: incidents.id }).from(incidents).where(isChanged(environment, version));
  const isOfWatchHere = and(eq(watchAlerts.watchId, watch.id), eq(watchAlerts.environment, environment));
  const due = db
    .select({ id: watchAlerts.incidentId })
    .from(watchAlerts)
    .where(and(isOfWatchHere, isDue(now)));
  const rows = await db
    .select()
    .from(incidents)
    .innerJoin(outbreaks, isCurrentOutbreak)
    .innerJoin(environments, eq(environments.environment, incidents.environment))
    .leftJoin(watchAlerts, isOfWatch)
    .leftJoin(slackMessages, eq(slackMessages.id, watchAlerts.messageId))
    .where(
      and(
        eq(incidents.environment, environment),
        inArray(incidents.verdictClass, [...TRACKED]),
        inArray(incidents.id, unionAll(changed, due)),
      ),
    )
    .orderBy(incidents.id);
  return rows.map(
    ({
      incidents: incident,
      outbreaks: outbreak,
      environments: read,
      watch_alerts: alert,
      slack_messages: message,
    }) => ({
      incident,
      outbreak,
      read,
      // What was told in a message that nobody edits any more isn't shown any more.
      alert: alert !== null && message?.isLeft ? { ...alert, isMessageGone: true } : alert,
      hasThread: watch.settings.hasThread && message?.state === 'posted' && !message.isThreadClosed,
    }),
  );
}

/** The part of an incident that a watch covers. */
export interface Covered extends Compared {
  counts: Pick<Matched, 'failures' | 'subscribers' | 'critical' | 'recordedAt'>;
  badness: Badness;
  share: Share | null;
  candidate: Candidate;
}

interface Covering {
  settings: WatchSettings;
  mutes: readonly WatchMute[];
  /** What failed only before it isn't told, unless it is owed. */
  since: Date;
}

/** Keeps incidents that the watch covers, and that reach its threshold or were told or owed before. */
export async function coveredBy(
  db: Db,
  watch: Watch,
  environment: string,
  compared: readonly Compared[],
  { settings, mutes, since }: Covering,
  now: Date,
): Promise<readonly Covered[]> {
  const { filter, threshold } = settings;
  const isOwed = ({ alert }: Compared) => alert !== null && alert.owedSince !== null;
  const silent = await silentWorkflows(db, compared);
  const near = compared.filter((row) => {
    if (isOwed(row)) return true;
    const workflow = silent.get(row.incident.id);
    return workflow === undefined ? mayCover(filter, row.incident) : coversSilence(settings, workflow);
  });
  const isWhole = coversWholeIncidents(filter);
  const isCounted = ({ incident }: Compared) => !isWhole && incident.kind === 'failures';
  const ranges = near
    .filter(isCounted)
    .map(({ incident: { id }, outbreak }) => ({ id, from: outbreak.coversFrom, to: outbreak.coversTo }));
  const matched = await matchedIn(db, environment, ranges, filter);
  const withCounts = near.flatMap((row) => {
    const total = matched.get(row.incident.id)?.total;
    if (isCounted(row) && total === undefined && !isOwed(row)) return [];
    const counts = total ?? countsOf(row);
    const isOld = row.alert === null && counts.recordedAt < since;
    return isOld ? [] : [{ ...row, counts }];
  });
  // Each outbreak is counted anew.
  const isExempt = (row: Compared) =>
    row.incident.kind !== 'failures' || isOwed(row) || row.alert?.outbreak === row.outbreak.number;
  const untold = withCounts.filter((row) => !isExempt(row)).map(({ incident }) => incident.id);
  const reached = threshold === null ? new Set(untold) : await reachedIn(db, environment, untold, settings);
  const notifiable = withCounts.filter((row) => isExempt(row) || reached.has(row.incident.id));
  const shares = await recentAttempts(
    db,
    notifiable.filter(({ incident }) => incident.kind === 'failures').map(placeOf),
    now,
  );
  return notifiable.map((row): Covered => {
    const share = shares.get(row.incident.id) ?? null;
    const badness = badnessNow(row, share, isCounted(row) ? (matched.get(row.incident.id)?.workflows ?? []) : null);
    const covered = { ...row, share, badness };
    return { ...covered, candidate: candidateOf(watch, covered, { settings, mutes }, now) };
  });
}

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

async function silentWorkflows(
  db: Db,
  compared: readonly Compared[],
): Promise<ReadonlyMap<number, { workflow: string | null; workflowName: string | null; critical: boolean }>> {
  const silences = compared.filter(({ incident }) => incident.kind === 'silence');
  const ids = silences.map(({ incident }) => incident.id);
  const rows =
    ids.length === 0 ? [] : await db.select().from(outbreakWorkflows).where(inArray(outbreakWorkflows.incidentId, ids));
  return new Map(
    silences.map(({ incident, outbreak }) => {
      const row = rows.find(
        ({ incidentId, outbreak: number }) => incidentId === incident.id && number === outbreak.number,
      );
      const { workflow = null, workflowName = null, critical = true } = row ?? {};
      return [incident.id, { workflow, workflowName, critical }];
    }),
  );
}

type Counted = Omit<Covered, 'candidate'>;

function candidateOf(
  watch: Watch,
  { incident, outbreak, alert, hasThread, counts, badness, share }: Counted,
  { settings, mutes }: Omit<Covering, 'since'>,
  now: Date,
): Candidate {
  const { kind, state } = incident;
  const { filter, escalateMs } = settings;
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
    isSingle: isFailing && isSingle({ ...incident, ...counts }, share?.total),
    isComplaint: isComplaint && !filter.verdicts.includes('complained'),
    unacknowledgedSince: outbreak.acknowledgedBy === null ? (outbreak.unacknowledgedSince ?? incident.stateAt) : null,
    isQuiet: kind === 'not-running',
    isReminded: kind !== 'silence' && kind !== 'not-running',
    escalateMs,
    told: alert === null ? null : toldOf(alert, hasThread),
    hold: holdFor(watch, { incident, outbreak, alert }, { settings, mutes }, now),
  };
}

function toldOf(alert: AlertRow, hasThread: boolean): Told | null {
  return { ...alert, isGone: alert.isMessageGone, hasThread };
}

function holdFor(
  watch: Watch,
  { incident, outbreak, alert }: Pick<Counted, 'incident' | 'outbreak' | 'alert'>,
  { settings, mutes }: Omit<Covering, 'since'>,
  now: Date,
): CandidateHold | null {
  const hold = holdOf({ ...watch, settings }, mutes, now);
  if (hold !== null) return { ...hold, incidentMutedSince: null };
  const isOver = incident.state === 'resolved';
  const { id } = incident;
  const mute = incidentMute(mutes, { id, outbreak: outbreak.number, isOver, postedAt: alert?.postedAt ?? null }, now);
  return mute && { why: 'mute', until: mute.until, incidentMutedSince: mute.breaks ? mute.beginsAt : null };
}
