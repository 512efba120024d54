import { environments } from '../coverage/tables.ts';
import { attemptsOf, SHARE_MS, shareWindow } from '../incidents/counts.ts';
import type { Db } from '../store/db.ts';
import { isAbout, type Watch } from '../watches/settings.ts';
import { type Covered, coveredOf, missedIn, type News, newsFor, toldNow } from './alerts.ts';
import { type Candidate, canBeSingle, isSingle, reasonsFor } from './decide.ts';
import { reachedIn } from './threshold.ts';

export interface IncidentCandidate extends Candidate {
  incident: Covered;
}

/** Incidents that a watch still has to tell of, whatever they wait for. */
export async function untoldBy(tx: Db, watch: Watch, now: Date): Promise<number[]> {
  const untold: number[] = [];
  for (const { environment } of await tx.select({ environment: environments.environment }).from(environments)) {
    if (!isAbout(watch.settings.filter, environment)) continue;
    const candidates = await candidatesIn(
      tx,
      watch,
      { environment, ...(await newsFor(tx, watch, environment, now)) },
      now,
    );
    const waiting = candidates.filter((candidate) => reasonsFor(candidate, now).length > 0);
    untold.push(...waiting.map(({ incident }) => incident.id));
  }
  return untold;
}

type NewsIn = Omit<Awaited<ReturnType<typeof newsFor>>, 'watchIds'> & { environment: string };

/** What a watch covers of the news, and as much as its threshold if it is to be told first. */
export async function candidatesIn(
  tx: Db,
  watch: Watch,
  { environment, news, mutes, since }: NewsIn,
  now: Date,
): Promise<IncidentCandidate[]> {
  const { filter, hasThread, escalateMs } = watch.settings;
  const isHeld = ({ id }: News) => watch.held.includes(id);
  const covered = (await coveredOf(tx, filter, environment, news)).filter(
    (row) => row.counts === null || row.isDue || isHeld(row) || row.counts.newestSeq > watch.tellsAfter,
  );
  const isExempt = (row: News) => row.last !== null || row.gapId !== null || isHeld(row);
  const first = covered.filter((row) => !isExempt(row)).map(({ id }) => id);
  const reached = await reachedIn(tx, environment, { ids: first, from: since }, watch.settings);
  const tellable = covered.filter((row) => isExempt(row) || reached.has(row.id));
  const singles = tellable.filter(canBeSingle);
  const windows = singles.map((incident) => shareWindow(incident, now));
  const attempts = await attemptsOf(tx, windows, SHARE_MS);
  const missed = await missedIn(tx, environment, { filter, mutes }, tellable);
  return tellable.map((incident) => {
    const { id, state, last, acknowledgedBy } = incident;
    const { matched, critical, relapses, stateAt } = toldNow(incident);
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
