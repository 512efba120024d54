import { z } from 'zod';
import { NO_REASON } from '../../src/judging/cause.ts';
import { Count, type Db } from '../../src/store/db.ts';
import { broke } from './account.ts';
import type { Bounded, Facts, Post, Stretch } from './facts.ts';
import { failedAfterEnd } from './failed-after-end.ts';
import { DrawingError } from './notif-process.ts';
import { type Played, TAIL_POLL_MS } from './play.ts';
import { CLOCKS_SET, promisesOf } from './promises.ts';
import type { Sample } from './samples.ts';
import { countedMinutes } from './take-counts.ts';
import { GAP_TIMES, gapsUntold, stretchesIn } from './take-gaps.ts';
import { mayBeUnreadable, plantedIn, wasShownFailed } from './take-planted.ts';
import { takeTold } from './take-told.ts';
import { toldWrong } from './told.ts';
import { MINUTE } from './virtual-time.ts';
import { WORDS } from './wire-event.ts';
import type { Switch } from './world.ts';

const RecordedRow = z.object({
  eventKey: z.string(),
  jobId: z.string(),
  recordedAt: z.date(),
  incidentId: Count,
  causeText: z.string(),
  causeKey: z.string(),
  verdictClass: z.string(),
  isRecipientFault: z.boolean(),
  verdict: z.string(),
});
type RecordedRow = z.output<typeof RecordedRow>;

/** All recorded failures, also those that are only counted, and outages. */
const RECORDED = `
  SELECT f.event_key, f.job_id, f.recorded_at, f.incident_id, i.cause_text, i.cause_key, i.verdict_class,
    i.is_recipient_fault, f.verdict
  FROM failures f
  JOIN incidents i ON i.id = f.incident_id
  UNION ALL
  SELECT '', 'outage ' || i.id || ' ' || o.number, o.began_at, i.id, i.cause_text, i.cause_key, i.verdict_class, false, ''
  FROM incidents i
  JOIN outbreaks o ON o.incident_id = i.id
  WHERE i.kind <> 'failures'`;

/** The times in gaps that Notif has given up, or hadn't checked by the end. */
const GIVEN_UP = `
  SELECT u."from" AS begins_at, u."to" AS ends_at
  FROM gaps g
  CROSS JOIN LATERAL jsonb_to_recordset(g.unchecked) AS u ("from" timestamptz, "to" timestamptz, "nextTryAt" timestamptz)
  WHERE u."nextTryAt" IS NULL
    OR g.closed_at IS NULL`;

const POSTED_GAPS = `
  SELECT s.message_id AS id, g.begins_at, g.ends_at
  FROM message_subjects s
  JOIN outbreaks o ON s.subject = 'incident ' || o.incident_id
  JOIN gaps g ON g.id = o.gap_id`;
const PostedGapRow = z.object({ id: z.string(), beginsAt: z.date(), endsAt: z.date().nullable() });

const UNREADABLE =
  'SELECT minute, sum(unreadable) AS unreadable FROM event_counts WHERE unreadable > 0 GROUP BY minute';
const MinuteRow = z.object({ minute: z.date(), unreadable: z.coerce.number() });

