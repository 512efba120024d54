import { isDeepStrictEqual } from 'node:util';
import { and, desc, eq, gte, lt, ne } from 'drizzle-orm';
import { isMailDomain } from '../judging/domains.ts';
import { FEWEST_EVENTS, labelsOf, sharedLabel } from '../judging/labels.ts';
import type { Traffic } from '../judging/traffic.ts';
import { lastOfEach } from '../lib/group-by.ts';
import type { Db } from '../store/db.ts';
import { renewVersions, updateOutbreak, withOutbreaks } from './incident-rows.ts';
import { failures, incidents, type OutbreakRow, outbreaks } from './tables.ts';

/** So many of the newest failures show what they have in common. */
const MOST_EXAMINED = 250;

/** Notes what the failures of open incidents have in common. While the traffic isn't known yet, what was found before stays. */
export async function noteSharedLabels(db: Db, environment: string, traffic: Traffic): Promise<void> {
  const isOpen = and(
    eq(incidents.environment, environment),
    ne(incidents.state, 'resolved'),
    eq(incidents.kind, 'failures'),
    gte(outbreaks.failures, FEWEST_EVENTS),
  );
  for (const { outbreak } of await withOutbreaks(db, isOpen)) {
    const shared = await sharedIn(db, outbreak, traffic);
    if (shared === 'unknown' || isDeepStrictEqual(shared, outbreak.shared)) continue;
    await db.transaction(async (tx) => {
      await renewVersions(tx, environment, [outbreak.incidentId]);
      await updateOutbreak(tx, outbreak, { shared });
    });
  }
}

/** Returns 'unknown' while too little traffic was seen to compare with. */
async function sharedIn(db: Db, outbreak: OutbreakRow, traffic: Traffic): Promise<OutbreakRow['shared'] | 'unknown'> {
  const { incidentId, coversFrom, coversTo } = outbreak;
  const isCounted = and(
    eq(failures.incidentId, incidentId),
    coversFrom === null ? undefined : gte(failures.occurredAt, coversFrom),
    coversTo === null ? undefined : lt(failures.occurredAt, coversTo),
  );
  const newest = await db.select().from(failures).where(isCounted).orderBy(desc(failures.seq)).limit(MOST_EXAMINED);
  const failed = lastOfEach(newest, ({ eventKey }) => eventKey).map((row) => ({
    workflow: row.workflow ?? '',
    labels: labelsOf({ ...row, domains: [row.domain].filter(isMailDomain) }),
  }));
  const found = sharedLabel(failed, traffic.sample(outbreak.environment));
  return found === 'unknown' || found === null ? found : { ...found, isOfNewest: newest.length < outbreak.failures };
}
