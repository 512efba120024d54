import type { Group, GroupTally } from '../failures/failure.ts';
import type { EpisodeBeginning } from '../incidents/episode.ts';
import { type IncidentState, RECOVERING_MS } from '../incidents/incident.ts';
import { MINUTE_MS } from '../time/durations.ts';
import { type Watchable, type WatchFilter, type WatchSettings, wants } from '../watches/watch.ts';
import type { Candidate, LastAlert } from './alert-decision.ts';
import { type ByMinute, isReached, type Minutes } from './threshold.ts';

/** An episode as it was recorded, with all of it that decides when a watch is alerted. */
export interface PastEpisode {
  readonly episodeId: number;
  readonly incidentKey: string;
  readonly beganAs: EpisodeBeginning;
  /** Whether it's over by now. */
  readonly isOver: boolean;
  /** How often its incident has relapsed by now, and when in this episode. */
  readonly relapses: number;
  readonly relapsedAt: readonly Date[];
  readonly groups: readonly Group[];
  /** In the order in which they were recorded; there is at least one. */
  readonly recorded: readonly RecordedFailures[];
  /** The events of workflows, '' for none, by the minute of their creation; empty where no threshold asks for a rate. */
  readonly events: ReadonlyMap<string, ByMinute>;
}

/** What of a group's failures filters ask for, as far as a filter does. */
export type Shown = Pick<Watchable, 'severities' | 'verdicts' | 'topics' | 'contexts' | 'tags'>;

/** Failures of one group and one minute that were recorded within a minute. Times are milliseconds since 1970. */
export interface RecordedFailures {
  /** The minute in which they were recorded. */
  readonly at: number;
  /** The minute in which they occurred. */
  readonly minute: number;
  /** The index of their group among the episode's. */
  readonly group: number;
  readonly failures: number;
  readonly isCritical: boolean;
  readonly shown: Shown;
}

const NO_MINUTES: Minutes = { failures: new Map(), events: new Map() };

/** An episode's failures of one group up to a time of a replay. */
interface Part {
  readonly minutes: Map<number, number>;
  failures: number;
  isCritical: boolean;
  /** What was added last. */
  shown: Shown | null;
  watchable: Watchable;
  isWanted: boolean;
}

/** An episode up to a time of a replay, as a watch with a filter and a threshold sees it. */
export class EpisodeCourse {
  readonly episode: PastEpisode;
  lastAlert: LastAlert | null = null;
  /** When its last failure so far was recorded. */
  #lastAt = 0;
  #next = 0;
  readonly #parts: readonly Part[];
  /** Those that the watch is about. */
  #wanted: readonly Part[] = [];
  #watchables: readonly Watchable[] = [];
  readonly #settings: Pick<WatchSettings, 'filter' | 'threshold'>;
  /** The minutes with which the threshold was reached. */
  #reached: Minutes | null = null;

  constructor(episode: PastEpisode, settings: Pick<WatchSettings, 'filter' | 'threshold'>) {
    this.episode = episode;
    this.#settings = settings;
    this.#parts = episode.groups.map(newPart);
  }

