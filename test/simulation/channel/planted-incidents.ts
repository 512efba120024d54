import { type Failure, groupOf } from '../../../src/domain/failures/failure.ts';
import { type Judgement, judge } from '../../../src/domain/failures/judge.ts';
import { type Delivered, deliveriesOf } from '../../../src/domain/failures/successes.ts';
import {
  EPISODE_MS,
  type EpisodeBeginning,
  type LastEpisode,
  nextEpisode,
} from '../../../src/domain/incidents/episode.ts';
import { type IncidentState, isOverIn, stateBy } from '../../../src/domain/incidents/incident.ts';
import { eventKey, type TriggeredEvent } from '../../../src/domain/service/event.ts';
import type { PlantedMutes } from './planted-mutes.ts';

const MINUTE = 60_000;
const WINDOW_MINUTES = 5;
const TREND_MINUTES = 60;
const HALF_AN_HOUR = 30 * MINUTE;

/** An episode of an incident, computed only from its planted failures and successes. */
export interface PlantedEpisode {
  readonly incident: string;
  readonly history: { readonly at: number; readonly state: IncidentState; readonly relapses: number }[];
  state: IncidentState;
  relapses: number;
  total: number;
  firstSeen: number;
  lastSeen: number;
  lastRecordedAt: number;
}

/** What a row of an episode has to say, based on what the service had shown by then. */
export interface PlantedRow {
  readonly state: IncidentState;
  readonly relapses: number;
  readonly total: number;
  readonly failures: number;
  readonly attempts: number;
  readonly trend: string;
  readonly lastFailure: number;
  readonly lastSuccess: number | null;
}

interface Incident {
  readonly place: string;
  readonly failures: Map<number, number>;
  readonly episodes: Episode[];
}

interface Episode extends PlantedEpisode {
  readonly workflows: Set<string>;
  returns: number;
  endsAt: number;
  /** The first failure since the incident last began to fire, and the last one before that. */
  firedAt: number;
  calmTo: number;
  resolvedBy: { readonly at: number } | null;
  /** When one of its own workflows was first delivered after its last failure, as far as an answer has shown. Null if none was. */
  succeedingSince: number | null;
}

interface Place {
  readonly failures: Map<number, number>;
  readonly successes: Map<number, { count: number; lastAt: number }>;
}

export interface PlantedIncidents {
  /**
   * Called when the service has shown an event at `now`; anything new about it counts from then. Successes in a sweep's page are ignored.
   */
  sees(event: TriggeredEvent, now: number, isSweep: boolean): void;
  /** Called when everything up to `checkedTo` has been checked by `now`; updates the states. */
  settles(checkedTo: number, now: number): void;
  /** Called when somebody resolves a place's only open incident. */
  resolvesAt(place: string, now: number): void;
  /** Returns a place's only open incident. Throws if none is open. */
  openAt(place: string): PlantedEpisode;
  /** Returns the newest episode of each incident that isn't resolved and failed within a day. */
  open(now: number): readonly PlantedEpisode[];
  /** Returns the episode of an incident that began at this time, to the second. Null if there is none. */
  episodeSince(incident: string, since: number): PlantedEpisode | null;
  /** Returns what a row that is drawn now, about the five minutes up to `to`, has to say. */
  rowAt(episode: PlantedEpisode, to: number): PlantedRow;
}

/** Returns the name of an incident from what its row says. */
export const incidentNamed = (place: string, cause: string): string => `${place} | ${cause}`;

/**
 * Follows what is planted by the rules of docs/guarantees.md, each event as the service shows it: counts by the minute, states by
 * `stateBy`, episodes by `nextEpisode`. It shares only these pure functions with the product, but no store, no SQL and no drawing times.
 */
