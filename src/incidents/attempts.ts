import { max, min, subMilliseconds } from 'date-fns';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { groupBy } from '../lib/group-by.ts';
import { inPieces, type Work, withPauses } from '../lib/pauses.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS, type TimeRange } from '../lib/time/durations.ts';
import { presentRead, type ReadState } from '../lib/time/service-clock.ts';
import { fields } from '../service/schema.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import { type AttemptCounts, type Attempts, FEWEST_FOR_EVERY } from './badness.ts';
import type { IncidentWithOutbreak } from './incident-rows.ts';

/** How far back attempts say how bad it is now. */
const SHARE_MS = 5 * MINUTE_MS;

/** Rows of so many places are read before others have their turn. */
const PLACES_A_TURN = 20;

/** An outbreak's place: where its failures, and other attempts at the same channel and provider, are counted. */
export interface CountedPlace extends ReadState {
  id: number;
  environment: string;
  channel: string;
  provider: string | null;
  /** What was delivered in the calm before it failed again is no part of it. */
  firesSince: Date;
  lastAt: Date;
}

/** The place of an incident's newest outbreak. */
export function placeOf({ incident, outbreak, read }: IncidentWithOutbreak): CountedPlace {
  const { id, environment, channel, provider } = incident;
  const { checkedTo, clockAheadMs } = read;
  const { firesSince, lastFailedAt: lastAt } = outbreak;
  return { id, environment, channel, provider, checkedTo, clockAheadMs, firesSince, lastAt };
}

/** What was attempted at a place, of all workflows and of each. */
export interface Share {
  total: Attempts;
  byWorkflow: ReadonlyMap<string, AttemptCounts>;
}

/** Attempts of each outbreak's last five minutes, or of its last hour where those have fewer than five. */
export async function recentAttempts(
  db: Db,
  places: readonly CountedPlace[],
  now: Date,
): Promise<ReadonlyMap<number, Share>> {
  const short = await attemptsIn(
    db,
    places.map((place) => windowOf(place, SHARE_MS, now)),
    SECOND_MS,
  );
  const isFew = ({ id }: CountedPlace) => (short.get(id)?.total.tried ?? 0) < FEWEST_FOR_EVERY;
  const long = await attemptsIn(
    db,
    places.filter(isFew).map((place) => windowOf(place, HOUR_MS, now)),
    10 * SECOND_MS,
  );
  return new Map([...short, ...long]);
}

/** Time of an outbreak in which attempts are counted. */
interface Window extends TimeRange {
  id: number;
  environment: string;
  channel: string;
  provider: string;
}

function windowOf(place: CountedPlace, longestMs: number, now: Date): Window {
  const { id, environment, channel, provider, firesSince, lastAt } = place;
  const to = max([presentRead(place, now), lastAt]);
  return {
    id,
    environment,
    channel,
    provider: provider ?? '',
    from: max([firesSince, subMilliseconds(to, longestMs)]),
    to,
  };
}

/** Windows of one channel and provider, which share what is read for them. */
interface WindowsAtPlace extends TimeRange {
  place: number;
  environment: string;
  channel: string;
  provider: string;
  windows: readonly Window[];
}

function placesOf(windows: readonly Window[]): readonly WindowsAtPlace[] {
  const atPlaces = groupBy(windows, ({ environment, channel, provider }) =>
    JSON.stringify([environment, channel, provider]),
  );
  return [...atPlaces.values()].flatMap((there, place): WindowsAtPlace[] => {
    const [first] = there;
    if (first === undefined) return [];
    const { environment, channel, provider } = first;
    const from = min(there.map((window) => window.from));
    const to = max(there.map((window) => window.to));
    return [{ place, environment, channel, provider, from, to, windows: there }];
  });
}

/** `stepMs`: failures are counted by steps of so long, since an incident can have thousands in an hour. */
async function attemptsIn(db: Db, windows: readonly Window[], stepMs: number): Promise<ReadonlyMap<number, Share>> {
  const counted = new Map<number, Share>();
  for await (const piece of inPieces(placesOf(windows), PLACES_A_TURN)) {
    const atPlaces = groupBy(await db.rows(AttemptRow, attemptsAt(piece, stepMs)), ({ place }) => place);
    for (const { place, windows: there } of piece) {
      const read = { attempts: atPlaces.get(place) ?? [], stepMs };
      for (const [id, share] of await withPauses(sharesIn(newestFirst(there), read))) counted.set(id, share);
    }
  }
  return counted;
}

const newestFirst = (windows: readonly Window[]): readonly Window[] =>
  windows.toSorted((a, b) => b.from.getTime() - a.from.getTime());

