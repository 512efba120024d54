import { z } from 'zod';
import { UNCHECKED_PARTS } from '../../src/polling/gap-rows.ts';
import type { Database } from '../../src/store/database/database.ts';
import type { DifficultService } from './difficult-service.ts';
import type { Facts, GroupInWatch, MutedInWatch, PlantedFailure, Post, Showings, Stretch } from './facts.ts';
import { MOST_AHEAD_MS, MOST_SECONDS_DEAD, type Played, TAIL_POLL_MS } from './play.ts';
import { LATE_UNFOUND, promisedDelay, promisesOf } from './promises.ts';
import { type Fate, isUnreadable, type Story, type StoryEvent, type StoryWatch } from './story.ts';
import type { Switch } from './world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const RecordedRow = z.object({
  event_key: z.string(),
  job_id: z.string(),
  recorded_at: z.date(),
  group_key: z.string(),
});
const StretchRow = z.object({ begins_at: z.date(), ends_at: z.date() });
const PostedGapRow = z.object({ id: z.string(), begins_at: z.date(), ends_at: z.date().nullable() });
const UNREADABLE =
  'SELECT minute, sum(unreadable) AS unreadable FROM event_counts WHERE unreadable > 0 GROUP BY minute';
const MinuteRow = z.object({ minute: z.date(), unreadable: z.coerce.number() });
const GroupRow = z.object({
  watch: z.string(),
  key: z.string(),
  workflow: z.string().nullable(),
  channel: z.string(),
  cause_text: z.string(),
  recorded: z.coerce.number(),
  not_yet_due: z.coerce.number(),
  announced: z.coerce.number(),
});
const AnnouncedRow = z.object({
  message_id: z.string(),
  is_urgent: z.boolean().nullable(),
  key: z.string(),
  workflow: z.string().nullable(),
  channel: z.string(),
});

