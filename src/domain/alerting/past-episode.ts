import type { Group, GroupTally } from '../failures/failure.ts';
import type { EpisodeBeginning } from '../incidents/episode.ts';
import type { IncidentState } from '../incidents/incident.ts';
import { MINUTE_MS } from '../time/durations.ts';
import { type Threshold, type Watchable, type WatchFilter, type WatchSettings, wants } from '../watches/watch.ts';
import { type Candidate, type LastAlert, type PossibleNews, reasonToAlert } from './alert-decision.ts';
import type { RowReason } from './delivery.ts';
import { type Minutes, NO_MINUTES, type RunningSums, ThresholdCourse } from './threshold.ts';

/** An episode as recorded, with everything that decides when a watch is alerted. */
export interface PastEpisode {
  readonly episodeId: number;
  readonly incidentKey: string;
  readonly beganAs: EpisodeBeginning;
  /** How often its incident has relapsed by now. */
  readonly relapses: number;
  /** The minutes of this episode in which its incident relapsed, and in which it ended, each in order. */
  readonly relapsedAt: readonly Date[];
  readonly endedAt: readonly Date[];
  readonly groups: readonly Group[];
  /** In the order of recording, at least one. */
  readonly recorded: readonly RecordedFailures[];
  /** The events of workflows ('' for events without one) by the minute of creation; empty if no threshold has a rate. */
  readonly events: ReadonlyMap<string, RunningSums>;
}

/** What filters need to know about a group's failures, limited to what a filter uses. */
export type FilteredBy = Pick<Watchable, 'severities' | 'verdicts' | 'topics' | 'contexts' | 'tags' | 'subscribers'>;

/**
 * Failures of one group and one minute, recorded within one minute. Times are minutes since 1970: there can be a hundred thousand of these,
 * and numbers as large as milliseconds since 1970 take an allocation each.
 */
export interface RecordedFailures {
  /** The minute in which they were recorded. */
  readonly at: number;
  /** The minute in which they occurred. */
  readonly minute: number;
  /** The index of their group among the episode's. */
  readonly group: number;
  readonly failures: number;
  readonly isCritical: boolean;
  readonly shown: FilteredBy;
}

/** One group's failures in an episode up to a time in a replay. */
interface Part {
  failures: number;
  isCritical: boolean;
  readonly shown: Set<FilteredBy>;
  watchable: Watchable;
  isWanted: boolean;
}

/** An episode up to a time in a replay, as seen by a watch with a filter and a threshold. */
export class EpisodeCourse {
  readonly episode: PastEpisode;
  lastAlert: LastAlert | null = null;
  /** The same incident's episode before it, if that is known. */
  readonly #before: EpisodeCourse | null;
  /** The minute in which its last failure so far was recorded, in milliseconds since 1970. */
  #lastAt = 0;
  #next = 0;
  readonly #parts: readonly Part[];
  /** The parts that the watch covers. */
  #wanted: readonly Part[] = [];
  readonly #settings: Pick<WatchSettings, 'filter' | 'threshold'>;
  /** Progress of what the watch covers; null if there is no threshold, or it has been reached. */
  #threshold: ThresholdCourse | null = null;
  /** The minutes with which the threshold was reached. */
  #reached: Minutes | null = null;

  constructor(
    episode: PastEpisode,
    settings: Pick<WatchSettings, 'filter' | 'threshold'>,
    before: EpisodeCourse | null,
  ) {
    this.episode = episode;
    this.#before = before;
    this.#settings = settings;
    this.#parts = episode.groups.map(newPart);
  }

