import type { Group } from '../failures/failure.ts';
import { HOUR_MS, MINUTE_MS } from '../time/durations.ts';
import type { TimeRange } from '../time/time-range.ts';
import { quietTimeAt } from '../time/wall-clock.ts';
import type { Watch, WatchSettings } from '../watches/watch.ts';
import { SAME_INCIDENT_MS, URGENT_EVERY_MS } from './alert-decision.ts';
import type { RowReason } from './delivery.ts';
import { type PlannedDigest, planDigest } from './digest.ts';
import { EpisodeCourse, type PastEpisode } from './past-episode.ts';

/** What a watch would have done with what is stored for a time range. */
export interface Preview {
  readonly range: TimeRange;
  /** Its messages, the oldest first. */
  readonly messages: readonly PreviewedMessage[];
  /** The incidents that it covers and that stayed below its threshold. */
  readonly below: readonly PreviewedIncident[];
}

export interface PreviewedMessage {
  readonly at: Date;
  /** In the order of a digest's rows. */
  readonly incidents: readonly (PreviewedIncident & { readonly reason: RowReason })[];
}

/** An incident's episode, by its largest group, with all failures that the watch covers. */
export interface PreviewedIncident {
  readonly episodeId: number;
  readonly group: Group;
  readonly failures: number;
}

/**
 * Replays what a watch with these settings would have posted about one environment in a time range: alerts as `planDigest` decides them
 * after each poll, by filter, threshold, minimum interval and quiet hours. `episodes` are those with a failure in that range, complete.
 *
 * Not replayed: mutes, deleted messages and Slack's pauses, nor gap notices and daily summaries. Polls within one minute count as one, and
 * each message is posted at once. With a rate, a minute's events count whole.
 *
 * A hundred thousand failures take some tenths of a second; each `pause` yields the process to others (`setImmediate` from
 * `node:timers/promises`).
 */
export async function previewOf(
  settings: WatchSettings,
  episodes: readonly PastEpisode[],
  range: TimeRange,
  pause: () => Promise<unknown>,
): Promise<Preview> {
  const replay = new Replay(settings, episodes);
  const messages = await replay.messages(range.to, pause);
  return {
    range,
    messages: messages.filter(({ at }) => at >= range.from),
    below: settings.threshold === null ? [] : replay.below().map(incidentOf),
  };
}

/** Joins the previews of several environments, for each of which a watch decides separately. */
export function joinedPreviews(range: TimeRange, previews: readonly Preview[]): Preview {
  const messages = previews.flatMap((one) => one.messages).toSorted((a, b) => a.at.getTime() - b.at.getTime());
  return { range, messages, below: previews.flatMap(({ below }) => below) };
}

/** Returns the most messages in any hour that begins with one of them. */
export function mostInAnHour({ messages }: Preview): number {
  const times = messages.map(({ at }) => at.getTime());
  const within = times.map((from, index) => times.slice(index).findIndex((at) => at >= from + HOUR_MS));
  return Math.max(0, ...within.map((count, index) => (count === -1 ? times.length - index : count)));
}

/** Replays a watch from poll to poll. */
class Replay {
  readonly #watch: Watch;
  readonly #courses: ReadonlyMap<number, EpisodeCourse>;
  readonly #turns = new Map<string, Date[]>();
  /** Held episodes, with the reason for each alert. */
  readonly #held = new Map<EpisodeCourse, RowReason>();
  #lastAlertAt: Date | null = null;
  #now = new Date(0);

  constructor(settings: WatchSettings, episodes: readonly PastEpisode[]) {
    this.#watch = { id: '', channel: '', number: 1, createdAt: new Date(0), createdBy: null, settings };
    this.#courses = coursesOf(settings, episodes);
  }