  /** When it next has a failure recorded; infinity: never. */
  get #nextAt(): number {
    return this.episode.recorded[this.#next]?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Has all failures recorded up to a time. */
  record(to: number): void {
    const first = this.#next;
    let hasNewPart = false;
    for (let one = this.episode.recorded[first]; one !== undefined && one.at <= to; ) {
      const part = this.#parts[one.group];
      if (part !== undefined) hasNewPart = add(part, one, this.#settings.filter) || hasNewPart;
      this.#lastAt = one.at;
      this.#next += 1;
      one = this.episode.recorded[this.#next];
    }
    this.#watchables = this.#parts.map(({ watchable }) => watchable);
    if (hasNewPart) this.#wanted = this.#parts.filter(({ isWanted }) => isWanted);
    this.#look(hasNewPart ? null : this.episode.recorded.slice(first, this.#next));
  }

  /** Whether new failures, null: any, make it reach the threshold. Only minutes near them can. */
  #look(recorded: readonly RecordedFailures[] | null): void {
    const { threshold } = this.#settings;
    if (threshold === null || this.#reached !== null || this.failures < threshold.failures) return;
    const wanted = this.#wanted;
    const changed = recorded?.map(({ minute }) => minute) ?? wanted.flatMap(({ minutes }) => [...minutes.keys()]);
    const reach = (Math.ceil(threshold.withinMs / MINUTE_MS) + 1) * MINUTE_MS;
    const from = changed.reduce((one, other) => Math.min(one, other)) - reach;
    const to = changed.reduce((one, other) => Math.max(one, other)) + reach;
    const workflows = new Set(wanted.map(({ watchable }) => watchable.workflow ?? ''));
    const events = [...workflows].flatMap((workflow) => this.episode.events.get(workflow) ?? []);
    const minutes = {
      failures: sumWithin(
        wanted.map((part) => part.minutes),
        from,
        to,
      ),
      events: sumWithin(events, from - reach, to),
    };
    if (isReached(threshold, minutes)) this.#reached = minutes;
  }

  /** Whether the watch is about any of its failures so far. */
  get isWanted(): boolean {
    return this.#wanted.length > 0;
  }

  /** Of those that the watch is about. */
  get failures(): number {
    return this.#wanted.reduce((sum, part) => sum + part.failures, 0);
  }

  /** Of the most failures that the watch is about. */
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

  /** What `planDigest` decides by at a time up to which all was recorded. */
  candidate(turns: readonly Date[], now: Date): Candidate {
    const { episodeId, beganAs, relapses, relapsedAt } = this.episode;
    return {
      episodeId,
      beganAs,
      lastAlert: this.lastAlert,
      state: this.#stateAt(now.getTime()),
      relapses: relapsedAt.length === 0 ? relapses : relapses - relapsedAt.filter((at) => at > now).length,
      tally: this.#tally(),
      parts: this.#watchables,
      isAcknowledged: false,
      groupTurns: turns.map((at) => ({ at, isDeleted: false })),
      mutedUntil: null,
      missed: 0,
      minutes: this.#reached ?? NO_MINUTES,
      held: null,
    };
  }

  /** It was over before it relapsed, from when that could first be said. */
  #stateAt(now: number): IncidentState {
    const { isOver, relapsedAt } = this.episode;
    const next = this.#nextAt;
    const endsOver =
      next === Number.POSITIVE_INFINITY
        ? isOver
        : relapsedAt.some((at) => at.getTime() > this.#lastAt && at.getTime() <= next);
    return endsOver && now >= this.#lastAt + RECOVERING_MS ? 'recovering' : 'firing';
  }

  /** Whom it hit and what for decides nothing. */
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

function newPart({ environment, workflow, workflowName, channel, provider }: Group): Part {
  const shown = { severities: [], verdicts: [], topics: [], contexts: [], tags: [] };
  const watchable = { environment, workflow, workflowName, channel, provider, ...shown };
  return { minutes: new Map(), failures: 0, isCritical: false, shown: null, watchable, isWanted: false };
}

/** Adds failures to a part. Returns whether the watch is about it from now on. */
function add(part: Part, { minute, failures, isCritical, shown }: RecordedFailures, filter: WatchFilter): boolean {
  part.minutes.set(minute, (part.minutes.get(minute) ?? 0) + failures);
  part.failures += failures;
  part.isCritical ||= isCritical;
  if (part.shown === shown) return false;
  part.shown = shown;
  const before = part.watchable;
  part.watchable = {
    ...before,
    severities: union(before.severities, shown.severities),
    verdicts: union(before.verdicts, shown.verdicts),
    topics: union(before.topics, shown.topics),
    contexts: union(before.contexts, shown.contexts),
    tags: union(before.tags, shown.tags),
  };
  const isNew = !part.isWanted && wants(filter, part.watchable);
  part.isWanted ||= isNew;
  return isNew;
}

/** The first where it has all of the other. */
function union<Value>(one: readonly Value[], other: readonly Value[]): readonly Value[] {
  return other.every((value) => one.includes(value)) ? one : [...new Set([...one, ...other])];
}

function sumWithin(counts: readonly ByMinute[], from: number, to: number): ByMinute {
  const sums = new Map<number, number>();
  for (let minute = from; counts.length > 0 && minute <= to; minute += MINUTE_MS) {
    const sum = counts.reduce((total, count) => total + (count.get(minute) ?? 0), 0);
    if (sum > 0) sums.set(minute, sum);
  }
  return sums;
}
