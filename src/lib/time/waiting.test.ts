import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { inTime, type Sleep } from './waiting.ts';

const LATE = [500, 'nothing yet'] as const;

function aSleep() {
  const asleep: { ms: number; isAborted: boolean; wake: () => void; fail: () => void }[] = [];
  const sleep: Sleep = (ms, signal) =>
    new Promise((resolve, reject) => {
      const sleeper = { ms, isAborted: false, wake: resolve, fail: () => reject(new Error('the sleep was disturbed')) };
      asleep.push(sleeper);
      signal?.addEventListener('abort', () => {
        sleeper.isAborted = true;
        sleeper.fail();
      });
    });
  return { asleep, sleep };
}

const never = new Promise<string>(() => {});

describe('an answer that is awaited only for a while', () => {
  test('is returned if it comes in time, and nothing waits on', async () => {
    const { asleep, sleep } = aSleep();
    expect(await inTime(Promise.resolve('the answer'), ...LATE, sleep)).toBe('the answer');
    expect(asleep).toMatchObject([{ ms: 500, isAborted: true }]);
  });

  test('is replaced if it takes longer', async () => {
    const { asleep, sleep } = aSleep();
    const answer = inTime(never, ...LATE, sleep);
    asleep[0]?.wake();
    expect(await answer).toBe('nothing yet');
  });

  test('fails with its own error, and nothing waits on', async () => {
    const { asleep, sleep } = aSleep();
    await expect(inTime(Promise.reject(new Error('no answer')), ...LATE, sleep)).rejects.toThrow('no answer');
    expect(asleep).toMatchObject([{ isAborted: true }]);
  });

  test('may fail later without harm', async () => {
    const { asleep, sleep } = aSleep();
    let fail = () => {};
    const failing = new Promise<string>((_, reject) => {
      fail = () => reject(new Error('too late'));
    });
    const answer = inTime(failing, ...LATE, sleep);
    asleep[0]?.wake();
    expect(await answer).toBe('nothing yet');
    fail();
    // An error that nobody handles fails the run of the tests.
    await setImmediate();
  });
});