export function createPlantedIncidents(
  placeName: (channel: string, provider: string | null) => string,
  mutes: Pick<PlantedMutes, 'records'>,
): PlantedIncidents {
  const incidents = new Map<string, Incident>();
  const places = new Map<string, Place>();
  const known = new Set<string>();
  let answered: { event: TriggeredEvent; judgement: Judgement }[] = [];
  let answeredAt = 0;
  let lastCheckedTo = 0;
  let isOfSweep = false;

  function placeOf(name: string): Place {
    const found = places.get(name) ?? { failures: new Map(), successes: new Map() };
    places.set(name, found);
    return found;
  }

  function fails(name: string, place: string, workflow: string, at: number, now: number): void {
    const incident: Incident = incidents.get(name) ?? {
      place,
      failures: new Map(),
      episodes: [],
    };
    incidents.set(name, incident);
    add(incident.failures, at);
    add(placeOf(place).failures, at);
    const last = incident.episodes.at(-1);
    const begins = nextEpisode(
      last === undefined ? null : datesOf(last, Math.min(now, lastCheckedTo)),
      new Date(at),
      new Date(now),
    );
    if (last === undefined || begins !== null) {
      const relapses = last === undefined ? 0 : relapsesAfter(last, begins?.beganAs);
      incident.episodes.push(newEpisode(name, at, now, begins?.returns ?? 0, relapses));
    } else counts(last, at, now);
    incident.episodes.at(-1)?.workflows.add(workflow);
  }

  /** Applies the events of one answer at the same time, its latest failure first: a success in it comes after the failures in it. */
  function flush(): void {
    const [page, now] = [answered, answeredAt];
    answered = [];
    const failures = page.flatMap(({ judgement }) => judgement.failures);
    for (const failure of failures.toSorted((one, other) => timeOf(other, now) - timeOf(one, now))) {
      noteFailure(failure, now);
    }
    if (isOfSweep) return;
    for (const { event, judgement } of page) {
      for (const delivered of deliveriesOf(event, judgement)) noteSuccess(event, delivered, judgement.isSettled);
      if (judgement.isSettled) known.add(eventKey(event));
    }
  }

  function noteFailure(failure: Failure, now: number): void {
    const key = `${failure.eventKey} ${failure.jobId} ${failure.detailId}`;
    const group = groupOf('production', failure);
    if (known.has(key) || group.announcement !== 'announced') return;
    known.add(key);
    const place = placeName(group.channel, group.provider);
    const at = timeOf(failure, now);
    const incident = incidentNamed(place, group.cause.text);
    fails(incident, place, failure.workflow ?? '', at, now);
    mutes.records(incident, at, now);
  }

  function noteSuccess(event: TriggeredEvent, { channel, provider, at }: Delivered, isSettled: boolean): void {
    const place = placeName(channel, provider);
    for (const one of incidents.values()) {
      const episode = one.episodes.at(-1);
      if (one.place !== place || !episode?.workflows.has(event.workflow?.identifier ?? '')) continue;
      if (at.getTime() > episode.lastSeen) episode.succeedingSince ??= at.getTime();
    }
    if (!isSettled || known.has(eventKey(event))) return;
    const { successes } = placeOf(place);
    const minute = Math.floor(at.getTime() / MINUTE);
    const before = successes.get(minute) ?? { count: 0, lastAt: 0 };
    successes.set(minute, { count: before.count + 1, lastAt: Math.max(before.lastAt, at.getTime()) });
  }

  function openAt(place: string): Episode {
    flush();
    const [episode] = [...incidents.values()]
      .filter((one) => one.place === place)
      .flatMap(({ episodes }) => episodes.slice(-1).filter(({ state }) => state !== 'resolved'));
    if (episode === undefined) throw new Error(`nothing is open at ${place}`);
    return episode;
  }

  return {
    sees(event, now, isSweep) {
      if (now !== answeredAt) flush();
      answeredAt = now;
      isOfSweep = isSweep;
      answered.push({ event, judgement: judge(event, new Date(now), new Date(now)) });
    },
    settles(checkedTo, now) {
      flush();
      lastCheckedTo = checkedTo;
      for (const { place, failures, episodes } of incidents.values()) {
        const episode = episodes.at(-1);
        if (episode === undefined || episode.state === 'resolved') continue;
        const hasOwnSuccess = episode.succeedingSince !== null;
        const { successes } = placeOf(place);
        const began = Math.floor((episode.relapses < 2 ? episode.firedAt : episode.firstSeen) / MINUTE);
        const lastMinute = Math.floor(episode.lastSeen / MINUTE);
        const lastOfMinute = (successes.get(lastMinute)?.lastAt ?? 0) > episode.lastSeen ? 1 : 0;
        const between = (counts: ReadonlyMap<number, number>) => sumOf(counts, began, lastMinute);
        const state = stateBy(
          {
            lastFailureAt: new Date(episode.lastSeen),
            lastRecordedAt: new Date(episode.lastRecordedAt),
            checkedTo: new Date(checkedTo),
            unchecked: [],
            failures: between(failures),
            successesMeanwhile: sumOf(successes, began, lastMinute) - lastOfMinute,
            successesSince: sumOf(successes, lastMinute + 1, Math.floor(now / MINUTE)) + lastOfMinute,
            hasOwnSuccess,
          },
          new Date(now),
        );
        if (mayFollow(episode.state, state)) enters(episode, state, now);
      }
    },
    resolvesAt(place, now) {
      const episode = openAt(place);
      episode.resolvedBy = { at: now };
      enters(episode, 'resolved', now);
    },
    openAt,
    open: (now) =>
      [...incidents.values()].flatMap(({ episodes }) =>
        episodes
          .slice(-1)
          .filter(({ state, lastRecordedAt }) => state !== 'resolved' && lastRecordedAt > now - EPISODE_MS),
      ),
    episodeSince: (name, since) =>
      incidents.get(name)?.episodes.findLast(({ firstSeen }) => Math.floor(firstSeen / 1_000) * 1_000 === since) ??
      null,
    rowAt(episode, to) {
      const incident = incidents.get(episode.incident);
      const place = placeOf(incident?.place ?? '');
      const end = Math.floor(to / MINUTE);
      const failures = sumOf(incident?.failures ?? new Map(), end - WINDOW_MINUTES + 1, end);
      return {
        ...{ state: episode.state, relapses: episode.relapses, total: episode.total },
        failures,
        attempts:
          sumOf(place.failures, end - WINDOW_MINUTES + 1, end) + sumOf(place.successes, end - WINDOW_MINUTES + 1, end),
        trend: to - episode.firstSeen < HALF_AN_HOUR ? '' : trendOf(incident?.failures ?? new Map(), end),
        lastFailure: episode.lastSeen,
        lastSuccess: lastOf(place.successes, end),
      };
    },
  };
}

