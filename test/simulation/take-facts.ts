import { z } from 'zod';
import { GAP_WINDOWS } from '../../src/health/environment-health.ts';
import { Count, type Db } from '../../src/store/db.ts';
import type { DifficultService } from './difficult-service.ts';
import type { CountedMinute, Facts, GapInWatch, MutedInWatch, Post, Showings, Stretch, Telling } from './facts.ts';
import { type Played, TAIL_POLL_MS } from './play.ts';
import { promisesOf } from './promises.ts';
import type { Fate, Story, StoryEvent } from './story.ts';
import { ALERTS, AlertRow, incidentsIn, isUpToDate, RECORDED, RecordedRow } from './take-incidents.ts';
import { isOdd, mayBeUnreadable, plantedIn } from './take-planted.ts';
import { clock } from './virtual-time.ts';
import { WORDS } from './wire-event.ts';
import type { Switch } from './world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const StretchRow = z.object({ beginsAt: z.date(), endsAt: z.date() });
const PostedGapRow = z.object({ id: z.string(), beginsAt: z.date(), endsAt: z.date().nullable() });
const UNREADABLE =
  'SELECT minute, sum(unreadable) AS unreadable FROM event_counts WHERE unreadable > 0 GROUP BY minute';
const MinuteRow = z.object({ minute: z.date(), unreadable: z.coerce.number() });
/** Gathers the input of a combination's account from the store, Slack and the service. */
export async function takeFacts(played: Played, database: Db): Promise<Facts> {
  const { story, service, heartbeats } = played;
  const recorded = await database.rows(RecordedRow, RECORDED);
  const alerts = await database.rows(AlertRow, ALERTS);
  const givenUp = await stretchesIn(
    database,
    `SELECT u."from" AS begins_at, u."to" AS ends_at FROM gaps g CROSS JOIN LATERAL ${GAP_WINDOWS}
     WHERE u."nextTryAt" IS NULL OR g.closed_at IS NULL`,
  );
  const postedGaps = await database.rows(
    PostedGapRow,
    `SELECT a.message_id AS id, g.begins_at, g.ends_at FROM alerts a JOIN incidents i ON i.id = a.incident_id JOIN gaps g ON g.id = i.gap_id`,
  );
  const unreadable = await database.rows(MinuteRow, UNREADABLE);
  const ages = service.requests.map(({ at, before, age }) => age ?? at + service.skewMs - (before ?? at));
  // Without a Date, Notif has gaps in its own time.
  const knownSkewMs = played.world.has('no-date') ? 0 : service.skewMs;
  return {
    planted: story.events.flatMap((event) => plantedIn(event, played)),
    recorded: recorded.map((row) => ({
      jobId: STEP.exec(row.jobId)?.[0] ?? `${row.eventKey} ${row.jobId}`,
      recordedAt: row.recordedAt.getTime(),
      ...{ incidentId: row.incidentId, kind: kindOf(row, story), isRecipients: row.isRecipients },
    })),
    notSeen: {
      givenUp,
      posted: postedGaps.flatMap(({ id, beginsAt, endsAt }) =>
        played.slack.messages
          .filter(({ deliveryId }) => deliveryId === id)
          .map(({ at }) => ({ from: beginsAt.getTime(), to: endsAt?.getTime() ?? story.end, at })),
      ),
      unreadableMinutes: unreadable.map(({ minute }) => minute.getTime()),
      unreadable: unreadable.reduce((sum, one) => sum + one.unreadable, 0),
      mostUnreadable: story.events.filter((event) => mayBeUnreadable(event, played)).length,
    },
    incidents: await incidentsIn(played, database, recorded, alerts),
    gaps: await gapsIn(played, database),
    gapTimes: await stretchesIn(database, GAP_TIMES, knownSkewMs),
    minutes: await countedMinutes(played, database),
    posts: postsIn(played, alerts),
    mostEditsInAMinute: mostInAMinute(played.slack.edits),
    mutes: await mutesIn(played, database),
    showings: story.events.filter(isSwept).map((event) => showingsOf(event, service)),
    heartbeats,
    stops: played.absences,
    loopErrors: played.loopErrors.map(({ loop, error }) => `${loop} with ${String(error)}`),
    requests: {
      all: service.requests.length,
      mostInAMinute: mostInAMinute(service.requests),
      oldestAge: Math.max(0, ...ages.filter((age) => !Number.isNaN(age))),
      impatient: FORGETS_LIMITS.some((name) => played.world.has(name)) ? 0 : service.impatient(),
    },
    promises: promisesOf(played),
    excuses: excusesOf(played),
  };
}

const GAP_TIMES = 'SELECT begins_at, coalesce(ends_at, now()) AS ends_at FROM gaps';

async function stretchesIn(database: Db, query: string, skewMs = 0): Promise<Stretch[]> {
  const rows = await database.rows(StretchRow, query);
  return rows.map(({ beginsAt, endsAt }) => ({ from: beginsAt.getTime() - skewMs, to: endsAt.getTime() - skewMs }));
}

