import { z } from 'zod';
import { UNCHECKED_WINDOWS } from '../../src/health/reading-health.ts';
import { Count, type Db } from '../../src/store/db.ts';
import type { DifficultService } from './difficult-service.ts';
import type {
  CountedMinute,
  Facts,
  GapInWatch,
  IncidentInWatch,
  MutedInWatch,
  PlantedFailure,
  Post,
  Showings,
  Stretch,
  Telling,
} from './facts.ts';
import { MOST_AHEAD_MS, MOST_SECONDS_DEAD, type Played, TAIL_POLL_MS } from './play.ts';
import { LATE_UNFOUND, pauseBeforeRelapse, promisedDelay, promisesOf } from './promises.ts';
import { type Fate, isUnreadable, type Story, type StoryEvent, type StoryWatch } from './story.ts';
import { WORDS } from './wire-event.ts';
import type { Switch } from './world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const RecordedRow = z.object({
  ...{ eventKey: z.string(), jobId: z.string(), recordedAt: z.date(), incidentId: Count, seq: Count },
  ...{ workflow: z.string().nullable(), channel: z.string(), announcement: z.string(), isRecipients: z.boolean() },
});
type RecordedRow = z.output<typeof RecordedRow>;
/** Of what only counts, failures are recorded, and nobody is told. */
const RECORDED = `
  SELECT f.event_key, f.job_id, f.recorded_at, f.incident_id, f.seq, f.workflow, i.channel, i.announcement, i.is_recipients
  FROM failures f JOIN incidents i ON i.id = f.incident_id ORDER BY f.seq`;
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
    `SELECT u."from" AS begins_at, u."to" AS ends_at FROM gaps g CROSS JOIN LATERAL ${UNCHECKED_WINDOWS}
     WHERE u."nextTryAt" IS NULL OR g.closed_at IS NULL
       AND EXISTS (SELECT 1 FROM messages d WHERE d.kind = 'gap' AND d.subject = g.id AND d.state IN ('posted', 'gone'))`,
  );
  const postedGaps = await database.rows(
    PostedGapRow,
    "SELECT d.id, g.begins_at, g.ends_at FROM messages d JOIN gaps g ON d.kind = 'gap' AND g.id = d.subject",
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
    heartbeats: heartbeats.map(({ at, outcome }) => ({ at, isSent: outcome !== 'withheld' })),
    stops: played.absences,
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

/** Returns a failure of the story in the account's terms; none if the event doesn't fail. */
function plantedIn(event: StoryEvent, played: Played): PlantedFailure[] {
  const { world, story, service } = played;
  if (event.failsAt === null) return [];
  const visibleAt = Math.max(event.failsAt, event.listedAt, story.start);
  const age = event.failsAt - event.createdAt;
  const isLate = event.fate === 'bounced';
  const isFound =
    visibleAt < story.end - 45 * MINUTE &&
    visibleAt - event.createdAt + awayAfter(visibleAt, played) + 2 * story.pollMs < 2 * story.horizonMs &&
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

/** For how long Notif or the service is away after a time: by then something may be older than twice the horizon. */
function awayAfter(at: number, { absences, service }: Played): number {
  return [...absences, ...service.absences].reduce(
    (sum, { from, to }) => sum + Math.max(0, to - Math.max(from, at)),
    0,
  );
}

/** Where the list has no steps, what isn't asked for by its ID in time counts as unreadable. */
function mayBeUnreadable(event: StoryEvent, { world }: Played): boolean {
  return event.poison !== null || isOdd(event) || world.has('no-jobs-in-list');
}

/** Notif asks for the time up to now: without a Date in answers by its own clock, so what is dated into the future when that has come. */
function askedForFrom({ createdAt }: StoryEvent, { world, service: { skewMs } }: Played): number {
  if (!world.has('no-date') || skewMs <= 0) return createdAt;
  return createdAt + skewMs + (world.has('replica-clocks') ? MOST_AHEAD_MS : 0);
}

/** Whether an answer had the steps of an event after it failed. */
function wasShownFailed({ index, failsAt }: StoryEvent, { stepsShownAt }: DifficultService): boolean {
  return failsAt !== null && (stepsShownAt.get(index) ?? []).some((at) => at >= failsAt);
}

/** Whether the list first had an event beyond the horizon: its steps, which only its ID gives, aren't asked for then. */
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

/** Whether the one answer that left out an event may have been the only one that could show it in time. */
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

/** Whether a process lived through a poll at which a late failure must have been looked for, while the plan still kept its event. */
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

const IncidentRow = z.object({
  ...{ id: Count, channel: z.string(), causeText: z.string(), isRecipients: z.boolean(), startedSeq: Count },
  ...{ subscribers: Count, relapses: z.number(), isCountedRight: z.boolean() },
  ...{ announcedAt: z.date().nullable(), hasNews: z.boolean(), stateAt: z.date() },
});
type IncidentRow = z.output<typeof IncidentRow>;

const INCIDENTS = `
  SELECT i.*, c.announced_at, c.news > c.announced_news AS has_news,
    i.recorded > 0 AND i.recorded >= (SELECT count(*) FROM failures f WHERE f.incident_id = i.id)
    AND (i.failures, i.events, i.subscribers) = (
      SELECT count(*), count(DISTINCT event_key), count(DISTINCT subscriber_id)
      FROM failures f WHERE f.incident_id = i.id AND f.seq > i.started_seq)
    AND i.failures = (SELECT coalesce(sum(failures), 0) FROM incident_workflows w WHERE w.incident_id = i.id) AS is_counted_right
  FROM incidents i JOIN environments c ON c.environment = i.environment WHERE i.announcement = 'announced' ORDER BY i.id`;

const AlertRow = z.object({
  ...{ messageId: z.string(), watch: z.string(), incidentId: Count, reason: z.string(), at: z.date() },
  ...{ writtenAt: z.date(), matched: Count, relapses: z.number(), critical: z.boolean(), isPosted: z.boolean() },
});
type AlertRow = z.output<typeof AlertRow>;

const ALERTS = `
  SELECT a.*, w.channel AS watch, LEAST(a.at, m.created_at) AS written_at, m.state IN ('posted', 'gone') AS is_posted
  FROM alerts a JOIN messages m ON m.id = a.message_id JOIN watches w ON w.id = a.watch_id ORDER BY a.at`;

async function incidentsIn(
  played: Played,
  database: Db,
  recorded: readonly RecordedRow[],
  alerts: readonly AlertRow[],
): Promise<IncidentInWatch[]> {
  const rows = await database.rows(IncidentRow, INCIDENTS);
  return played.story.watches.flatMap((watch) =>
    rows.map((incident) => {
      const all = recorded.filter((failure) => failure.incidentId === incident.id);
      const wanted = all.filter((failure) => wants(watch, failure));
      const told = alerts.filter((alert) => alert.watch === watch.channel);
      return incidentIn(watch.channel, incident, all, wanted, told, played);
    }),
  );
}

/** Slack can keep a message from being posted soon. */
const POSTS_DELAYED: readonly Switch[] = ['posts-lost', 'posts-limited', 'slack-away'];

/** The trouble of fewer people than these is theirs alone. */
const FEWEST_PEOPLE = 3;
const GATHERED_MS = 15 * MINUTE;
const DIGEST_ROWS = 10;

function incidentIn(
  watch: string,
  incident: IncidentRow,
  all: readonly RecordedRow[],
  wanted: readonly RecordedRow[],
  told: readonly AlertRow[],
  played: Played,
): IncidentInWatch {
  const { world, slack } = played;
  const [first] = wanted.length === 0 ? all : wanted;
  const announcedAt = incident.announcedAt?.getTime() ?? 0;
  const toleranceMs = world.has('replica-clocks') ? 2 * MOST_AHEAD_MS : 0;
  const missedAt = (alert: AlertRow) =>
    slack.messages.find(({ deliveryId }) => deliveryId === alert.messageId)?.missedAt ?? Number.POSITIVE_INFINITY;
  const isSoonAfter = (alert: AlertRow | undefined, ms: number) =>
    alert !== undefined && announcedAt - alert.at.getTime() < ms + toleranceMs;
  const isSingle = incident.isRecipients && incident.subscribers < FEWEST_PEOPLE;
  const its = told.filter((alert) => alert.incidentId === incident.id);
  const posted = its.filter(
    (alert) => alert.isPosted && (isSingle || !incident.isRecipients || alert.reason !== 'single'),
  );
  const firstPost = slack.messages.find(({ deliveryId }) => its.some(({ messageId }) => messageId === deliveryId));
  const isCurrent = ({ seq }: RecordedRow) => seq > incident.startedSeq;
  const isDue = (failure: RecordedRow) => {
    if (incident.hasNews && failure.recordedAt.getTime() > announcedAt) return false;
    if (isSingle && its.length === 0) return !isSoonAfter(told.at(-1), GATHERED_MS);
    if (its.some((alert) => missedAt(alert) < Number.POSITIVE_INFINITY) && isSoonAfter(its.at(-1), HALF_AN_HOUR))
      return false;
    return (
      incident.relapses < 2 || !isCurrent(failure) || !isSoonAfter(its.at(-1), pauseBeforeRelapse(incident.relapses))
    );
  };
  // What failed after Notif learned that its message was deleted is told again.
  const isTold = (failure: RecordedRow) =>
    posted.some(
      (alert) =>
        (!isCurrent(failure) || alert.relapses === incident.relapses) &&
        (isSingle || failure.recordedAt.getTime() < missedAt(alert) + MINUTE),
    );
  const live = its.at(-1);
  const rows = told.filter(({ messageId }) => messageId === live?.messageId).length;
  const changedAt = [incident.stateAt, ...wanted.map((failure) => failure.recordedAt)];
  const isDrawnAgain = live?.reason !== 'single' && rows <= DIGEST_ROWS;
  return {
    ...{ watch, incidentId: incident.id, isWanted: wanted.length > 0, isRecipients: incident.isRecipients },
    words: `#${incident.id} (${first?.workflow?.slice(0, 40)} · ${incident.channel} · ${incident.causeText})`,
    isCountedRight: incident.isCountedRight,
    recorded: wanted.length,
    notYetDue: wanted.filter((failure) => !isDue(failure) && !isTold(failure)).length,
    told: wanted.filter(isTold).length,
    firstRecordedAt: first?.recordedAt.getTime() ?? 0,
    isUpToDate: !isDrawnAgain || isUpToDate(live?.messageId ?? '', changedAt, played),
    firstToldAt: (POSTS_DELAYED.some((name) => world.has(name)) ? its[0]?.writtenAt.getTime() : firstPost?.at) ?? null,
  };
}

/** Whether a message was posted or edited after what changed, if Slack lets it be edited and Notif delivered again by the end. */
function isUpToDate(id: string, changedAt: readonly Date[], { slack, story, world }: Played): boolean {
  const posts = slack.messages.filter(({ deliveryId }) => deliveryId === id);
  if (world.has('edits-refused') || posts.some(({ deletedAt }) => deletedAt !== null)) return true;
  const shown = [...posts, ...slack.edits.filter(({ deliveryId }) => deliveryId === id)].map(({ at }) => at);
  const due = changedAt.map((at) => at.getTime()).filter((at) => at < story.end - TAIL_POLL_MS - 2 * MINUTE);
  return Math.max(0, ...shown) >= Math.max(0, ...due) - MINUTE;
}

function wants({ channels, workflows }: StoryWatch, failure: Pick<RecordedRow, 'channel' | 'workflow'>): boolean {
  return (
    (channels.length === 0 || channels.includes(failure.channel)) &&
    (workflows.length === 0 || workflows.includes(failure.workflow ?? ''))
  );
}

const GapRow = z.object({
  ...{ watch: z.string(), beginsAt: z.date(), longestMs: Count, isGivenUp: z.boolean() },
  ...{ closedAt: z.date().nullable(), messageId: z.string().nullable() },
});

/** What was opened after announcing ran last isn't due; nor is what had not lasted long enough then. */
const GAPS = `
  SELECT w.channel AS watch, g.begins_at, g.closed_at, m.id AS message_id, g.unchecked @? '$[*] ? (@.nextTryAt == null)' AS is_given_up,
    round(1000 * extract(epoch FROM greatest(LEAST(g.ends_at, c.announced_at) - g.begins_at, LEAST(g.closed_at, c.announced_at) - g.opened_at)))
      AS longest_ms
  FROM gaps g JOIN environments c ON c.environment = g.environment CROSS JOIN watches w
  LEFT JOIN messages m ON m.kind = 'gap' AND m.subject = g.id AND m.watch_id = w.id WHERE g.opened_at < c.announced_at`;

async function gapsIn(played: Played, database: Db): Promise<GapInWatch[]> {
  const rows = await database.rows(GapRow, GAPS);
  return rows.map(({ watch, beginsAt, longestMs, isGivenUp, closedAt, messageId }) => ({
    ...{ watch, words: `the gap from ${clock(beginsAt.getTime())}`, longestMs, isGivenUp },
    isPosted: played.slack.messages.some(({ deliveryId }) => deliveryId === messageId),
    isUpToDate: isUpToDate(messageId ?? '', closedAt === null ? [] : [closedAt], played),
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
  WITH written AS (SELECT a.at, a.missed FROM alerts a JOIN incidents i ON i.id = a.incident_id WHERE a.watch_id = $1 AND ${COVERED})
  SELECT (SELECT count(*) FROM written WHERE at >= $5 AND at < $6) AS announced,
    (SELECT coalesce(sum(missed), 0) FROM written) AS missed,
    ${withheldIn('$5', '$6', `NOT ${IS_TOLD_ONCE} AND NOT ${WAITS_FOR_ITS_TURN}`)} AS withheld_at_least,
    ${withheldIn('$3', '$4', 'true')} AS withheld_at_most`;

async function mutesIn({ mutes, world, polls, story }: Played, database: Db): Promise<MutedInWatch[]> {
  const apart = world.has('replica-clocks') ? CLOCKS_APART_MS : 0;
  const rows = mutes.map(async ({ watchId, incidentKey, from, to }) => {
    const times = [from - apart, to + apart, from + apart, to - apart, Math.max(...polls) - HALF_AN_HOUR].map(
      (time) => new Date(time),
    );
    const found = await database.rows(MutedRow, MUTED, [watchId, incidentKey, ...times]);
    const words = `the mute of ${incidentKey === null ? 'a watch' : 'an incident'} from ${clock(from)} to ${clock(to)}`;
    return found.map(({ announced, missed, withheldAtLeast: least, withheldAtMost: most }) => {
      const withheld = Math.max(least, Math.min(missed, most));
      const watch = story.watches[0]?.channel ?? '';
      return { words, watch, from, to, announced, missed, withheld, mayRepeat: world.has('messages-deleted') };
    });
  });
  return (await Promise.all(rows)).flat();
}

const CLOCKS_APART_MS = 45 * SECOND;
const HALF_AN_HOUR = 30 * MINUTE;

const clock = (at: number) => new Date(at).toISOString().slice(11, 19);
