import type { Discrepancy } from './account.ts';
import { untold } from './told-due.ts';
import { escalated } from './told-escalated.ts';
import type { Told } from './told-facts.ts';
import { followersUntold } from './told-followers.ts';
import { repeated, rungWrongly, saidAgain } from './told-rings.ts';
import {
  alertedWhileHeld,
  endedFalsely,
  miscounted,
  outdated,
  postedForNothing,
  sinceMoved,
  untrue,
} from './told-rows.ts';

/** Each finds where one promise about messages is broken. What it promises stands at the check. */
const CHECKS = [
  sinceMoved,
  miscounted,
  outdated,
  untold,
  repeated,
  rungWrongly,
  endedFalsely,
  escalated,
  followersUntold,
  untrue,
  postedForNothing,
  alertedWhileHeld,
  saidAgain,
];

/** Compares what people could read with the story. */
export function toldWrong(told: Told): Discrepancy[] {
  return CHECKS.flatMap((check) => check(told));
}
