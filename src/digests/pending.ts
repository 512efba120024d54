import { z } from 'zod';
import { filterConditions, filterValues } from '../failures/filter-conditions.ts';
import { attemptsOf, SHARE_MS, shareWindow } from '../incidents/counts.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import { environments } from '../store/schema.ts';
import type { WatchMute } from '../watches/running-mutes.ts';
import { isAbout, type Watch, type WatchFilter } from '../watches/settings.ts';
import { type Covered, coveredOf, type News, newsFor, toldNow } from './alerts.ts';
import { type Candidate, isSingle, reasonsFor } from './decide.ts';
import { untoldGaps } from './notices.ts';
import { reachedIn } from './threshold.ts';

/** `later`: incidents whose share is not counted whole yet. */
interface Pending {
  candidates: IncidentCandidate[];
  later: ReadonlySet<number>;
}

export interface IncidentCandidate extends Candidate {
  incident: Covered;
}

/** Incidents and gaps that a watch still has to tell of, whatever they wait for. */
export async function untoldBy(tx: Db, watch: Watch, now: Date): Promise<(number | string)[]> {
  const untold: (number | string)[] = [];
  for (const { environment } of await tx.select({ environment: environments.environment }).from(environments)) {
    if (!isAbout(watch.settings.filter, environment)) continue;
    const { candidates } = await candidatesIn(tx, watch, environment, await newsFor(tx, watch, environment, now), now);
    const waiting = candidates.filter((candidate) => reasonsFor(candidate, now).length > 0);
    untold.push(...waiting.map(({ incident }) => incident.id));
    untold.push(...(await untoldGaps(tx, watch, environment, now)).map(({ id }) => id));
  }
  return untold;
}

/** What a watch covers of the news, and as much as its threshold if it is to be told first. */
export async function candidatesIn(
  tx: Db,
  watch: Watch,
  environment: string,
  { news, mutes, since }: Omit<Awaited<ReturnType<typeof newsFor>>, 'watchIds'>,
  now: Date,
): Promise<Pending> {
  const { filter, hasThread } = watch.settings;
  const isHeld = ({ id }: News) => watch.held.includes(id);
  const covered = (await coveredOf(tx, filter, environment, news)).filter(
    (row) => row.counts === null || isHeld(row) || row.counts.newestSeq > watch.tellsAfter,
  );
  const first = covered.filter((row) => row.last === null && !isHeld(row)).map(({ id }) => id);
  const { reached, later } = await reachedIn(tx, environment, first, watch.settings, since);
  const tellable = covered.filter((row) => row.last !== null || isHeld(row) || reached.has(row.id));
  const singles = tellable.filter((incident) => isSingle(incident));
  const windows = singles.map((incident) => shareWindow(incident, now));
  const attempts = await attemptsOf(tx, windows, SHARE_MS);
  const missed = await missedIn(tx, environment, filter, tellable, mutes);
  const candidates = tellable.map((incident) => {
    const { id, state, last, acknowledgedBy } = incident;
    const { matched, critical, relapses, stateAt } = toldNow(incident);
    return {
      ...{ incident, state, stateAt, matched, critical, relapses, hasThread },
      isSingle: isSingle(incident, attempts.get(id)?.total),
      isAcknowledged: acknowledgedBy !== null,
      lastAlert: last,
      isMuted: mutes.some(({ incidentId, until }) => incidentId === id && until > now),
      missed: missed.get(id) ?? 0,
    };
  });
  return { candidates, later };
}

async function missedIn(
  tx: Db,
  environment: string,
  filter: WatchFilter,
  news: readonly News[],
  mutes: readonly WatchMute[],
): Promise<ReadonlyMap<number, number>> {
  const ranges = news.flatMap(({ id, afterSeq: seq, state }) =>
    mutes
      // What was muted until it was resolved was known.
      .filter(({ incidentId }) => (incidentId === null ? true : incidentId === id && state !== 'resolved'))
      .map(({ from, until }) => ({ id, seq, from, until })),
  );
  if (ranges.length === 0) return new Map();
  const spelled = await filterValues(tx, environment, filter);
  const rows = await tx.rows(MissedRow, MISSED, [jsonOf(ranges), ...spelled]);
  return new Map(rows.map(({ id, missed }) => [id, missed]));
}

const MissedRow = z.object({ id: Count, missed: Count });

const MISSED = `
  SELECT i.id, count(DISTINCT f.seq) AS missed
  FROM jsonb_to_recordset($1::jsonb) AS mute (id bigint, seq bigint, "from" timestamptz, until timestamptz)
  JOIN incidents i ON i.id = mute.id JOIN failures f ON f.incident_id = i.id AND f.seq > mute.seq
  WHERE f.recorded_at >= mute."from" AND f.recorded_at < mute.until AND ${filterConditions(2)} GROUP BY 1`;
