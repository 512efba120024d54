const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Channels whose providers report a failed delivery after the step was completed: what is swept for late failures. */
export const BOUNCING_CHANNELS = ['email', 'sms', 'push'] as const;

/** The ages at which settled events are read again; those below the horizon, and the horizon itself. */
const AGES_MS = [2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS];

/** A shorter stretch waits for the next round: each costs a request at least. */
const SHORTEST_STRETCH_MS = 30_000;

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
    .filter(({ from, to }) => to.getTime() - from.getTime() >= SHORTEST_STRETCH_MS)
    .sort((a, b) => lateness(b, now) / b.ageMs - lateness(a, now) / a.ageMs);
}

/** How late a sweep is, in milliseconds. */
export function lateness({ ageMs, from }: Pick<DueSweep, 'ageMs' | 'from'>, now: Date): number {
  return now.getTime() - ageMs - from.getTime();
}

const FIRST_CHUNK_MS = MINUTE_MS;
const FEW_PAGES = 4;
const MANY_PAGES = 40;

/** How much of a stretch is read in one go: longer after few pages, shorter after many, so that a quiet week costs little and a crash repeats little. */
export function nextChunkMs(before: { readonly lengthMs: number; readonly pages: number } | null): number {
  if (before === null) return FIRST_CHUNK_MS;
  if (before.pages <= FEW_PAGES) return before.lengthMs * 2;
  return before.pages > MANY_PAGES ? Math.max(1000, Math.floor(before.lengthMs / 2)) : before.lengthMs;
}