  /** Records all failures up to a time. Returns whether the watch covers any of them. */
  record(to: number): boolean {
    const first = this.#next;
    let hasNewPart = false;
    for (let one = this.episode.recorded[first]; one !== undefined && one.at * MINUTE_MS <= to; ) {
      const part = this.#parts[one.group];
      if (part !== undefined) hasNewPart = add(part, one, this.#settings.filter) || hasNewPart;
      this.#lastAt = one.at * MINUTE_MS;
      this.#next += 1;
      one = this.episode.recorded[this.#next];
    }
    if (hasNewPart) this.#wanted = this.#parts.filter(({ isWanted }) => isWanted);
    const added = this.episode.recorded.slice(first, this.#next);
    if (this.#settings.threshold !== null && this.#reached === null) {
      if (hasNewPart) this.#beginThreshold(this.#settings.threshold);
      else this.#addToThreshold(added);
    }
    return added.some(({ group }) => this.#parts[group]?.isWanted);
  }

  /** Starts over with one more part's failures and the events of its workflow. */
  #beginThreshold(threshold: Threshold): void {
    const workflows = new Set(this.#wanted.map(({ watchable }) => watchable.workflow ?? ''));
    const events = [...workflows].flatMap((workflow) => this.episode.events.get(workflow) ?? []);
    this.#threshold = new ThresholdCourse(threshold, events);
    this.#addToThreshold(this.episode.recorded.slice(0, this.#next));
  }

  #addToThreshold(recorded: readonly RecordedFailures[]): void {
    for (const { group, minute, failures } of recorded) {
      if (this.#parts[group]?.isWanted) this.#reached ??= this.#threshold?.add(minute * MINUTE_MS, failures) ?? null;
    }
  }

  /** Whether the watch covers any of its failures so far. */
  get isWanted(): boolean {
    return this.#wanted.length > 0;
  }

  /** The number of failures that the watch covers. */
  get failures(): number {
    return this.#wanted.reduce((sum, part) => sum + part.failures, 0);
  }

  /** The group with the most failures that the watch covers. */
  get group(): Group {
    const of = (part: Part) => (part.isWanted ? part.failures : -1);
    const largest = this.#parts.reduce(
      (best, part, index) => (of(part) > of(this.#parts[best] ?? part) ? index : best),
      0,
    );
    const group = this.episode.groups[largest];
    if (group === undefined) throw new Error(`episode ${this.episode.episodeId} has no group`);
    return group;
  }

  /** Whether the watch was alerted to its incident before it began, since that was new or came back. */
  get #wasAlertedEarlier(): boolean {
    const { beganAs } = this.episode;
    const before = beganAs === 'new' || beganAs === 'back' ? null : this.#before;
    return before !== null && (before.lastAlert !== null || before.#wasAlertedEarlier);
  }

  /** Returns why it needs an alert, at a time until which everything was recorded; null: it doesn't. */
  reasonAt(now: Date): RowReason | null {
    return this.isWanted ? reasonToAlert(this.#possibleNews(now), this.#settings.threshold) : null;
  }

  /** Returns what `planDigest` decides by at such a time. */
  candidate(turns: readonly Date[], now: Date): Candidate {
    return {
      ...this.#possibleNews(now),
      episodeId: this.episode.episodeId,
      tally: this.#tally(),
      parts: this.#parts.map(({ watchable }) => watchable),
      isAcknowledged: false,
      incidentTurns: turns.map((at) => ({ at, isDeleted: false })),
      mutedUntil: null,
      held: null,
    };
  }

  #possibleNews(now: Date): PossibleNews {
    const { beganAs, relapses, relapsedAt } = this.episode;
    return {
      beganAs,
      lastAlert: this.lastAlert,
      wasAlertedEarlier: this.#wasAlertedEarlier,
      state: this.#stateAt(now),
      relapses: relapses - relapsedAt.filter((at) => at > now).length,
      tally: { failures: this.failures, critical: this.#wanted.some(({ isCritical }) => isCritical) },
      missed: 0,
      minutes: this.#reached ?? NO_MINUTES,
    };
  }

  /** An incident that ended and relapsed within a minute has done so in that order: it ends only after minutes without a failure. */
  #stateAt(now: Date): IncidentState {
    const { endedAt, relapsedAt } = this.episode;
    return lastBy(endedAt, now) > lastBy(relapsedAt, now) ? 'recovering' : 'firing';
  }

  /** Leaves out subscribers and verdicts, which don't affect the decision. */
  #tally(): GroupTally {
    const lastSeen = new Date(this.#lastAt);
    return {
      group: this.group,
      verdict: 'failed',
      failures: this.failures,
      subscribers: 0,
      events: 0,
      firstSeen: lastSeen,
      lastSeen,
      severity: null,
      critical: this.#wanted.some(({ isCritical }) => isCritical),
      example: NO_EXAMPLE,
    };
  }
}

const NO_EXAMPLE = { eventId: null, transactionId: '', subscriberId: null };

/** Returns the last of some times, in order, that isn't after another one, in milliseconds since 1970; before all times if there is none. */
function lastBy(times: readonly Date[], now: Date): number {
  return times.findLast((time) => time <= now)?.getTime() ?? Number.NEGATIVE_INFINITY;
}

function newPart({ environment, workflow, workflowName, channel, provider }: Group): Part {
  const shown = { severities: [], verdicts: [], topics: [], contexts: [], tags: [], subscribers: [] };
  const watchable = { environment, workflow, workflowName, channel, provider, ...shown };
  return { failures: 0, isCritical: false, shown: new Set(), watchable, isWanted: false };
}

/** Adds failures to a part. Returns whether the watch covers it from here on. */
function add(part: Part, { failures, isCritical, shown }: RecordedFailures, filter: WatchFilter): boolean {
  part.failures += failures;
  part.isCritical ||= isCritical;
  if (part.shown.has(shown)) return false;
  part.shown.add(shown);
  const before = part.watchable;
  part.watchable = {
    ...before,
    severities: union(before.severities, shown.severities),
    verdicts: union(before.verdicts, shown.verdicts),
    topics: union(before.topics, shown.topics),
    contexts: union(before.contexts, shown.contexts),
    tags: union(before.tags, shown.tags),
    subscribers: union(before.subscribers, shown.subscribers),
  };
  const isNew = !part.isWanted && wants(filter, part.watchable);
  part.isWanted ||= isNew;
  return isNew;
}

/** Returns `one` itself if it contains all of `other`. */
function union<Value>(one: readonly Value[], other: readonly Value[]): readonly Value[] {
  return other.every((value) => one.includes(value)) ? one : [...new Set([...one, ...other])];
}
