import { addMilliseconds, min } from 'date-fns';
import { MINUTE_MS } from '../lib/time/durations.ts';
import type { ReadTo } from './tables.ts';

/** In minutes, as all ages of passes. */
const FIRST_AGES = [1, 2, 4, 7, 10, 13];

/** A failure waits for at most a third of its event's age. */
const RATIO = 1.2;

export function agesUpTo(horizonMs: number): number[] {
  const horizon = Math.floor(horizonMs / MINUTE_MS);
  const ages = [...FIRST_AGES];
  for (let age = (ages.at(-1) ?? 1) * RATIO; age < horizon; age *= RATIO) ages.push(Math.ceil(age));
  return [...ages.filter((age) => age < horizon), horizon];
}

/** A pass is due once it is late by this share of its age. */
export const DUE_SHARE = 1 / 20;

/**
 * Up to when late failures were looked for: a pass has read what was created before its time, when it was of the pass's age. What isn't due yet
 * counts as read.
 */
export function lookedTo(readTo: ReadTo, horizonMs: number, present: Date): Date {
  const times = agesUpTo(horizonMs).flatMap((age) => {
    const to = readTo.get(age);
    return to === undefined ? [] : [addMilliseconds(to, age * MINUTE_MS + Math.max(1, age * DUE_SHARE) * MINUTE_MS)];
  });
  return min([present, ...times]);
}
