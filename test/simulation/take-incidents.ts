import { z } from 'zod';
import { Count, type Db } from '../../src/store/db.ts';
import type { IncidentInWatch } from './facts.ts';
import { MOST_AHEAD_MS, type Played, TAIL_POLL_MS } from './play.ts';
import { pauseBeforeRelapse } from './promises.ts';
import type { StoryWatch } from './story.ts';
import type { Switch } from './world.ts';

const MINUTE = 60_000;
const HALF_AN_HOUR = 30 * MINUTE;

export const RecordedRow = z.object({
  ...{ eventKey: z.string(), jobId: z.string(), recordedAt: z.date(), incidentId: Count, seq: Count },
  ...{ workflow: z.string().nullable(), channel: z.string(), announcement: z.string(), isRecipients: z.boolean() },
});
export type RecordedRow = z.output<typeof RecordedRow>;
/** Of what only counts, failures are recorded, and nobody is told. */
export const RECORDED = `
  SELECT f.event_key, f.job_id, f.recorded_at, f.incident_id, f.seq, f.workflow, i.channel, i.announcement, i.is_recipients
  FROM failures f JOIN incidents i ON i.id = f.incident_id ORDER BY f.seq`;

const IncidentRow = z.object({
  ...{ id: Count, channel: z.string(), causeText: z.string(), isRecipients: z.boolean(), startedSeq: Count },
  ...{ subscribers: Count, relapses: z.number(), isCountedRight: z.boolean() },
  ...{ announcedAt: z.date().nullable(), hasNews: z.boolean(), stateAt: z.date() },
});
type IncidentRow = z.output<typeof IncidentRow>;

const INCIDENTS = `
  SELECT i.*, c.announced_at, c.news > c.announced_news AS has_news,
    i.recorded > 0 AND i.recorded >= (SELECT count(*) FROM failures f WHERE f.incident_id = i.id)
    AND (i.failures, i.subscribers) = (
      SELECT count(*), count(DISTINCT subscriber_id)
      FROM failures f WHERE f.incident_id = i.id AND f.seq > i.started_seq)
    AND i.failures = (SELECT coalesce(sum(failures), 0) FROM incident_workflows w WHERE w.incident_id = i.id) AS is_counted_right
  FROM incidents i JOIN environments c ON c.environment = i.environment WHERE i.announcement = 'announced' AND i.gap_id IS NULL ORDER BY i.id`;

export const AlertRow = z.object({
  ...{ messageId: z.string(), watch: z.string(), incidentId: Count, reason: z.string(), at: z.date() },
  ...{ writtenAt: z.date(), matched: Count, relapses: z.number(), critical: z.boolean(), isPosted: z.boolean() },
});
export type AlertRow = z.output<typeof AlertRow>;

export const ALERTS = `
  SELECT a.*, w.channel AS watch, LEAST(a.at, m.created_at) AS written_at, m.state IN ('posted', 'gone') AS is_posted
  FROM alerts a JOIN messages m ON m.id = a.message_id JOIN watches w ON w.id = a.watch_id ORDER BY a.at`;

export async function incidentsIn(
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
export function isUpToDate(id: string, changedAt: readonly Date[], { slack, story, world }: Played): boolean {
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
