import { expect, test } from 'vitest';
import { at } from '../service/event.testing.ts';
import { KEEPS_UP, lagAfter, tooSlowByMs } from './lag.ts';

const POLL_MS = 60_000;
const NEVER_POLLED = { ...KEEPS_UP, lastPollAt: null, failingSince: null, readAhead: [] };

/** Polls take no time, and end at these minutes with as many minutes of lag. Returns at which of them it's slowness. */
function slowAt(polls: readonly [minute: number, lag: number, ...failingSince: number[]][]): number[] {
  let known: Parameters<typeof lagAfter>[0] = NEVER_POLLED;
  return polls.flatMap(([minute, lag, failing]) => {
    const now = at(60 * minute);
    const failingSince = failing === undefined ? null : at(60 * failing);
    const times = { begunAt: now, endedAt: now, pollMs: POLL_MS };
    known = { ...known, ...lagAfter({ ...known, failingSince }, 60_000 * lag, times), lastPollAt: now };
    const checked = { checkedTo: at(60 * (minute - lag)), clockAheadMs: null, failingSince: null };
    return tooSlowByMs({ ...known, ...checked }, POLL_MS, now) > 0 ? [minute] : [];
  });
}

test.each<[what: string, polls: Parameters<typeof slowAt>[0], slow: number[]]>([
  ['that grows, from five minutes on', [0, 2, 4, 6, 8, 10].map((minute) => [minute, 1.5 + 0.5 * minute]), [8, 10]],
  ['that stays', [0, 2, 4, 6, 8].map((minute) => [minute, 7]), [6, 8]],
  ['that shrinks', [0, 2, 4, 6, 8, 10].map((minute) => [minute, 20 - minute]), []],
  ['that shrinks at last', [0, 2, 4, 6, 8, 10].map((minute) => [minute, minute === 10 ? 6 : 7]), [6, 8]],
  ['of less than five minutes', [0, 2, 4, 6, 8, 10].map((minute) => [minute, 5]), []],
  // A deploy of six minutes each: what is left of one isn't compared with the next.
  ['of deploys', [0, 6, 7, 13, 14, 20, 21].map((minute) => [minute, minute % 7 === 0 ? 2 : 6]), []],
  ['of an outage', [0, 2, 30, 31, 32].map((minute) => [minute, minute < 30 ? 3 : 45 - minute, 2]), []],
  ['through a failed poll', [0, 2, 4, 6, 8].map((minute) => [minute, 7, ...(minute === 4 ? [3] : [])]), [6, 8]],
])('whether lag %s is slowness', (_, polls, slow) => {
  expect(slowAt(polls)).toEqual(slow);
});
