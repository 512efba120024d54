import { expect, test } from 'vitest';
import { at, NOON } from '../service/event.testing.ts';
import type { HeartbeatAnswer, HeartbeatBlocker } from './heartbeat.ts';
import { answerWords, blockerWords, judgeHeartbeat, type LastHeartbeat } from './heartbeat-report.ts';

const RUNNING = { pollMs: 60_000, startedAt: at(-3_600) };

function judged(last: LastHeartbeat | null, running = RUNNING): string {
  const { verdict, what } = judgeHeartbeat(last, running, NOON);
  return `${verdict} ${what}`;
}

test('is fine only if the last call was answered, lately', () => {
  const answered = { outcome: 'answered', why: null } as const;
  expect(judged({ ...answered, at: at(-12) })).toBe('fine Last answered 12 s ago.');
  expect(judged({ ...answered, at: at(-180) })).toBe('fine Last answered 3 min ago.');
  expect(judged({ ...answered, at: at(-900) })).toBe("problem The dead man's switch has not been called for 15 min.");
});

test('is a problem if the last call failed or was withheld, with the reason', () => {
  expect(judged({ outcome: 'failed', why: 'its address answered 404', at: at(-12) })).toBe(
    "problem The dead man's switch couldn't be called 12 s ago: its address answered 404.",
  );
  expect(judged({ outcome: 'withheld', why: 'delivery has stalled', at: at(-12) })).toBe(
    'problem Withheld 12 s ago, since delivery has stalled.',
  );
});

test('is unknown until a call is due after the start, whatever an earlier process did', () => {
  const started = { ...RUNNING, startedAt: at(-100) };
  const unknown = "unknown The dead man's switch has not been called since Notif started.";
  expect(judged(null, started)).toBe(unknown);
  expect(judged({ outcome: 'failed', why: 'it is long ago', at: at(-86_400) }, started)).toBe(unknown);
  expect(judged(null)).toBe("problem The dead man's switch has not been called yet.");
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

test('says what is known of a call that failed or was withheld for an unknown reason', () => {
  expect(judged({ outcome: 'failed', why: null, at: at(-12) })).toBe(
    "problem The dead man's switch couldn't be called 12 s ago: the log says why.",
  );
  expect(judged({ outcome: 'withheld', why: null, at: at(-12) })).toBe(
    'problem Withheld 12 s ago, since something is not checked or sent.',
  );
});

test.each<[string, LastHeartbeat | null, startedAt: Date, next: string | null]>([
  ['that was answered', { outcome: 'answered', why: null, at: at(-12) }, at(-3_600), null],
  [
    'that failed',
    { outcome: 'failed', why: null, at: at(-12) },
    at(-3_600),
    'Check NOTIF_HEARTBEAT_URL, and that Notif can reach its address. 404 and 410 mean that the switch does not exist.',
  ],
  [
    'that was withheld',
    { outcome: 'withheld', why: null, at: at(-12) },
    at(-3_600),
    'Fix that first: the calls then resume by themselves.',
  ],
  ['that is not due yet', null, at(-100), 'Try again after a poll interval (NOTIF_POLL_SECONDS).'],
  [
    'that was due',
    null,
    at(-3_600),
    'Fix the other problems first. If it persists, look for job failed with heartbeat in the log.',
  ],
])('says what to do about a call %s', (_, last, startedAt, next) => {
  expect(judgeHeartbeat(last, { ...RUNNING, startedAt }, NOON)).toMatchObject({ subject: 'Heartbeat', next });
});
