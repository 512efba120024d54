import { addMilliseconds, subDays, subMilliseconds } from 'date-fns';
import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { BADNESSES } from '../incidents/badness.ts';
import { keepBeginning } from '../incidents/begin.ts';
import { withOutbreaks } from '../incidents/incident-rows.ts';
import { incidents } from '../incidents/tables.ts';
import { newestEntries } from '../incidents/timeline.ts';
import { lastOfEach } from '../lib/group-by.ts';
import { jsonIn } from '../lib/text/scrub.ts';
import { boundedId, stored } from '../lib/text/shown-id.ts';
import { HOUR_MS } from '../lib/time/durations.ts';
import type { Sent } from '../outbox/kinds.ts';
import { adoptMessage, type NewMessage, noteSaid, type Said, saidBy } from '../outbox/messages.ts';
import { slackMessages } from '../outbox/tables.ts';
import type { Db } from '../store/db.ts';
import type { Watch } from '../watches/settings.ts';
import { watchWithId } from '../watches/watches.ts';
import type { DigestContent } from './content.ts';
import { POST_REASONS } from './decide.ts';
import { DigestSays, storedSays, subjectOf } from './digest-says.ts';
import { noteTold } from './digest-told.ts';
import { watchAlerts } from './tables.ts';

const DIGEST = 'digest';

/** What a digest told of an incident. */
const SentIncident = z.object({
  number: z.number().int().positive(),
  key: z.string(),
  began: z.coerce.date(),
  reason: z.enum(POST_REASONS),
  badness: z.enum(BADNESSES),
  critical: z.boolean(),
  failures: z.number(),
});
type SentIncident = z.output<typeof SentIncident>;

/** What a digest in Slack says about itself, so that it is known again. */
const SentDigest = z.object({
  watchId: z.string(),
  environment: z.string(),
  incidents: z.array(SentIncident),
});
type SentDigest = z.output<typeof SentDigest>;

/** What it says of each incident stands in its subjects. `lost`: what it told of those that aren't recorded again yet. */
export const DigestKept = z.object({ lost: z.array(SentIncident).default([]) });

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

/**
 * Writes a digest that stands in Slack back to the store. Numbers go on above the highest that people have seen. Returns false if none of its incidents
 * is recorded.
 */
export async function adoptDigest(tx: Db, sent: Sent, now: Date): Promise<boolean> {
  const { data } = SentDigest.safeParse(jsonIn(sent.knownBy));
  if (data === undefined || data.incidents.length === 0) return false;
  await skipNumbers(tx, Math.max(...data.incidents.map(({ number }) => number)));
  const watch = await watchWithId(tx, data.watchId);
  if (watch === null) return false;
  const { id, channel, ts, postedAt } = sent;
  const { environment } = data;
  const message = { id, kind: DIGEST, owner: watch.id, channel, environment, createdAt: postedAt, ts, postedAt };
  return noteRecorded(tx, watch, { message, told: data.incidents }, now);
}

async function skipNumbers(tx: Db, highest: number): Promise<void> {
  await tx.write(sql`
    SELECT setval('incidents_id_seq', ${highest})
    FROM incidents_id_seq
    WHERE last_value < ${highest}`);
}

/** Counts as told what adopted digests told of incidents that were recorded again since: a digest's can be found one after the other. */
export async function adoptLater(tx: Db, watch: Watch, environment: string, now: Date): Promise<void> {
  for (const { content, ...message } of await incompleteMessages(tx, watch.id, environment, now)) {
    const { lost } = DigestKept.parse(content);
    await noteRecorded(tx, watch, { message, told: lost }, now);
  }
}

