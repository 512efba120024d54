import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createPause, inTime, type Sleep } from './waiting.ts';

const LATE = { ms: 500, instead: 'nothing yet' };

function aSleep() {
  const asleep: { ms: number; isAborted: boolean; wake: () => void; fail: () => void }[] = [];
  const sleep: Sleep = (ms, signal) =>
    new Promise((resolve, reject) => {
      const one = { ms, isAborted: false, wake: resolve, fail: () => reject(new Error('the sleep was disturbed')) };
      asleep.push(one);
      signal?.addEventListener('abort', () => {
        one.isAborted = true;
        one.fail();
      });
    });
  return { asleep, sleep };
}

const never = new Promise<string>(() => {});

describe('an answer that is awaited only for a while', () => {
  test('is returned if it comes in time, and nothing waits on', async () => {
    const { asleep, sleep } = aSleep();
    expect(await inTime(Promise.resolve('the answer'), LATE, sleep)).toBe('the answer');
    expect(asleep).toMatchObject([{ ms: 500, isAborted: true }]);
  });

  test('is replaced if it takes longer', async () => {
    const { asleep, sleep } = aSleep();
    const answer = inTime(never, LATE, sleep);
    asleep[0]?.wake();
    expect(await answer).toBe('nothing yet');
  });

  test('fails with its own error, and nothing waits on', async () => {
    const { asleep, sleep } = aSleep();
    await expect(inTime(Promise.reject(new Error('no answer')), LATE, sleep)).rejects.toThrow('no answer');
    expect(asleep).toMatchObject([{ isAborted: true }]);
  });

  test('may fail later without harm', async () => {
    const { asleep, sleep } = aSleep();
    let fail = () => {};
    const failing = new Promise<string>((_, reject) => {
      fail = () => reject(new Error('too late'));
    });
    const answer = inTime(failing, LATE, sleep);
    asleep[0]?.wake();
    expect(await answer).toBe('nothing yet');
    fail();
    // An error that nobody handles fails the run of the tests.
    await setImmediate();
  });
});

function aPauseAt(start: number) {
  let now = start;
  const pause = createPause(() => now);
  return { pause, setClock: (to: number) => (now = to) };
}

describe('a pause', () => {
  test('lasts as long as it was asked for', () => {
    const { pause, setClock } = aPauseAt(1_000);
    pause.extend(500);
    expect(pause.end()).toBe(1_500);
    setClock(1_499);
    expect(pause.end()).toBe(1_500);
    setClock(1_500);
    expect(pause.end()).toBeNull();
  });

  test('gets longer by a later end, and never shorter', () => {
    const { pause, setClock } = aPauseAt(1_000);
    pause.extend(500);
    setClock(1_200);
    pause.extend(100);
    expect(pause.end()).toBe(1_500);
    pause.extend(400);
    expect(pause.end()).toBe(1_600);
  });

  test('is over if the clock is set back to before its beginning', () => {
    const { pause, setClock } = aPauseAt(1_000);
    pause.extend(500);
    setClock(999);
    expect(pause.end()).toBeNull();
    pause.extend(20);
    expect(pause.end()).toBe(1_019);
  });
});
