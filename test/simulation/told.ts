import type { Discrepancy } from './account.ts';
import { escalated, people, untold } from './told-due.ts';
import type { Told } from './told-facts.ts';
import { repeated, rungWrongly, saidAgain } from './told-rings.ts';
import { endedFalsely, miscounted, outdated, sinceMoved, untrue } from './told-rows.ts';

/** Compares what people could read with the story. */
export function toldWrong(told: Told): Discrepancy[] {
  const checks = [sinceMoved, miscounted, outdated, untold, repeated, rungWrongly, endedFalsely, escalated, people];
  return [...checks, untrue, saidAgain].flatMap((check) => check(told));
}
