import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EVERYTHING } from '../watches/watch.ts';
import { aCandidate, minutesLater } from './alert-decision.testing.ts';
import { decide, type IncidentTurn, SAME_INCIDENT_MS } from './alert-decision.ts';

const HOUR_MS = 2 * SAME_INCIDENT_MS;
const ALL = { filter: EVERYTHING, threshold: null };

/** What happens between two polls, a minute apart: the number of new failures, and whether the last message is found deleted. */
const poll = fc.record({ failures: fc.nat(2_000), isDeleted: fc.boolean() });
type Poll = { readonly failures: number; readonly isDeleted: boolean };

test('announces an incident at most twice an hour if edits are refused, however it grows', () => {
  fc.assert(
    fc.property(fc.array(poll, { minLength: 60, maxLength: 180 }), (polls) => {
      const posts = postsOver(polls.map(({ failures }) => ({ failures, isDeleted: false })));
      expect(mostWithin(HOUR_MS, posts)).toBeLessThanOrEqual(2);
    }),
  );
});

test('announces an incident at most twice in half an hour, however often its message is deleted', () => {
  fc.assert(
    fc.property(fc.array(poll, { minLength: 60, maxLength: 180 }), (polls) => {
      const posts = postsOver(polls);
      expect(mostWithin(SAME_INCIDENT_MS, posts)).toBeLessThanOrEqual(2);
    }),
  );
});

test('announces an incident again in the next poll after its only message in half an hour was deleted', () => {
  const posts = postsOver([...calm(1), { failures: 1, isDeleted: true }, ...calm(5)]);
  expect(posts).toEqual([minutesLater(0), minutesLater(1)]);
});

const calm = (polls: number): Poll[] => Array.from({ length: polls }, () => ({ failures: 1, isDeleted: false }));

/** Returns when a group is announced. A message that can't be edited stays, with the counts that it was posted with. */
function postsOver(polls: readonly Poll[]): Date[] {
  const turns: IncidentTurn[] = [];
  let failures = 0;
  let announced = 0;
  for (const [minute, { failures: more, isDeleted }] of polls.entries()) {
    const now = minutesLater(minute);
    failures += more;
    const last = turns.pop();
    const latest = last && { ...last, isDeleted: last.isDeleted || isDeleted };
    if (latest !== undefined) turns.push(latest);
    const lastAlert =
      latest === undefined ? null : { failures: announced, isGone: latest.isDeleted, relapses: 0, wasCritical: false };
    if (
      failures === 0 ||
      decide(aCandidate({ failures, lastAlert, incidentTurns: turns }), ALL, null, now).decision !== 'announce'
    )
      continue;
    turns.push({ at: now, isDeleted: false });
    announced = failures;
  }
  return turns.map(({ at }) => at);
}

function mostWithin(ms: number, posts: readonly Date[]): number {
  const from = (start: Date) => posts.filter((at) => at >= start && at.getTime() < start.getTime() + ms).length;
  return Math.max(0, ...posts.map(from));
}
