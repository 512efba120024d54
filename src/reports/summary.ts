import { subMilliseconds } from 'date-fns';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { incidentsSince } from '../alerts/preview.ts';
import { forWatch, shutOutOfChannel } from '../alerts/watch-end.ts';
import { isCovered, spelledFilter } from '../incidents/filter-conditions.ts';
import { compareIncidents, type IncidentNow } from '../incidents/incident.ts';
import { incidentsInOrder } from '../incidents/incidents-now.ts';
import { countOpen, type OpenCount } from '../incidents/open-incidents.ts';
import type { FailureFilter } from '../judging/filter.ts';
import { fingerprintOf } from '../lib/text/hash.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import { eventsIn } from '../lookups/checked.ts';
import { coverageIn } from '../lookups/coverage.ts';
import type { MessageKind } from '../outbox/kinds.ts';
import { StoredTime } from '../store/columns.ts';
import { CountRow, type Db, onlyRow } from '../store/db.ts';
import { type ListedMute, listedMutes } from '../watches/listed-mutes.ts';
import type { Watch } from '../watches/settings.ts';

export const Summarized = z.object({ from: StoredTime, to: StoredTime, environments: z.array(z.string()) });

export const SUMMARY = 'summary';

/** A day of one environment, as far as the watch covers it. */
export interface EnvironmentSummary {
  environment: string;
  missing: readonly TimeRange[];
  eventsChecked: number;
  unreadable: number;
  failedEvents: number;
  open: OpenCount;
  resolved: number;
  largest: readonly IncidentNow[];
}

export interface SummaryContent {
  kind: 'summary';
  id: string;
  channel: string;
  range: TimeRange;
  filter: FailureFilter;
  environments: readonly EnvironmentSummary[];
  mutes: readonly ListedMute[];
}

const MOST_LARGEST = 5;

/** A watch's daily summary. */
export function createSummaryKind(now: () => Date): MessageKind<SummaryContent> {
  return {
    Kept: Summarized,
    mustArrive: false,
    async draw(db, message) {
      return forWatch(db, message.owner, async (watch) => {
        const { id, channel, state } = message;
        if (state !== 'posted' && channel !== watch.channel) return { is: 'moved', channel: watch.channel };
        const { environments: names, ...range } = Summarized.parse(message.content);
        const environments: EnvironmentSummary[] = [];
        for (const environment of names)
          environments.push(await summaryOf(db, watch, { environment, ...range }, now()));
        const mutes = (await listedMutes(db, names, now())).filter((mute) => mute.channel === watch.channel);
        const { filter } = watch.settings;
        const content: SummaryContent = { kind: SUMMARY, id, channel, range, filter, environments, mutes };
        const knownBy = fingerprintOf(SUMMARY, message.owner, message.subject);
        return { is: 'drawn', content, said: [], knownBy, nextAt: null };
      });
    },
    shutOut: shutOutOfChannel,
  };
}

async function summaryOf(
  db: Db,
  watch: Watch,
  range: TimeRange & { environment: string },
  now: Date,
): Promise<EnvironmentSummary> {
  const { filter } = watch.settings;
  const { environment, from, to } = range;
  const spelled = await spelledFilter(db, environment, filter);
  // Failures count when recorded, so that a late one is in the next summary.
  const failed = await db.rows(
    CountRow,
    sql`
      SELECT count(DISTINCT f.event_key)
      FROM failures f
      JOIN incidents i ON i.id = f.incident_id
      WHERE f.environment = ${environment}
        AND f.recorded_at >= ${from}
        AND f.recorded_at < ${to}
        AND i.verdict_class = 'announced'
        AND ${isCovered(spelled)}`,
  );
  // Counts of events include the minute of their end, which the next summary has.
  const coverage = { from, to: subMilliseconds(to, 1) };
  const covered = await incidentsSince(db, environment, filter, from);
  const open = covered.filter(({ state }) => state !== 'resolved');
  const largest = covered.toSorted(compareIncidents).slice(0, MOST_LARGEST);
  return {
    environment,
    missing: (await coverageIn(db, environment, range)).missing,
    ...(await eventsIn(db, environment, { range, coverage })),
    failedEvents: onlyRow(failed).count,
    open: countOpen(open),
    resolved: covered.length - open.length,
    largest: await incidentsInOrder(db, largest, now, filter),
  };
}
