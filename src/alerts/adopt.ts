import { addMilliseconds, subMilliseconds } from 'date-fns';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { BADNESSES } from '../incidents/badness.ts';
import { withOutbreaks } from '../incidents/incident-rows.ts';
import { incidents } from '../incidents/tables.ts';
import { HOUR_MS } from '../lib/time/durations.ts';
import { noteSaid, type Said } from '../outbox/claims.ts';
import type { Sent } from '../outbox/kinds.ts';
import { adoptMessage } from '../outbox/messages.ts';
import type { Db } from '../store/db.ts';
import type { Watch } from '../watches/settings.ts';
import { watchWithId } from '../watches/watches.ts';
import type { DigestContent } from './content.ts';
import { POST_REASONS } from './decide.ts';
import { newestEntries } from './entries.ts';
import { storedSays, subjectOf } from './subjects.ts';

const DIGEST = 'digest';

/** What a digest in Slack says about itself, so that it is known again. */
export const SentDigest = z.object({
  watchId: z.string(),
  environment: z.string(),
  incidents: z.array(
    z.object({
      number: z.number().int().positive(),
      key: z.string(),
      began: z.coerce.date(),
      reason: z.enum(POST_REASONS),
      badness: z.enum(BADNESSES),
      critical: z.boolean(),
      failures: z.number(),
    }),
  ),
});
export type SentDigest = z.output<typeof SentDigest>;

const KnownBy = z
  .string()
  .transform((text, { addIssue }): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      addIssue("it isn't a digest's");
      return z.NEVER;
    }
  })
  .pipe(SentDigest);

/** Slack limits what a message carries. */
const MOST_SENT = 30;

export function sentDigestOf({ watchId, environment, rows, singles, counted }: DigestContent): SentDigest {
  const single = singles.map((incident) => ({ incident, reason: 'single' as const }));
  // How bad those are that are only counted wasn't told.
  const others = counted.map(({ incident, reason }) => ({
    incident: { ...incident, badness: 'one' as const, critical: false },
    reason,
  }));
  const told = [...rows, ...single, ...others].slice(0, MOST_SENT);
  return {
    watchId,
    environment,
    incidents: told.map(({ incident, reason }) => {
      const { id: number, key, beganAt: began, badness, critical, failures } = incident;
      return { number, key, began, reason, badness, critical, failures };
    }),
  };
}

/** An outbreak whose first failures are found again can begin a little earlier or later. */
const NEAR_MS = HOUR_MS;

async function skipNumbers(tx: Db, highest: number): Promise<void> {
  await tx.write(sql`
    SELECT setval('incidents_id_seq', ${highest})
    FROM incidents_id_seq
    WHERE last_value < ${highest}`);
}

export interface AdoptedDigest {
  watch: Watch;
  environment: string;
  said: readonly Said[];
}

/** Numbers go on above the highest that people have seen. Returns the digest's words, or null while none of its incidents is known again. */
export async function adoptDigest(tx: Db, sent: Sent, now: Date): Promise<AdoptedDigest | null> {
  const { data } = KnownBy.safeParse(sent.knownBy);
  if (data === undefined || data.incidents.length === 0) return null;
  await skipNumbers(tx, Math.max(...data.incidents.map(({ number }) => number)));
  const watch = await watchWithId(tx, data.watchId);
  if (watch === null) return null;
  const keys = data.incidents.map(({ key }) => key);
  const rows = await withOutbreaks(tx, and(eq(incidents.environment, data.environment), inArray(incidents.key, keys)));
  const known = data.incidents.flatMap((told) => {
    const row = rows.find(
      ({ incident: { key }, outbreak: { beganAt, endedAtService } }) =>
        key === told.key &&
        told.began >= subMilliseconds(beganAt, NEAR_MS) &&
        told.began <= addMilliseconds(endedAtService ?? now, NEAR_MS),
    );
    return row === undefined ? [] : [{ told, incidentId: row.incident.id, outbreak: row.outbreak.number }];
  });
  if (known.length === 0) return null;
  const { id, channel, ts, postedAt } = sent;
  const { environment } = data;
  const message = { id, kind: DIGEST, owner: watch.id, channel, environment, createdAt: postedAt, ts, postedAt };
  await adoptMessage(tx, message, now);
  const ids = known.map(({ incidentId }) => incidentId);
  const entries = await newestEntries(tx, ids);
  const said = known.map(({ told, incidentId, outbreak }) => {
    const { reason, badness, critical, failures } = told;
    const rings = reason !== 'single';
    const entryId = entries.get(incidentId) ?? 0;
    const kept = {
      mentions: false,
      mentionsOnly: null,
      shownBadness: badness,
      missed: null,
      broke: null,
      filter: null,
    };
    const says = storedSays({ reason, outbreak, badness, critical, failures, entryId, rings, ...kept });
    return { subject: subjectOf(incidentId), says };
  });
  await noteSaid(tx, id, said);
  return { watch, environment, said };
}
