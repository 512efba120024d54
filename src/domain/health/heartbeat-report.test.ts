import { expect, test } from 'vitest';
import { at, NOON } from '../service/event.testing.ts';
import type { HeartbeatAnswer, HeartbeatBlocker } from './heartbeat.ts';
import { answerWords, blockerWords, judgeHeartbeat, type LastHeartbeat } from './heartbeat-report.ts';

const RUNNING = { pollMs: 60_000, startedAt: at(-3_600) };

function judged(last: LastHeartbeat | null, running = RUNNING): string | null {
  return judgeHeartbeat(last, running, NOON)?.what ?? null;
}

test('nothing is wrong only if the last call was answered, lately', () => {
  const answered = { outcome: 'answered', why: null } as const;
  expect(judged({ ...answered, at: at(-180) })).toBeNull();
  expect(judged({ ...answered, at: at(-900) })).toBe("The dead man's switch has not been called for 15 min.");
  expect(judged(null)).toBe("The dead man's switch has not been called yet.");
  expect(judged(null, { ...RUNNING, startedAt: at(-100) })).toBeNull();
});

test('a last call that failed or was withheld is told, with the reason', () => {
  expect(judged({ outcome: 'failed', why: 'its address answered 404', at: at(-12) })).toBe(
    "The dead man's switch couldn't be called 12 s ago: its address answered 404.",
  );
  expect(judged({ outcome: 'withheld', why: 'delivery has stalled', at: at(-12) })).toBe(
    'Withheld 12 s ago, since delivery has stalled.',
  );
});

test.each<[HeartbeatAnswer, string]>([
  [{ kind: 'answered', status: 404 }, 'its address answered 404'],
  [{ kind: 'timed-out' }, "its address didn't answer in time"],
  [{ kind: 'unreachable', code: 'ECONNREFUSED' }, "its address can't be reached (ECONNREFUSED)"],
  [{ kind: 'unreachable', code: null }, "its address can't be reached"],
])('words %j', (answer, words) => {
  expect(answerWords(answer)).toBe(words);
});

test('names the first three blockers, and counts the others', () => {
  const environment = 'production';
  expect(
    blockerWords([
      { why: 'not-read', environment, lastSuccessAt: null },
      { why: 'unreadable', environment, events: 12 },
      { why: 'not-announced', environment, lastSuccessAt: null },
      { why: 'not-delivered', lastSuccessAt: null },
      { why: 'not-alerted', waitingSince: NOON },
    ]),
  ).toBe(
    "production isn't checked in time; none of the 12 newest events of production can be read; alerts about production aren't written in time; and 2 more",
  );
});

test.each<[HeartbeatBlocker, string]>([
  [{ why: 'not-delivered', lastSuccessAt: null }, 'delivery has stalled'],
  [{ why: 'not-alerted', waitingSince: NOON }, 'messages are pending'],
])('names %j', (blocker, words) => {
  expect(blockerWords([blocker])).toBe(words);
});

test('names exactly three blockers without a count', () => {
  const stalled = { why: 'not-delivered', lastSuccessAt: null } as const;
  expect(blockerWords([stalled, stalled, stalled])).toBe(
    'delivery has stalled; delivery has stalled; delivery has stalled',
  );
});
