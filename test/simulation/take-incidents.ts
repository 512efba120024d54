import { z } from 'zod';
import { Count } from '../../src/store/db.ts';
import { isSilenced } from '../../src/watches/mutes.ts';
import { notifiesFor } from '../../src/watches/settings.ts';
import type { DifficultSlack } from './difficult-slack.ts';
import type { CountEvents, WantedSeqs } from './due.ts';
import type { IncidentInWatch, Post, Stretch } from './facts.ts';
import { type Played, TAIL_POLL_MS } from './play.ts';
import type { Sample } from './samples.ts';
import type { StoryEvent } from './story.ts';
import type { Switch } from './world.ts';

const MINUTE = 60_000;

export const RecordedRow = z.object({
  ...{ eventKey: z.string(), jobId: z.string(), recordedAt: z.date(), incidentId: Count },
  ...{ causeText: z.string(), causeKey: z.string(), verdictClass: z.string(), isRecipientFault: z.boolean() },
  verdict: z.string(),
});
export type RecordedRow = z.output<typeof RecordedRow>;
/** All recorded failures, also those that are only counted, and outages. */
export const RECORDED = `
  SELECT f.event_key, f.job_id, f.recorded_at, f.incident_id, i.cause_text, i.cause_key, i.announcement AS verdict_class, i.is_recipients AS is_recipient_fault, f.verdict
  FROM failures f JOIN incidents i ON i.id = f.incident_id
  UNION ALL SELECT '', 'outage ' || id, started_at, id, cause_text, cause_key, announcement, false, '' FROM incidents WHERE gap_id IS NOT NULL`;

/** Returns how each watch shows each incident in the end. */
export function incidentsIn(played: Played, last: Sample, wanted: WantedSeqs): IncidentInWatch[] {
  const isEdited = played.story.acts.some(({ does }) => does === 'edits');
  return last.incidents.flatMap((incident) => {
    const its = last.failures.filter(({ incidentId }) => incidentId === incident.id);
    const current = its.filter(({ seq }) => seq > incident.startedSeq);
    const people = new Set(current.flatMap(({ subscriberId }) => subscriberId ?? []));
    const isCountedRight = incident.failures === current.length && incident.subscribers === people.size;
    return last.watches.map((watch): IncidentInWatch => {
      const covered = its.filter(({ seq }) => wanted(watch.id).has(seq));
      const alerts = last.alerts.filter((alert) => alert.incidentId === incident.id && alert.watchId === watch.id);
      const live = alerts.at(-1);
      // A watch shows as recovering what only others' failures go on with.
      const showsState = incident.state === 'resolved' || covered.some(({ seq }) => seq > incident.startedSeq);
      const changed = [...(showsState ? [incident.stateAt] : []), ...covered.map(({ recordedAt }) => recordedAt)];
      const rows = last.alerts.filter(({ messageId }) => messageId === live?.messageId).length;
      const isDrawnAgain = live !== undefined && live.reason !== 'single' && rows <= DIGEST_ROWS;
      return {
        ...{ watch: watch.channel, words: `#${incident.id} (${incident.channel} · ${incident.causeText})` },
        isAlerted: alerts.length > 0,
        // The failures that the watch covered may have left the incident since.
        isWanted: covered.length > 0 || incident.recorded > its.length || isEdited,
        isCountedRight: incident.verdictClass !== 'announced' || isCountedRight,
        isUpToDate: !isDrawnAgain || isUpToDate(live.messageId, changed, played),
      };
    });
  });
}

const DIGEST_ROWS = 10;

/** Whether a message was posted or edited after these changes, if Slack lets it be edited and Notif delivered again by the end. */
export function isUpToDate(
  id: string,
  changedAt: readonly Date[],
  { slack, story, world, clockStepAt }: Played,
): boolean {
  const posts = slack.messages.filter(({ deliveryId }) => deliveryId === id);
  if (world.has('edits-refused') || clockStepAt !== null || posts.some(({ deletedAt }) => deletedAt !== null))
    return true;
  const edits = slack.edits.filter(({ deliveryId }) => deliveryId === id);
  const shown = [...posts.map(({ drawnAt }) => drawnAt), ...edits.map(({ at }) => at)];
  const due = changedAt.map((at) => at.getTime()).filter((at) => at < story.end - TAIL_POLL_MS - 2 * MINUTE);
  const blurMs = world.has('replica-clocks') ? MINUTE : 0;
  return posts.length === 0 || Math.max(0, ...shown) >= Math.max(0, ...due) - blurMs;
}

interface Posting {
  samples: readonly Sample[];
  pollMs: number;
  frozen?: Stretch | null;
  /** Whether watches were edited, so that one may notify for another only at times. */
  isEdited: boolean;
  mayBeLost: boolean;
}

type Shown = Omit<DifficultSlack['messages'][number], 'ts' | 'threadTs' | 'text' | 'missedAt'>;

