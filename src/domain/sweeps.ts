import type { ReadingWindow } from './reading.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Channels whose providers report a failed delivery after the step was completed: what is swept for late failures. */
export const BOUNCING_CHANNELS = ['email', 'sms', 'push'] as const;

/** The ages at which settled events are read again; those below the horizon, and the horizon itself. */
const AGES_MS = [2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS];

/** A stretch waits until it is a twentieth of its age: each costs a request at least. */
const SHARE_OF_AGE = 1 / 20;
const SHORTEST_STRETCH_MS = 30_000;
const LONGEST_WAIT_MS = 10 * MINUTE_MS;

/** How long events that have reached an age wait for others, to be read again in one go with them: 30 s to 10 min. */
export function waitAt(ageMs: number): number {
  return Math.min(Math.max(ageMs * SHARE_OF_AGE, SHORTEST_STRETCH_MS), LONGEST_WAIT_MS);
}

export function sweepAges(horizonMs: number): number[] {
  return [...AGES_MS.filter((age) => age < horizonMs), horizonMs];
}

/** Up to which creation time events of an age have been read again. */
export interface Swept {
  readonly ageMs: number;
  readonly sweptTo: Date;
}

/** Where an age's sweeps begin: with the coverage or, where that is older than the age, with what reaches the age from now on. */
export function firstSweeps(coveredFrom: Date, now: Date, horizonMs: number): Swept[] {
  return sweepAges(horizonMs).map((ageMs) => ({
    ageMs,
    sweptTo: new Date(Math.max(coveredFrom.getTime(), now.getTime() - ageMs)),
  }));
}

/** A stretch of creation times that has reached an age and was not read again at it. */
export interface DueSweep {
  readonly ageMs: number;
  readonly from: Date;
  readonly to: Date;
}

/**
 * The stretches that are due, those first that are late by the greatest share of their age. What has reached the next age as well is
 * left to that one's: after a long absence each event is read again once. What is twice as old as the last age is left alone: its failures
 * may be forgotten, and would be told again.
 */
export function dueSweeps(swept: readonly Swept[], now: Date): DueSweep[] {
  const byAge = [...swept].sort((a, b) => a.ageMs - b.ageMs);
  return byAge
    .map(({ ageMs, sweptTo }, index) => {
      const older = byAge[index + 1]?.ageMs ?? ageMs * 2;
      const from = Math.max(sweptTo.getTime(), now.getTime() - older);
      return { ageMs, from: new Date(from), to: new Date(now.getTime() - ageMs) };
    })
    .filter(({ ageMs, from, to }) => to.getTime() - from.getTime() >= waitAt(ageMs))
    .sort((a, b) => lateness(b, now) / b.ageMs - lateness(a, now) / a.ageMs);
}

/** How late a sweep is, in milliseconds: since when it could have been made. */
export function lateness({ ageMs, from }: Pick<DueSweep, 'ageMs' | 'from'>, now: Date): number {
  return Math.max(0, now.getTime() - ageMs - waitAt(ageMs) - from.getTime());
}

/** How many events were created in a minute. */
export interface MinuteOfEvents {
  readonly minute: Date;
  readonly events: number;
}

/** What is read between two notes of how far a sweep got: twenty pages, so that a crash repeats little. */
const EVENTS_A_CHUNK = 1_000;

/**
 * Up to this age all of a stretch is swept, also where no event was counted: one that the list shows too late to be read as new is found
 * by its failure. Older stretches are swept where events are known.
 */
const WHOLE_UP_TO_MS = 10 * MINUTE_MS;

/** What is read of a window at an age, in parts, oldest first; `counts` are the minutes of the window in which events are known. */
export function chunksAt(ageMs: number, window: ReadingWindow, counts: readonly MinuteOfEvents[]): ReadingWindow[] {
  const chunks = chunksOf(window, counts);
  if (ageMs > WHOLE_UP_TO_MS) return chunks;
  const ends = [...chunks.slice(0, -1).map(({ to }) => to), window.to];
  return ends.flatMap((to, index) => cut({ from: ends[index - 1] ?? window.from, to }));
}

/** Nobody knows how much there is where no event is known: no part of that is longer than this. */
const LONGEST_PART_MS = 10 * MINUTE_MS;

function cut({ from, to }: ReadingWindow): ReadingWindow[] {
  const parts: ReadingWindow[] = [];
  for (let at = from.getTime(); at < to.getTime(); at += LONGEST_PART_MS) {
    parts.push({ from: new Date(at), to: new Date(Math.min(at + LONGEST_PART_MS, to.getTime())) });
  }
  return parts;
}

/** The parts of a window that hold the events counted in it, oldest first; where nothing was created nothing is asked for. */
export function chunksOf(window: ReadingWindow, counts: readonly MinuteOfEvents[]): ReadingWindow[] {
  const chunks: { from: number; to: number; events: number }[] = [];
  for (const { minute, events } of counts) {
    const to = minute.getTime() + MINUTE_MS;
    const last = chunks.at(-1);
    if (last === undefined || last.events + events > EVENTS_A_CHUNK)
      chunks.push({ from: minute.getTime(), to, events });
    else Object.assign(last, { to, events: last.events + events });
  }
  return chunks.map(({ from, to }) => ({
    from: new Date(Math.max(from, window.from.getTime())),
    to: new Date(Math.min(to, window.to.getTime())),
  }));
}