function timeOf({ occurredAt, eventCreatedAt }: Failure, now: number): number {
  return Math.min(now, (occurredAt ?? eventCreatedAt ?? new Date(now)).getTime());
}

function relapsesAfter(last: Episode, beganAs: EpisodeBeginning | undefined): number {
  if (beganAs === 'goes-on') return last.relapses;
  return beganAs === 'relapsed' ? last.relapses + 1 : 0;
}

function newEpisode(incident: string, at: number, now: number, returns: number, relapses: number): Episode {
  return {
    ...{ incident, state: 'firing', relapses, returns, total: 1, history: [{ at: now, state: 'firing', relapses }] },
    ...{ firstSeen: at, lastSeen: at, lastRecordedAt: now, endsAt: now + EPISODE_MS },
    ...{ workflows: new Set(), firedAt: at, calmTo: 0, resolvedBy: null, succeedingSince: null },
  };
}

/** Counts a failure. One that occurred before the last failure, or before somebody resolved the incident, changes nothing but the count. */
function counts(episode: Episode, at: number, now: number): void {
  const fires = at > episode.lastSeen && (episode.resolvedBy === null || at > episode.resolvedBy.at);
  if (fires && isOverIn(episode.state)) {
    episode.relapses += 1;
    episode.calmTo = episode.lastSeen;
    episode.firedAt = at;
  }
  if (at > episode.calmTo) episode.firedAt = Math.min(episode.firedAt, at);
  if (fires && episode.state !== 'firing') {
    episode.resolvedBy = null;
    enters(episode, 'firing', now);
  }
  if (episode.succeedingSince !== null && episode.succeedingSince <= at) episode.succeedingSince = null;
  episode.total += 1;
  episode.firstSeen = Math.min(episode.firstSeen, at);
  episode.lastSeen = Math.max(episode.lastSeen, at);
  episode.lastRecordedAt = now;
}

function enters(episode: Episode, state: IncidentState, at: number): void {
  episode.state = state;
  episode.history.push({ at, state, relapses: episode.relapses });
}

/** A recovering incident stays so until it fails again or is resolved. A quiet one can still change. */
function mayFollow(before: IncidentState, after: IncidentState): boolean {
  return before === 'recovering' ? after === 'resolved' : after !== before && after !== 'firing';
}

function datesOf(episode: Episode, checkedTo: number): LastEpisode {
  const { endsAt, lastSeen, lastRecordedAt, resolvedBy, state, returns } = episode;
  const resolvedByPersonAt = resolvedBy && new Date(resolvedBy.at);
  const dates = {
    endsAt: new Date(endsAt),
    lastFailureAt: new Date(lastSeen),
    lastRecordedAt: new Date(lastRecordedAt),
  };
  return { ...dates, resolvedByPersonAt, state, returns, checkedMs: Math.max(0, checkedTo - lastRecordedAt) };
}

/**
 * Compares the last half hour with the half hour before, if there are at least twenty failures and no pause (docs/guarantees.md, "What a
 * row says").
 */
function trendOf(failures: ReadonlyMap<number, number>, end: number): string {
  const half = TREND_MINUTES / 2;
  const after = sumOf(failures, end - half + 1, end);
  const hasPaused = [0, 5, 10, 15, 20, 25].some((ago) => sumOf(failures, end - ago - 4, end - ago) === 0);
  const before = sumOf(failures, end - TREND_MINUTES + 1, end - half);
  if (hasPaused || before + after < 20) return '';
  if (after >= before * 1.5) return 'rising';
  return before >= after * 1.5 ? 'falling' : 'steady';
}

function add(counts: Map<number, number>, at: number): void {
  const minute = Math.floor(at / MINUTE);
  counts.set(minute, (counts.get(minute) ?? 0) + 1);
}

function sumOf(counts: ReadonlyMap<number, number | { readonly count: number }>, from: number, to: number): number {
  let sum = 0;
  for (let minute = from; minute <= to; minute += 1) {
    const one = counts.get(minute) ?? 0;
    sum += typeof one === 'number' ? one : one.count;
  }
  return sum;
}

function lastOf(successes: Place['successes'], end: number): number | null {
  for (let minute = end; minute > end - EPISODE_MS / MINUTE; minute -= 1) {
    const found = successes.get(minute);
    if (found !== undefined) return found.lastAt;
  }
  return null;
}