  /** Returns all messages up to a time, in order. */
  async messages(to: Date, pause: () => Promise<unknown>): Promise<PreviewedMessage[]> {
    let polls = 0;
    const messages: PreviewedMessage[] = [];
    const end = to.getTime();
    const look = (now: number, recorded: readonly EpisodeCourse[]) => messages.push(...this.#look(now, recorded));
    for (const [at, courses] of pollsOf([...this.#courses.values()])) {
      if (at > end) break;
      for (let due = this.#dueAt(); due < at; due = this.#dueAt()) look(due, []);
      look(
        at,
        [...courses].filter((course) => course.record(at) || this.#held.has(course)),
      );
      polls += 1;
      if (polls % POLLS_A_TURN === 0) await pause();
    }
    for (let due = this.#dueAt(); due <= end; due = this.#dueAt()) look(due, []);
    return messages;
  }

  below(): EpisodeCourse[] {
    const isBelow = (course: EpisodeCourse) => course.isWanted && course.lastAlert === null && !this.#held.has(course);
    return [...this.#courses.values()].filter(isBelow);
  }

  /** Decides about what was recorded and, of what is held, about what is due or has a new reason. */
  #look(at: number, recorded: readonly EpisodeCourse[]): PreviewedMessage[] {
    const isDue = at >= this.#dueAt();
    const now = new Date(at);
    this.#now = now;
    const news = new Map<EpisodeCourse, RowReason>();
    for (const course of new Set([...(isDue ? this.#held.keys() : []), ...recorded])) {
      const reason = course.reasonAt(now);
      if (!isDue && this.#held.get(course) === reason) continue;
      this.#held.delete(course);
      if (reason !== null) news.set(course, reason);
    }
    if (news.size === 0) return [];
    const candidates = [...news.keys()].map((course) => course.candidate(this.#turnsOf(course), now));
    const plan = planDigest({ watch: this.#watch, candidates, lastAlertAt: this.#lastAlertAt, mute: null }, now);
    const held = new Set(plan.held.map(({ episodeId }) => episodeId));
    for (const [course, reason] of news) if (held.has(course.episode.episodeId)) this.#held.set(course, reason);
    return plan.message === null ? [] : [this.#post(plan.message, now)];
  }

  #post({ rows }: PlannedDigest, at: Date): PreviewedMessage {
    this.#lastAlertAt = at;
    const incidents = rows.flatMap(({ episodeId, failures, relapses, critical, reason }) => {
      const course = this.#courses.get(episodeId);
      if (course === undefined) return [];
      course.lastAlert = { failures, relapses, wasCritical: critical, isGone: false };
      this.#turns.set(course.episode.incidentKey, [...this.#turnsOf(course), at]);
      return [{ ...incidentOf(course), reason }];
    });
    return { at, incidents };
  }

  #turnsOf({ episode }: EpisodeCourse): readonly Date[] {
    return this.#turns.get(episode.incidentKey) ?? [];
  }

  /** Returns the next time at which something held may be released, in milliseconds since 1970; infinity: never. */
  #dueAt(): number {
    const { everyMs, quiet, timeZone } = this.#watch.settings;
    if (this.#held.size === 0) return Number.POSITIVE_INFINITY;
    const quietTime = quietTimeAt(quiet, timeZone, this.#now);
    if (quietTime !== null) return quietTime.to.getTime();
    const pacedTo = this.#lastAlertAt === null ? 0 : this.#lastAlertAt.getTime() + everyMs;
    if (pacedTo > this.#now.getTime()) return pacedTo;
    let due = Number.POSITIVE_INFINITY;
    for (const course of this.#held.keys()) {
      for (const turn of this.#turnsOf(course)) {
        for (const paced of [URGENT_EVERY_MS, SAME_INCIDENT_MS]) {
          const end = turn.getTime() + paced;
          if (end > this.#now.getTime()) due = Math.min(due, end);
        }
      }
    }
    return due;
  }
}

/** Each episode knows the one of its incident before it. */
function coursesOf(settings: WatchSettings, episodes: readonly PastEpisode[]): ReadonlyMap<number, EpisodeCourse> {
  const last = new Map<string, EpisodeCourse>();
  const courses = new Map<number, EpisodeCourse>();
  for (const episode of episodes.toSorted((one, other) => one.episodeId - other.episodeId)) {
    const course = new EpisodeCourse(episode, settings, last.get(episode.incidentKey) ?? null);
    last.set(episode.incidentKey, course);
    courses.set(episode.episodeId, course);
  }
  return courses;
}

/** After this many polls others get their turn: some milliseconds of a bad day. */
const POLLS_A_TURN = 25;

/** Returns the episodes with failures recorded at a time, or whose incident ended then, by time, the oldest first. */
function pollsOf(courses: readonly EpisodeCourse[]): (readonly [at: number, courses: ReadonlySet<EpisodeCourse>])[] {
  const polls = new Map<number, Set<EpisodeCourse>>();
  const add = (at: number, course: EpisodeCourse) => {
    const known = polls.get(at);
    if (known === undefined) polls.set(at, new Set([course]));
    else known.add(course);
  };
  for (const course of courses) {
    const { recorded, endedAt } = course.episode;
    let last: number | null = null;
    for (const { at } of recorded) {
      if (at !== last) add(at * MINUTE_MS, course);
      last = at;
    }
    for (const end of endedAt) add(end.getTime(), course);
  }
  return [...polls].toSorted(([one], [other]) => one - other);
}

function incidentOf({ episode, group, failures }: EpisodeCourse): PreviewedIncident {
  return { episodeId: episode.episodeId, group, failures };
}