/** Gathers the input of a combination's account from the store, Slack and the service. */
export async function takeFacts(played: Played, database: Db): Promise<Facts> {
  const { story, service, heartbeats, samples } = played;
  const isClockSet = CLOCKS_SET.some((name) => played.world.has(name));
  const recorded = await database.rows(RecordedRow, RECORDED);
  const givenUp = await stretchesIn(database, GIVEN_UP);
  const postedGaps = await database.rows(PostedGapRow, POSTED_GAPS);
  const unreadable = await database.rows(MinuteRow, UNREADABLE);
  const ages = service.requests.map(({ at, before, age }) => age ?? at + service.skewMs - (before ?? at));
  // Without a Date, Notif has gaps in its own time.
  const knownSkewMs = played.world.has('no-date') ? 0 : service.skewMs;
  const promises = promisesOf(played);
  const oldest = isClockSet ? 0 : Math.max(0, ...ages.filter((age) => !Number.isNaN(age)));
  const impatient = FORGETS_LIMITS.some((name) => played.world.has(name)) ? 0 : service.impatient();
  const { mostRequests: most, mostRequestsInAMinute: mostNow, mostEdits } = promises;
  const budgets: Bounded[] = [
    { rule: 'request-budget', is: service.requests.length, words: 'requests', most },
    { rule: 'request-budget', is: mostInAMinute(service.requests), words: 'requests in a minute', most: mostNow },
    { rule: 'request-budget', is: impatient, words: 'reads before the time that a 429 named', most: 0 },
    { rule: 'edit-budget', is: mostInAMinute(played.slack.edits), words: 'edits in a minute', most: mostEdits },
    // After an absence, Notif requests data of up to twice the horizon; of a step that waited, up to twice after it is due.
    { rule: 'horizon', is: oldest, words: 'milliseconds of age', most: 3 * story.horizonMs + 30 * MINUTE },
  ];
  const failedLoops = played.loopErrors
    .filter(({ error }) => !isOfBug(error))
    .map(({ loop, error }) => broke('loops-run', `${loop} failed with ${error}`));
  const excuses = excusesOf(played);
  const slackExcuses = played.slack.troubles.map(({ from, to }) => ({ from: from - MINUTE, to: to + 10 * MINUTE }));
  const told = toldWrong(takeTold(played, [...excuses, ...slackExcuses], promises.toldWithinMs));
  return {
    planted: story.events.flatMap((event) => plantedIn(event, played)),
    recorded: recorded.map((row) => ({
      jobId: STEP.exec(row.jobId)?.[0] ?? `${row.eventKey} ${row.jobId}`,
      // A failure that gets another cause later is recorded again.
      recordedAt: Math.min(firstSeenIn(samples, row, story.end), isClockSet ? story.end : row.recordedAt.getTime()),
      incidentId: row.incidentId,
      kind: kindOf(row, recorded, played),
      isRecipientFault: row.isRecipientFault,
    })),
    notSeen: {
      givenUp,
      posted: postedGaps.flatMap(({ id, beginsAt, endsAt }) =>
        played.slack.messages
          .filter(({ deliveryId }) => deliveryId === id)
          .map(({ at }) => ({ from: beginsAt.getTime(), to: endsAt?.getTime() ?? story.end, at })),
      ),
      unreadableMinutes: unreadable.map(({ minute }) => minute.getTime()),
      unreadable: unreadable.reduce((sum, row) => sum + row.unreadable, 0),
      mostUnreadable: story.events.filter((event) => mayBeUnreadable(event, played)).length,
    },
    seen: [...failedAfterEnd(played), ...(await gapsUntold(played, database)), ...failedLoops, ...told],
    gapTimes: await stretchesIn(database, GAP_TIMES, knownSkewMs),
    bounded: [...(await countedMinutes(played, database)), ...budgets],
    posts: postsIn(played),
    sends: service.sends,
    heartbeats,
    stops: isClockSet ? [] : played.absences,
    promises,
    excuses,
  };
}

function postsIn({ slack: { messages }, frozen, failover, world }: Played): Post[] {
  // Nothing knows of these any more: neither the store, nor the channel where it can't be read.
  const isForgotten = (at: number) =>
    failover !== null && world.has('no-history') && at >= failover.from && at <= failover.to;
  const mayBeLost = MAY_LOSE_POSTS.some((name) => world.has(name));
  return messages.map(({ deliveryId, channel, at, drawnAt, isMarked, deletedAt }) => ({
    deliveryId,
    channel,
    at,
    isMarked,
    // A process that thaws goes on with the post that it had begun.
    askedAt: drawnAt === frozen?.to ? frozen.from : drawnAt,
    standsUntil: isForgotten(drawnAt) ? drawnAt : ((mayBeLost ? deletedAt : null) ?? Number.POSITIVE_INFINITY),
  }));
}