async function incompleteMessages(tx: Db, watchId: string, environment: string, now: Date): Promise<AdoptedMessage[]> {
  const isIncomplete = and(
    eq(slackMessages.owner, watchId),
    eq(slackMessages.kind, DIGEST),
    eq(slackMessages.environment, environment),
    gt(slackMessages.postedAt, subDays(now, 1)),
    sql`${slackMessages.content} #> '{lost,0}' IS NOT NULL`,
  );
  const rows = await tx.select().from(slackMessages).where(isIncomplete);
  return rows.flatMap(({ ts, postedAt, ...row }) =>
    ts === null || postedAt === null ? [] : [{ ...row, ts, postedAt }],
  );
}

interface AdoptedMessage extends NewMessage {
  id: string;
  environment: string;
  ts: string;
  postedAt: Date;
}

interface Adopted {
  message: AdoptedMessage;
  told: readonly SentIncident[];
}

/** Those of a message's incidents that are recorded count as told by it, and the others are kept. */
async function noteRecorded(tx: Db, watch: Watch, { message, told }: Adopted, now: Date): Promise<boolean> {
  const recorded = await recordedOf(tx, message.environment, told, now);
  if (recorded.length === 0) return false;
  const known = new Set(recorded.map(({ told: { key } }) => key));
  const lost = told.filter(({ key }) => !known.has(key)).map((each) => ({ ...each, key: boundedId(each.key) }));
  await adoptMessage(tx, { ...message, content: stored({ lost }) }, now);
  const ids = recorded.map(({ incidentId }) => incidentId);
  const entries = await newestEntries(tx, ids);
  const already = await saidBy(tx, message.id);
  const isSaid = ({ incidentId }: Recorded) => already.some(({ subject }) => subject === subjectOf(incidentId));
  // Two incidents of the message can be one by now.
  const unsaid = lastOfEach(recorded, ({ incidentId }) => incidentId).filter((each) => !isSaid(each));
  const said = unsaid.map((each) => saidOf(each, entries.get(each.incidentId) ?? 0));
  // An outbreak that no alert has told of was recorded after the loss, and may begin later than people were told.
  const alerts = await tx.select().from(watchAlerts).where(inArray(watchAlerts.incidentId, ids));
  const isTold = ({ incidentId, number }: Recorded) =>
    alerts.some((alert) => alert.incidentId === incidentId && alert.outbreak === number);
  for (const each of recorded) if (!isTold(each)) await keepBeginning(tx, each, each.told.began);
  await noteSaid(tx, message.id, [...already, ...said]);
  // What is recorded again isn't news, though it is by a later clock.
  await noteTold(tx, watch, message, { said, at: now });
  return true;
}

interface Recorded {
  told: SentIncident;
  incidentId: number;
  /** The number of its outbreak. */
  number: number;
}

/** What a digest told of an incident. `entryId`: its newest entry of the timeline, which counts as shown. */
function saidOf({ told, incidentId, number }: Recorded, entryId: number): Said {
  const { reason, badness, critical, failures, began } = told;
  const says = DigestSays.parse({
    reason,
    outbreak: number,
    badness,
    critical,
    failures,
    began,
    entryId,
    rings: reason !== 'single',
    shownBadness: badness,
    missed: null,
    broke: null,
  } satisfies z.input<typeof DigestSays>);
  return { subject: subjectOf(incidentId), says: storedSays(says) };
}

/** An outbreak whose first failures are found again can begin a little earlier or later. */
const NEAR_MS = HOUR_MS;

async function recordedOf(
  tx: Db,
  environment: string,
  told: readonly SentIncident[],
  now: Date,
): Promise<readonly Recorded[]> {
  const keys = told.map(({ key }) => key);
  const rows = await withOutbreaks(tx, and(eq(incidents.environment, environment), inArray(incidents.key, keys)));
  return told.flatMap((each) => {
    const row = rows.find(
      ({ incident: { key }, outbreak: { beganAt, endedAtService } }) =>
        key === each.key &&
        each.began >= subMilliseconds(beganAt, NEAR_MS) &&
        each.began <= addMilliseconds(endedAtService ?? now, NEAR_MS),
    );
    return row === undefined ? [] : [{ told: each, incidentId: row.incident.id, number: row.outbreak.number }];
  });
}
