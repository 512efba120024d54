import { environments } from '../coverage/tables.ts';
import { attemptsOf, SHARE_MS, shareWindow } from '../incidents/counts.ts';
import type { Db } from '../store/db.ts';
import { isAbout, type Watch } from '../watches/settings.ts';
import { alertSnapshot, type Covered, coveredOf, missedIn, type Pending, pendingFor } from './alerts.ts';
import { type Candidate, canBeSingle, isSingle, reasonsFor } from './decide.ts';
import { reachedIn } from './threshold.ts';

export interface IncidentCandidate extends Candidate {
  incident: Covered;
}

export async function untoldBy(tx: Db, watch: Watch, now: Date): Promise<number[]> {
  const ids: number[] = [];
  for (const { environment } of await tx.select({ environment: environments.environment }).from(environments)) {
    if (!isAbout(watch.settings.filter, environment)) continue;
    const pending = { environment, ...(await pendingFor(tx, watch, environment, now)) };
    for (const candidate of await candidatesIn(tx, watch, pending, now))
      if (reasonsFor(candidate, now).length > 0) ids.push(candidate.incident.id);
  }
  return ids;
}

type PendingIn = Omit<Awaited<ReturnType<typeof pendingFor>>, 'watchIds'> & { environment: string };

/** The pending incidents that a watch's filter covers and, before their first alert, that reach its threshold. */
export async function candidatesIn(tx: Db, watch: Watch, { environment, pending, mutes, since }: PendingIn, now: Date) {
  const { filter, hasThread, escalateMs } = watch.settings;
  const isHeld = ({ id }: Pending) => watch.held.includes(id);
  const covered = (await coveredOf(tx, filter, environment, pending)).filter(
    (row) => row.counts === null || row.isDue || isHeld(row) || row.counts.newestSeq > watch.tellsAfter,
  );
  const isExempt = (row: Pending) => row.last !== null || row.gapId !== null || isHeld(row);
  const first = covered.filter((row) => !isExempt(row)).map(({ id }) => id);
  const reached = await reachedIn(tx, environment, { ids: first, from: since }, watch.settings);
  const notifiable = covered.filter((row) => isExempt(row) || reached.has(row.id));
  const singles = notifiable.filter(canBeSingle);
  const windows = singles.map((incident) => shareWindow(incident, now));
  const attempts = await attemptsOf(tx, windows, SHARE_MS);
  const missed = await missedIn(tx, environment, { filter, mutes }, notifiable);
  return notifiable.map((incident): IncidentCandidate => {
    const { id, state, last, acknowledgedBy } = incident;
    const { matched, critical, relapses, stateAt } = alertSnapshot(incident);
    return {
      ...{ incident, state, stateAt, matched, critical, relapses, hasThread, escalateMs },
      isSingle: isSingle(incident, attempts.get(id)?.total),
      isComplaint:
        incident.verdicts.every((verdict) => verdict === 'complained') && !filter.verdicts.includes('complained'),
      isAcknowledged: acknowledgedBy !== null,
      lastAlert: last,
      isMuted: mutes.some(({ incidentId, until }) => incidentId === id && until > now),
      missed: missed.get(id) ?? 0,
    };
  });
}