function mostInAMinute(some: readonly { at: number }[]): number {
  const perMinute = new Map<number, number>();
  for (const { at } of some) perMinute.set(Math.floor(at / MINUTE), (perMinute.get(Math.floor(at / MINUTE)) ?? 0) + 1);
  return Math.max(0, ...perMinute.values());
}

function firstSeenIn(samples: readonly Sample[], { eventKey, jobId }: RecordedRow, end: number): number {
  const isThis = (failure: { eventKey: string; jobId: string }) =>
    failure.eventKey === eventKey && failure.jobId === jobId;
  return samples.find(({ failures }) => failures.some(isThis))?.at ?? end;
}

/** Returns what failures of one incident have in common by the story. What the story doesn't say is taken from the row. */
function kindOf(row: RecordedRow, recorded: readonly RecordedRow[], { story, service, world }: Played): string {
  const { jobId, verdictClass, causeText, causeKey } = row;
  const eventOf = (other: RecordedRow) =>
    story.events.find(({ index }) => `job-${index}` === STEP.exec(other.jobId)?.[0]);
  const event = eventOf(row);
  if (event === undefined) return [jobId.replace(/\d.*/, ''), causeText, verdictClass].join(' · ');
  const { workflow, fate, before } = event;
  // Where a failure's cause changed it stays, and others of the new cause join it.
  const others = recorded.filter(({ incidentId }) => incidentId === row.incidentId).map(eventOf);
  const isJoined = others.some((other) => (other?.before ?? null) !== null && other?.cause === event.cause);
  const cause = before !== null || isJoined || causeKey === NO_REASON ? causeText : event.cause;
  // Its event may be read for the last time before it fails, and seem too old to be in progress then.
  const maySeemStuck = row.verdict === 'stuck' && MAY_SEEM_OLD.some((name) => world.has(name));
  const isStuck = fate === 'stuck' || (maySeemStuck && !wasShownFailed(event, service));
  // Without an address, and where a step is skipped or hasn't ended, no provider is known to be asked.
  const provider = isStuck || fate === 'undeliverable' || fate === 'skipped' ? '' : workflow.provider;
  return [workflow.channel, provider, isStuck ? 'stuck' : (WORDS[fate] ?? cause), verdictClass].join(' · ');
}

/** Only Notif's clock says how old an event is in these worlds, or one of the clocks was set. */
const MAY_SEEM_OLD: readonly Switch[] = ['no-date', ...CLOCKS_SET];

/** The part of a step's ID that identifies it: a long ID is stored shortened. */
const STEP = /^job-\d+/;

/** A process doesn't know of the limits that another one has met. */
const FORGETS_LIMITS: readonly Switch[] = ['two-replicas', 'freezes', 'kills', 'not-running'];

/** A bug that the world has is logged, and fails what shows it. */
const isOfBug = (error: unknown): boolean =>
  error instanceof DrawingError || (error instanceof Error && isOfBug(error.cause));

function excusesOf({ absences, service, story, world, clockStepAt, frozen, failover }: Played): Stretch[] {
  const late = Math.max(story.pollMs * 3, TAIL_POLL_MS) + 5 * MINUTE;
  const first = { from: 0, to: story.start + 1 };
  const set = clockStepAt === null ? [] : [{ from: clockStepAt, to: clockStepAt }];
  const away = [
    ...absences,
    ...set,
    ...(frozen ? [frozen] : []),
    ...(failover ? [failover] : []),
    ...(world.has('service-away') ? service.absences : []),
  ];
  return [first, ...away.map(({ from, to }) => ({ from: from - late, to: to + late }))];
}

/** Notif may not learn that a message was posted. */
const MAY_LOSE_POSTS: readonly Switch[] = ['posts-late', 'answers-lost', 'kills', 'not-running', 'slack-unsure'];