function mostInAMinute(some: readonly { at: number }[]): number {
  const perMinute = new Map<number, number>();
  for (const { at } of some) perMinute.set(Math.floor(at / MINUTE), (perMinute.get(Math.floor(at / MINUTE)) ?? 0) + 1);
  return Math.max(0, ...perMinute.values());
}

/** What makes failures one incident: by the story, except what only counts. */
function kindOf({ jobId, announcement }: RecordedRow, { events }: Story): string {
  const event = events.find(({ index }) => `job-${index}` === STEP.exec(jobId)?.[0]);
  if (event === undefined) return 'nothing of the story';
  const { workflow, fate, cause } = event;
  return [workflow.channel, workflow.provider, fate === 'stuck' ? fate : (WORDS[fate] ?? cause), announcement].join(
    ' · ',
  );
}

const CountedRow = z.object({ minute: z.date(), events: Count, deliveries: Count });
const COUNTED = `
  SELECT minute, sum(events) AS events, sum(deliveries) AS deliveries FROM (
    SELECT minute, events, 0 AS deliveries FROM event_counts UNION ALL SELECT created, 0, successes FROM success_counts
  ) counted GROUP BY 1`;
/** By the service's clock: what was in a gap, or is older than what Notif began with. */
const UNCOUNTED = `${GAP_TIMES} UNION ALL SELECT to_timestamp(0), covered_from FROM environments`;
const DELIVERED: readonly Fate[] = ['delivered', 'warned', 'bounced', 'partly-failed', 'retried'];
/** What the last answer leaves out, or lists without its steps, isn't counted. */
const MAY_COUNT_LESS: readonly Switch[] = ['absent-once', 'reordered-ties', 'no-jobs-in-list'];

async function countedMinutes(played: Played, database: Db): Promise<CountedMinute[]> {
  const { story, service, world } = played;
  if (world.has('no-times')) return [];
  const rows = await database.rows(CountedRow, COUNTED);
  const uncounted = await stretchesIn(database, UNCOUNTED);
  const minuteOf = ({ createdAt }: StoryEvent) => Math.floor((createdAt + service.skewMs) / MINUTE) * MINUTE;
  const minutes = new Set([...story.events.map(minuteOf), ...rows.map((row) => row.minute.getTime())]);
  return [...minutes].flatMap((minute) => {
    const row = rows.find((one) => one.minute.getTime() === minute);
    const own = story.events.filter((event) => minuteOf(event) === minute);
    const delivered = own.filter(({ fate }) => DELIVERED.includes(fate));
    const isUncounted = uncounted.some(({ from, to }) => minute > from - 2 * MINUTE && minute < to + MINUTE);
    const mayBeLess = isUncounted || MAY_COUNT_LESS.some((name) => world.has(name));
    const certain = mayBeLess ? [] : own.filter((event) => !mayBeUnreadable(event, played));
    const sent = certain.filter(({ fate }) => fate === 'delivered').length;
    const of = clock(minute);
    return [
      { words: `events of ${of}`, counted: row?.events ?? 0, least: certain.length, most: own.length },
      { words: `deliveries of events of ${of}`, counted: row?.deliveries ?? 0, least: sent, most: delivered.length },
    ];
  });
}

/** The part of a step's ID that identifies it: a long ID is stored shortened. */
const STEP = /^job-\d+/;

const isSwept = (event: StoryEvent) =>
  event.workflow.channel !== 'in_app' && event.poison === null && event.hasTimes && !isOdd(event);

function showingsOf(event: StoryEvent, { skewMs, shownAt }: DifficultService): Showings {
  const { index, fate, createdAt } = event;
  const what = `the ${fate} event ${index}, created at ${clock(createdAt)},`;
  return { what, createdAt: createdAt + Math.min(0, skewMs), at: shownAt.get(index) ?? [] };
}

/** A process doesn't know of the limits that another one has met. */
const FORGETS_LIMITS: readonly Switch[] = ['two-replicas', 'kills', 'not-running'];

function excusesOf({ absences, service, story, world }: Played): Stretch[] {
  const late = Math.max(story.pollMs * 3, TAIL_POLL_MS) + 5 * MINUTE;
  const first = { from: 0, to: story.start + 1 };
  const away = [...absences, ...(world.has('service-away') ? service.absences : [])];
  return [first, ...away.map(({ from, to }) => ({ from: from - late, to: to + late }))];
}

const GapRow = z.object({
  watch: z.string(),
  startedAt: z.date(),
  stateAt: z.date(),
  messageId: z.string().nullable(),
});

/** What began after announcing ran last isn't due. */
const GAPS = `
  SELECT w.channel AS watch, i.started_at, i.state_at, told.message_id
  FROM incidents i JOIN environments c ON c.environment = i.environment CROSS JOIN watches w
  LEFT JOIN LATERAL (SELECT message_id FROM alerts a WHERE a.incident_id = i.id AND a.watch_id = w.id ORDER BY a.at DESC LIMIT 1) told ON true
  WHERE i.gap_id IS NOT NULL AND i.state_at < c.announced_at`;