/** `incidentId` is null for attempts that delivered. */
const AttemptRow = z.object({
  ...fields(Count, 'place', 'attempts'),
  incidentId: Count.nullable(),
  workflow: z.string(),
  at: z.date(),
});
type AttemptRow = z.output<typeof AttemptRow>;

/**
 * Failures of each place by incident, workflow and step of time; what is stuck wasn't tried. Deliveries are counted by the minute: before version 18,
 * PostgreSQL reaches a key's minutes only by named workflows. `OFFSET 0` keeps PostgreSQL from joining the places with whole tables instead: it
 * expects a hundred of them.
 */
const attemptsAt = (places: readonly WindowsAtPlace[], stepMs: number): SQL => sql`
  SELECT item.place, counted.incident_id, counted.workflow, counted.attempts, counted.at
  FROM ${itemsOf(places)}
  CROSS JOIN LATERAL (
    SELECT
      f.incident_id,
      coalesce(f.workflow, '') AS workflow,
      count(*) AS attempts,
      date_bin(${stepMs} * interval '1 millisecond', f.occurred_at, 'epoch'::timestamptz) AS at
    FROM incidents o
    JOIN failures f ON f.incident_id = o.id
      AND f.occurred_at BETWEEN item."from" AND item."to"
      AND f.verdict <> 'stuck'
    WHERE o.environment = item.environment
      AND o.channel = item.channel
      AND coalesce(o.provider, '') = item.provider
      AND o.verdict_class = 'announced'
      AND o.last_at >= item."from"
      AND o.last_recorded_at >= item."from"
    GROUP BY 1, 2, 4
    UNION ALL
    SELECT NULL, workflow, successes, last_at
    FROM success_counts
    WHERE environment = item.environment
      AND channel = item.channel
      AND provider = item.provider
      AND workflow = ANY (
        ARRAY(SELECT identifier FROM workflows k WHERE k.environment = item.environment) || '{""}'::text[])
      AND last_at >= item."from"
      AND minute BETWEEN item."from" - interval '1 minute' AND item."to"
    OFFSET 0
  ) counted
  ORDER BY counted.at DESC`;

const itemsOf = (places: readonly WindowsAtPlace[]): SQL => sql`
  jsonb_to_recordset(${jsonOf(places.map(({ windows: _, ...item }) => item))}::jsonb)
    AS item (place bigint, environment text, channel text, provider text, "from" timestamptz, "to" timestamptz)`;

interface ReadAtPlace {
  /** Newest first, like the windows. */
  attempts: readonly AttemptRow[];
  stepMs: number;
}

/**
 * All windows reach up to the present: what a newer one has, each older one has, too. So each goes on with the sums of the one before it, and adds the
 * attempts that only it reaches back to.
 */
function* sharesIn(windows: readonly Window[], { attempts, stepMs }: ReadAtPlace): Work<ReadonlyMap<number, Share>> {
  const shares = new Map<number, Share>();
  const ofIncident = groupBy(attempts, ({ incidentId }) => incidentId);
  const delivered = ofIncident.get(null) ?? [];
  const failed = attempts.filter(({ incidentId }) => incidentId !== null);
  const tried = new Map<string, number>();
  const add = ({ workflow, attempts: more }: AttemptRow) => tried.set(workflow, (tried.get(workflow) ?? 0) + more);
  let nextFailed = 0;
  let nextDelivered = 0;
  for (const { id, from } of windows) {
    // A step of failures is dated by its beginning, which can be before the window's.
    const isIn = ({ at }: AttemptRow) => at.getTime() > from.getTime() - stepMs;
    for (let row = failed[nextFailed]; row !== undefined && isIn(row); row = failed[++nextFailed]) add(row);
    for (let row = delivered[nextDelivered]; row !== undefined && row.at >= from; row = delivered[++nextDelivered])
      add(row);
    const byWorkflow = new Map([...tried].map(([workflow, count]) => [workflow, { failed: 0, tried: count }]));
    for (const row of (ofIncident.get(id) ?? []).filter(isIn)) {
      const known = byWorkflow.get(row.workflow) ?? { failed: 0, tried: 0 };
      byWorkflow.set(row.workflow, { ...known, failed: known.failed + row.attempts });
    }
    const sum = (count: 'failed' | 'tried') => [...byWorkflow.values()].reduce((total, each) => total + each[count], 0);
    shares.set(id, { total: { since: from, failed: sum('failed'), tried: sum('tried') }, byWorkflow });
    yield;
  }
  return shares;
}
