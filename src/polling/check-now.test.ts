import { expect, test } from 'vitest';
import { ServiceError } from '../service/service-error.ts';
import { createPolls } from './check-now.ts';

test('questions that come before a poll begins share it, and it records until it ends', async () => {
  const woken: string[] = [];
  const wakePoll = async (woke: string) => void woken.push(woke);
  const polls = createPolls({ wakePoll, sleep: () => new Promise(() => {}), heldForMs: () => 0 });
  const checks = [polls.checkNow('a'), polls.checkNow('a')];
  expect(woken).toEqual(['a', 'a']);
  const recording = () => [polls.isRecording('a'), polls.isRecording('b')];
  expect(recording()).toEqual([false, false]);
  await polls.run('a', async () => expect(recording()).toEqual([true, false]));
  expect(recording()).toEqual([false, false]);
  expect(await Promise.all(checks)).toEqual(Array(2).fill({ outcome: 'checked', problem: null }));
});

test('a question is answered while the poll takes long, with the hold that the service asks for', async () => {
  const polls = createPolls({
    wakePoll: async () => {},
    sleep: async () => {},
    heldForMs: (held) => (held === 'a' ? 5_000 : 0),
  });
  const problem = { kind: 'rate-limited', retryAfterMs: 5_000 } as const;
  expect(await polls.checkNow('a')).toEqual({ outcome: 'still checking', problem });
  expect(await polls.checkNow('b')).toEqual({ outcome: 'still checking', problem: null });
});

test('a question is answered when the poll fails, with the problem of the service if it has one', async () => {
  const problem = { kind: 'rate-limited', retryAfterMs: 5_000 } as const;
  const failing = createPolls({ wakePoll: async () => {}, sleep: () => new Promise(() => {}), heldForMs: () => 0 });
  const answers = [failing.checkNow('a'), failing.checkNow('b')];
  const fail = (error: Error) => async () => Promise.reject(error);
  await expect(failing.run('a', fail(new ServiceError('a', 'listEvents', problem)))).rejects.toThrow();
  await expect(failing.run('b', fail(new TypeError('a bug')))).rejects.toThrow('a bug');
  expect(await Promise.all(answers)).toEqual([problem, null].map((why) => ({ outcome: 'failed', problem: why })));
});