async function gapsIn(played: Played, database: Db): Promise<GapInWatch[]> {
  const rows = await database.rows(GapRow, GAPS);
  return rows.map(({ watch, startedAt, stateAt, messageId }) => ({
    ...{ watch, words: `the outage from ${clock(startedAt.getTime())}` },
    isPosted: played.slack.messages.some(({ deliveryId }) => deliveryId === messageId),
    isUpToDate: isUpToDate(messageId ?? '', [stateAt], played),
  }));
}

/** Notif may not learn that a message was posted. */
const MAY_LOSE_POSTS: readonly Switch[] = ['posts-late', 'answers-lost', 'kills', 'not-running'];

function postsIn({ slack, world }: Played, alerts: readonly AlertRow[]): Post[] {
  const mayBeUnknown = MAY_LOSE_POSTS.some((name) => world.has(name));
  return slack.messages.map(({ deliveryId, channel, at, isMarked, deletedAt }) => ({
    ...{ deliveryId, watch: channel, at, isMarked, isDeleted: deletedAt !== null },
    standsUntil: (mayBeUnknown ? deletedAt : null) ?? Number.POSITIVE_INFINITY,
    tellings: alerts.filter(({ messageId }) => messageId === deliveryId).map(tellingOf),
  }));
}

function tellingOf({ incidentId, at, reason, matched, relapses, critical }: AlertRow): Telling {
  return { incidentId, at: at.getTime(), reason, matched, relapses, critical };
}

const MutedRow = z.object({
  announced: z.coerce.number(),
  missed: z.coerce.number(),
  withheldAtLeast: z.coerce.number(),
  withheldAtMost: z.coerce.number(),
  endedAt: z.date().nullable(),
});

/** Of the incidents of key $2, or of all if that is null. */
const COVERED = '($2::text IS NULL OR i.key = $2)';

/** Trouble of single recipients isn't told twice, so what a mute withheld of it isn't either. */
const IS_TOLD_ONCE = 'i.is_recipients';

/** What a mute withheld may be reported after the story if the incident's last message came less than half an hour before the last poll ($7). */
const WAITS_FOR_ITS_TURN = 'EXISTS (SELECT FROM alerts a WHERE a.watch_id = $1 AND a.incident_id = i.id AND a.at > $7)';

/** Failures that the mute withheld, if it lasted from one parameter to the other. */
const withheldIn = (from: string, to: string, isCertain: string) => `(
  SELECT count(*) FROM failures f JOIN incidents i ON i.id = f.incident_id
  WHERE i.announcement = 'announced' AND ${COVERED} AND f.recorded_at >= ${from} AND f.recorded_at < ${to} AND ${isCertain})`;

const MUTED = `
  WITH ended AS (
    SELECT max(m.until) AS at FROM mutes m JOIN incidents i ON i.id = m.incident_id WHERE m.watch_id = $1 AND i.key = $2 AND m.muted_at = $8
  ), written AS (SELECT a.at, a.missed FROM alerts a JOIN incidents i ON i.id = a.incident_id WHERE a.watch_id = $1 AND ${COVERED})
  SELECT (SELECT count(*) FROM written WHERE at >= $5 AND at < LEAST($6, (SELECT at FROM ended))) AS announced, (SELECT at FROM ended) AS ended_at,
    (SELECT coalesce(sum(missed), 0) FROM written) AS missed,
    ${withheldIn('$5', '$6', `NOT ${IS_TOLD_ONCE} AND NOT ${WAITS_FOR_ITS_TURN}`)} AS withheld_at_least,
    ${withheldIn('$3', '$4', 'true')} AS withheld_at_most`;

async function mutesIn({ mutes, world, polls, story }: Played, database: Db): Promise<MutedInWatch[]> {
  const apart = world.has('replica-clocks') ? CLOCKS_APART_MS : 0;
  const rows = mutes.map(async ({ watchId, incidentKey, from, to }) => {
    const times = [from - apart, to + apart, from + apart, to - apart, Math.max(...polls) - HALF_AN_HOUR].map(
      (time) => new Date(time),
    );
    const found = await database.rows(MutedRow, MUTED, [watchId, incidentKey, ...times, new Date(from)]);
    const words = `the mute of ${incidentKey === null ? 'a watch' : 'an incident'} from ${clock(from)} to ${clock(to)}`;
    return found.map(({ announced, missed, withheldAtLeast, withheldAtMost: most, endedAt }) => {
      // That of an incident ends with it, and breaks when it gets worse: what was known then isn't missed.
      const least = endedAt !== null && endedAt.getTime() < to ? 0 : withheldAtLeast;
      const withheld = Math.max(least, Math.min(missed, most));
      const watch = story.watches[0]?.channel ?? '';
      return { words, watch, from, to, announced, missed, withheld, mayRepeat: world.has('messages-deleted') };
    });
  });
  return (await Promise.all(rows)).flat();
}

const CLOCKS_APART_MS = 45 * SECOND;
const HALF_AN_HOUR = 30 * MINUTE;