/** Gathers the input of a combination's account from the store, Slack and the service. */
export async function takeFacts(played: Played, database: Database): Promise<Facts> {
  const { story, service, heartbeats } = played;
  const recorded = await database.rows(RecordedRow, 'SELECT event_key, job_id, recorded_at, group_key FROM failures');
  const givenUp = await database.rows(
    StretchRow,
    `SELECT u."from" AS begins_at, u."to" AS ends_at FROM gaps g CROSS JOIN LATERAL ${UNCHECKED_PARTS}
     WHERE u."nextTryAt" IS NULL OR g.closed_at IS NULL
       AND EXISTS (SELECT 1 FROM messages d WHERE d.gap_id = g.id AND d.state IN ('posted', 'gone'))`,
  );
  const postedGaps = await database.rows(
    PostedGapRow,
    'SELECT d.id, g.begins_at, g.ends_at FROM messages d JOIN gaps g ON g.id = d.gap_id',
  );
  const unreadable = await database.rows(MinuteRow, UNREADABLE);
  const perMinute = new Map<number, number>();
  for (const { at } of service.requests)
    perMinute.set(Math.floor(at / MINUTE), (perMinute.get(Math.floor(at / MINUTE)) ?? 0) + 1);
  const ages = service.requests.map(({ at, before, age }) => age ?? at + service.skewMs - (before ?? at));
  return {
    planted: story.events.flatMap((event) => plantedIn(event, played)),
    recorded: recorded.map((row) => ({
      jobId: STEP.exec(row.job_id)?.[0] ?? `${row.event_key} ${row.job_id}`,
      recordedAt: row.recorded_at.getTime(),
      groupKey: row.group_key,
    })),
    notSeen: {
      givenUp: givenUp.map((row) => ({ from: row.begins_at.getTime(), to: row.ends_at.getTime() })),
      posted: postedGaps.flatMap(({ id, begins_at, ends_at }) =>
        played.slack.messages
          .filter(({ deliveryId }) => deliveryId === id)
          .map(({ at }) => ({ from: begins_at.getTime(), to: ends_at?.getTime() ?? story.end, at })),
      ),
      unreadableMinutes: unreadable.map(({ minute }) => minute.getTime()),
      unreadable: unreadable.reduce((sum, one) => sum + one.unreadable, 0),
      mostUnreadable: story.events.filter((event) => mayBeUnreadable(event, played)).length,
    },
    groups: await groupsIn(played, database),
    posts: await postsIn(played, database),
    mutes: await mutesIn(played, database),
    showings: story.events.filter(isSwept).map((event) => showingsOf(event, service)),
    heartbeats: heartbeats.map(({ at, outcome }) => ({ at, isSent: outcome !== 'withheld' })),
    stops: played.absences,
    requests: {
      all: service.requests.length,
      mostInAMinute: Math.max(0, ...perMinute.values()),
      oldestAge: Math.max(0, ...ages.filter((age) => !Number.isNaN(age))),
      impatient: FORGETS_LIMITS.some((name) => played.world.has(name)) ? 0 : service.impatient(),
    },
    promises: promisesOf(played),
    excuses: excusesOf(played),
  };
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

/** Returns a failure of the story in the account's terms; none if the event doesn't fail. */
function plantedIn(event: StoryEvent, played: Played): PlantedFailure[] {
  const { world, story, service } = played;
  if (event.failsAt === null) return [];
  const visibleAt = Math.max(event.failsAt, event.listedAt, story.start);
  const age = event.failsAt - event.createdAt;
  const isLate = event.fate === 'bounced';
  const isFound =
    visibleAt < story.end - 45 * MINUTE &&
    !(service.absentOnce.has(event.index) && mayBeUnseen(event, played)) &&
    !isBeyondReach(event, reachOf(service.planMs, story), age) &&
    !(isLate && service.planMs !== null && !isReachedAlive(event.createdAt, visibleAt, service.planMs, played)) &&
    !(isLate && LATE_UNFOUND.some((name) => world.has(name))) &&
    !((isLate || event.fate === 'stuck') && !event.hasTimes) &&
    !(world.has('no-date') && age - service.skewMs > story.horizonMs) &&
    !(world.has('no-jobs-in-list') && wasShownTooLate(event, played)) &&
    !(service.moments.some((moment) => Math.abs(moment - event.createdAt - service.skewMs) <= 2 * SECOND) && isLate);
  return [
    {
      jobId: `job-${event.index}`,
      what: `the ${event.fate} event ${event.index}, created at ${clock(event.createdAt)}, failed at ${clock(event.failsAt)},`,
      createdAt: event.createdAt + service.skewMs,
      visibleAt: Math.max(visibleAt, askedForFrom(event, played)),
      promise: isFound
        ? isLate || world.has('no-jobs-in-list') || BY_PASS.includes(event.fate)
          ? 'late'
          : 'fresh'
        : 'free',
      mayBeUnreadable: mayBeUnreadable(event, played),
      isUnreadable: isUnreadable(event),
    },
  ];
}

/** Where the list has no steps, what isn't asked for by its ID in time counts as unreadable. */
function mayBeUnreadable(event: StoryEvent, { world }: Played): boolean {
  return event.poison !== null || isOdd(event) || world.has('no-jobs-in-list');
}

/**
 * Returns from when an event is asked for: Notif asks for the time up to now. If answers have no Date, that's by its own clock, so it asks
 * for what a clock ahead of it dates into the future when that time has come.
 */
function askedForFrom({ createdAt }: StoryEvent, { world, service: { skewMs } }: Played): number {
  if (!world.has('no-date') || skewMs <= 0) return createdAt;
  return createdAt + skewMs + (world.has('replica-clocks') ? MOST_AHEAD_MS : 0);
}

/**
 * Returns whether an answer had the steps of an event after it failed. If the list never has them, an event stays unsettled until it is
 * retrieved by its ID: one that can't be, or not before the horizon, is given up. One that was
 * retrieved must be recorded.
 */
function wasShownFailed({ index, failsAt }: StoryEvent, { stepsShownAt }: DifficultService): boolean {
  return failsAt !== null && (stepsShownAt.get(index) ?? []).some((at) => at >= failsAt);
}

/**
 * Returns whether the list first had an event when it was beyond the horizon: its steps, which only its ID gives, aren't asked for then.
 * Answers without a Date don't tell how far the service's clock is behind, so an event looks older by that.
 */
function wasShownTooLate(
  { index, createdAt }: StoryEvent,
  { world, story: { horizonMs }, service: { shownAt, skewMs }, deaths }: Played,
): boolean {
  const horizonAt = createdAt + horizonMs + (world.has('no-date') ? Math.min(0, skewMs) : 0);
  // A process that ends may not have recorded what it was shown just before.
  const isLost = (at: number) => deaths.some((death) => death >= at && death <= at + MINUTE);
  return (shownAt.get(index) ?? []).every((at) => at >= horizonAt || isLost(at));
}

/** Found by a pass over the past: the poll that sees them first sees no failure. So does each poll of a list without steps. */
const BY_PASS: readonly Fate[] = ['late-step', 'stuck'];

/** A process that ends may lose the only answer that had an event, and the next answer leaves it out. */
const MAY_LOSE_ANSWERS: readonly Switch[] = ['kills', 'not-running'];

/**
 * Returns whether one answer that left out an event may have been the only one that could show it in time: one to a process that ended, or
 * the one that a service that was away until the horizon still gave.
 */
function mayBeUnseen(event: StoryEvent, played: Played): boolean {
  const { world, service } = played;
  if (MAY_LOSE_ANSWERS.some((name) => world.has(name))) return true;
  if (!world.has('service-away')) return false;
  return event.fate === 'bounced' ? !wasShownFailed(event, service) : wasShownTooLate(event, played);
}

/** Polls that are rare after the story come too late for a plan that keeps little. */
function reachOf(planMs: number | null, { horizonMs }: Story): number | null {
  return planMs === null || horizonMs > 30 * MINUTE ? planMs : planMs - TAIL_POLL_MS;
}

/** Returns whether a failure comes at an age that the plan doesn't keep, so that it can't be found. */
function isBeyondReach({ fate }: StoryEvent, reachMs: number | null, age: number): boolean {
  if (reachMs === null) return false;
  return fate === 'bounced' ? age * 6.5 > reachMs : age * 2 > reachMs;
}

/**
 * Returns whether a process lived through a poll at which a late failure must have been looked for, while the plan still kept its event. If
 * each of these polls was cut off, nobody could find it.
 */
function isReachedAlive(
  createdAt: number,
  visibleAt: number,
  planMs: number,
  { polls, absences, deaths }: Pick<Played, 'polls' | 'absences' | 'deaths'>,
): boolean {
  const dueBy = visibleAt + promisedDelay(visibleAt - createdAt);
  const reaching = polls.filter((at) => at >= dueBy && at < createdAt + planMs - MINUTE);
  return reaching.some(
    (at) =>
      !absences.some(({ from, to }) => at >= from - MINUTE && at <= to) &&
      !deaths.some((death) => death >= at - MOST_SECONDS_DEAD * SECOND && death <= at + MINUTE),
  );
}

function isOdd({ oddUntil, oddFrom }: StoryEvent): boolean {
  return oddUntil > 0 || Number.isFinite(oddFrom);
}

async function groupsIn({ story }: Played, database: Database): Promise<GroupInWatch[]> {
  const rows = await database.rows(GroupRow, GROUPS);
  return rows.map((row) => ({
    watch: row.watch,
    groupKey: row.key,
    words: `${row.workflow?.slice(0, 40)} · ${row.channel} · ${row.cause_text}`,
    isWanted: story.watches.some((watch) => watch.channel === row.watch && wants(watch, row)),
    recorded: row.recorded,
    notYetDue: row.not_yet_due,
    announced: row.announced,
  }));
}

function wants({ channels, workflows }: StoryWatch, group: { channel: string; workflow: string | null }): boolean {
  return (
    (channels.length === 0 || channels.includes(group.channel)) &&
    (workflows.length === 0 || workflows.includes(group.workflow ?? ''))
  );
}

const GROUPS = `
  SELECT w.channel AS watch, g.key, g.workflow, g.channel, g.cause_text,
    (SELECT count(*) FROM failures f WHERE f.group_key = g.key) AS recorded,
    (SELECT count(*) FROM failures f JOIN environments c ON c.environment = f.environment
      WHERE f.group_key = g.key AND c.news > c.announced_news AND f.recorded_at > c.announced_at) AS not_yet_due,
    (SELECT coalesce(sum(part.failures), 0) FROM episode_parts part WHERE part.group_key = g.key AND part.episode_id IN (
      SELECT a.episode_id FROM announcements a JOIN messages d ON d.id = a.message_id
      WHERE d.watch_id = w.id AND d.state IN ('posted', 'gone'))) AS announced
  FROM groups g CROSS JOIN watches w WHERE g.announcement = 'announced' ORDER BY w.channel, g.key`;

const NoticeRow = z.object({ id: z.string() });

/** With these switches, a message can be one that can't be edited. */
const UNEDITABLE: readonly Switch[] = ['edits-refused', 'edit-blocks-refused', 'blocks-refused', 'messages-deleted'];

/** Notif may not learn that a message was posted. */
const MAY_LOSE_POSTS: readonly Switch[] = ['posts-late', 'answers-lost', 'kills', 'not-running'];

/** The groups of each digest's incidents, and whether an incident had relapsed or become critical since the watch's alert before. */
const ANNOUNCED = `
  SELECT a.message_id, g.key, g.workflow, g.channel,
    a.reason IN ('relapsed', 'critical') OR a.announced_relapses > before.announced_relapses
      OR a.announced_critical AND NOT before.announced_critical AS is_urgent
  FROM announcements a
  LEFT JOIN LATERAL (
    SELECT earlier.announced_relapses, earlier.announced_critical FROM announcements earlier
    WHERE earlier.watch_id = a.watch_id AND earlier.episode_id = a.episode_id AND earlier.announced_at < a.announced_at
    ORDER BY earlier.announced_at DESC LIMIT 1
  ) before ON true
  JOIN episode_parts part ON part.episode_id = a.episode_id JOIN groups g ON g.key = part.group_key`;

async function postsIn({ slack, world, story }: Played, database: Database): Promise<Post[]> {
  const groups = new Map<string, z.output<typeof AnnouncedRow>[]>();
  for (const row of await database.rows(AnnouncedRow, ANNOUNCED)) {
    groups.set(row.message_id, [...(groups.get(row.message_id) ?? []), row]);
  }
  const shownIn = (deliveryId: string, channel: string) => {
    const all = groups.get(deliveryId) ?? [];
    const wanted = all.filter((group) =>
      story.watches.some((watch) => watch.channel === channel && wants(watch, group)),
    );
    return wanted.length === 0 ? all : wanted;
  };
  const notices = await database.rows(NoticeRow, "SELECT id FROM messages WHERE kind = 'gap'");
  const mayEndAnew = UNEDITABLE.some((name) => world.has(name)) ? new Set(notices.map(({ id }) => id)) : new Set();
  const mayBeUnknown = MAY_LOSE_POSTS.some((name) => world.has(name));
  return slack.messages.map(({ deliveryId, channel, at, isMarked, deletedAt }) => ({
    standsUntil: (mayBeUnknown ? deletedAt : null) ?? Number.POSITIVE_INFINITY,
    ...{ deliveryId, watch: channel, at, isMarked, mayStand: mayEndAnew.has(deliveryId) ? 2 : 1 },
    groupKeys: shownIn(deliveryId, channel).map(({ key }) => key),
    urgent: new Set(
      shownIn(deliveryId, channel)
        .filter(({ is_urgent }) => is_urgent)
        .map(({ key }) => key),
    ),
  }));
}

const MutedRow = z.object({
  announced: z.coerce.number(),
  missed: z.coerce.number(),
  withheld_at_least: z.coerce.number(),
  withheld_at_most: z.coerce.number(),
});

/** Of the incident of group $2, or of all if that is null. */
const COVERED = '($2::text IS NULL OR incident_key = (SELECT incident_key FROM groups WHERE key = $2))';

/**
 * The condition that the incident of group `g` is held at the end of the story because its last message came less than half an hour before
 * the last poll ($7): what a mute withheld of it may be reported after the story.
 */
const WAITS_FOR_ITS_TURN = `EXISTS (
  SELECT FROM held_back h JOIN episodes e ON e.id = h.episode_id
  JOIN announcements a ON a.episode_id = e.id JOIN messages d ON d.id = a.message_id
  WHERE h.watch_id = $1 AND d.watch_id = $1 AND d.posted_at > $7 AND e.incident_key = g.incident_key)`;

/** Failures that the mute withheld, if it lasted from one parameter to the other and its first were dated this many milliseconds after that. */
const withheldIn = (from: string, to: string, ms: string, isCertain: string) => `(
  SELECT count(*) FROM failures f JOIN groups g ON g.key = f.group_key JOIN environments c ON c.environment = f.environment
  WHERE g.announcement = 'announced' AND ${COVERED} AND f.occurred_at >= ${from}::timestamptz + (${ms}) * interval '1 millisecond'
    AND f.recorded_at >= ${from} AND f.recorded_at < ${to} AND ${isCertain})`;

/** How far what the service dates is ahead, as Notif last measured it; and by how much ($8) two such measurements differ at most. */
const DATED_AHEAD_MS = 'least(0, coalesce(c.clock_ahead_ms, 0))';
const CLOCK_BLUR_MS = `CASE WHEN ${DATED_AHEAD_MS} = 0 THEN 0 ELSE $8::integer END`;

const MUTED = `
  WITH written AS (
    SELECT a.announced_at, a.missed FROM announcements a JOIN messages d ON d.id = a.message_id
    JOIN episodes e ON e.id = a.episode_id WHERE d.watch_id = $1 AND ${COVERED}
  )
  SELECT (SELECT count(*) FROM written WHERE announced_at >= $5 AND announced_at < $6) AS announced,
    (SELECT coalesce(sum(missed), 0) FROM written) AS missed,
    ${withheldIn('$5', '$6', `${DATED_AHEAD_MS} + ${CLOCK_BLUR_MS}`, `NOT ${WAITS_FOR_ITS_TURN}`)} AS withheld_at_least,
    ${withheldIn('$3', '$4', `${DATED_AHEAD_MS} - ${CLOCK_BLUR_MS}`, 'true')} AS withheld_at_most`;

async function mutesIn({ mutes, world, polls }: Played, database: Database): Promise<MutedInWatch[]> {
  const apart = world.has('replica-clocks') ? CLOCKS_APART_MS : 0;
  // Each replica measures by its own clock.
  const blur = 2 * SECOND + 2 * apart;
  const rows = mutes.map(async ({ watchId, groupKey, from, to }) => {
    const times = [from - apart, to + apart, from + apart, to - apart, Math.max(...polls) - HALF_AN_HOUR].map(
      (time) => new Date(time),
    );
    const found = await database.rows(MutedRow, MUTED, [watchId, groupKey, ...times, blur]);
    const words = `the mute of ${groupKey === null ? 'a watch' : 'an incident'} from ${clock(from)} to ${clock(to)}`;
    return found.map(({ announced, missed, withheld_at_least: least, withheld_at_most: most }) => {
      const withheld = Math.max(least, Math.min(missed, most));
      return { words, announced, missed, withheld, mayRepeat: world.has('messages-deleted') };
    });
  });
  return (await Promise.all(rows)).flat();
}

const CLOCKS_APART_MS = 45 * SECOND;
const HALF_AN_HOUR = 30 * MINUTE;

const clock = (at: number) => new Date(at).toISOString().slice(11, 19);