export function postsIn(messages: readonly Shown[], { samples, pollMs, frozen, isEdited, mayBeLost }: Posting): Post[] {
  const last = samples.at(-1);
  return messages.map(({ deliveryId, channel, at, drawnAt, isMarked, deletedAt, isBroadcast, incidents }) => {
    const { watchId = null, kind = '' } = last?.messages.find(({ id }) => id === deliveryId) ?? {};
    // Alerts are taken as they were posted: a failure that moves to another incident takes its alert along.
    const alerts = samples.find((sample) => sample.at > at)?.alerts.filter((alert) => alert.messageId === deliveryId);
    // A process that thaws goes on with the post that it had begun.
    const askedAt = drawnAt === frozen?.to ? frozen.from : drawnAt;
    // The samples around the time at which the post was begun: a request under way can't be taken back.
    const near = samples.filter((sample, index) => {
      const [earlier, later] = [samples[index - 1]?.at ?? 0, samples[index + 1]?.at ?? Number.POSITIVE_INFINITY];
      return earlier < askedAt && later > askedAt && sample.at > askedAt - 3 * pollMs;
    });
    const wasSilenced = ({ watches, mutes, now, at: sampledAt }: Sample) => {
      const watch = watches.find(({ id }) => id === watchId);
      const time = new Date(now.getTime() + askedAt - sampledAt);
      const its = mutes.filter((mute) => mute.watchId === watchId && mute.from.getTime() < time.getTime() - 2 * MINUTE);
      return (
        watch !== undefined &&
        kind === 'digest' &&
        // A replica's clock may be ahead, and a post may take a while.
        [-2, 0, 1].every((minutes) => isSilenced(watch, its, new Date(time.getTime() + minutes * MINUTE)))
      );
    };
    const isFiring = ({ incidents: all }: Sample) =>
      all.some(({ id, state }) => incidents.includes(id) && state === 'firing');
    const watch = last?.watches.find(({ id }) => id === watchId);
    const notifiers = (last?.watches ?? []).filter(({ id, ...other }) =>
      isEdited ? id === watchId : watch && notifiesFor({ id, ...other }, watch),
    );
    return {
      ...{ deliveryId, watch: channel, at, askedAt, isMarked, isDeleted: deletedAt !== null },
      ...{ watchId, notifiers: notifiers.map(({ id }) => id) },
      standsUntil: (mayBeLost ? deletedAt : null) ?? Number.POSITIVE_INFINITY,
      isSilenced: near.length > 1 && near.every(wasSilenced),
      isFalseAllClear: isBroadcast && near.length > 1 && near.every(isFiring),
      alerts: alerts?.map(({ incidentId, reason, relapses }) => ({ incidentId, reason, relapses })) ?? [],
    };
  });
}

/** Returns the digests that waited to be posted, with the times. */
export function waitsIn({ samples }: Played): (Stretch & { watch: string; words: string })[] {
  const waits = new Map<string, Stretch & { watch: string; words: string }>();
  for (const { at, now, messages, watches, mutes, alerts } of samples)
    for (const { id, watchId, state, kind } of messages) {
      const watch = watches.find((each) => each.id === watchId);
      if (kind !== 'digest' || watch === undefined || watch.endedAt !== null || state === 'gone' || state === 'posted')
        continue;
      const incidentIds = alerts.flatMap(({ messageId, incidentId }) => (messageId === id ? [incidentId] : []));
      const its = mutes.filter((mute) => mute.watchId === watch.id);
      if (isSilenced(watch, its, now, incidentIds)) waits.delete(id);
      else waits.set(id, { from: at, ...waits.get(id), to: at, watch: watch.channel, words: `the message ${id}` });
    }
  return [...waits.values()];
}

/** Returns a function that counts the story's events; null where Notif can't count all of them. */
export function countEventsOf({ story, service, world }: Played): CountEvents {
  if (UNCOUNTABLE.some((name) => world.has(name))) return null;
  const shownAt = ({ createdAt }: StoryEvent) => createdAt + service.skewAt(createdAt);
  return (at, workflows) => {
    const minutes = new Map<number, number>();
    for (const event of story.events) {
      const minute = Math.floor(shownAt(event) / MINUTE) * MINUTE;
      if (event.listedAt <= at && workflows.has(event.workflow.identifier))
        minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
    }
    return minutes;
  };
}

const UNCOUNTABLE: readonly Switch[] = [
  ...(['no-times', 'no-jobs-in-list', 'absent-once', 'reordered-ties', 'poisonous-ids', 'unreadable-events'] as const),
  ...(['refused-moment', 'failing-moment', 'short-plan', 'service-away', 'not-running', 'endless-list'] as const),
  ...(['clock-steps', 'service-clock-steps', 'freezes', 'kills', 'late-listing', 'odd-at-first', 'no-date'] as const),
];
