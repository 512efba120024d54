import { beforeEach, describe, expect, test } from 'vitest';
import { remembering } from './remembered.ts';

describe('a remembered answer', () => {
  let asked: string[];
  let clock: number;
  beforeEach(() => {
    asked = [];
    clock = 0;
  });
  const answers = (ask: (key: string) => Promise<string>, most = 2) =>
    remembering(
      (key) => {
        asked.push(key);
        return ask(key);
      },
      { keptMs: 1_000, most, now: () => new Date(clock) },
    );

  test('is reused until its time is up', async () => {
    const answer = answers(async (key) => `${key} at ${clock}`);
    expect(await answer('a')).toBe('a at 0');
    clock = 999;
    expect(await answer('a')).toBe('a at 0');
    clock = 1_000;
    expect(await answer('a')).toBe('a at 1000');
  });

  test('is requested again after the clock was set back', async () => {
    const answer = answers(async (key) => `${key} at ${clock}`);
    clock = 5_000;
    await answer('a');
    clock = 2_000;
    expect(await answer('a')).toBe('a at 2000');
  });

  test('is requested once by concurrent callers', async () => {
    const answer = answers(async (key) => key);
    await Promise.all([answer('a'), answer('a')]);
    expect(asked).toEqual(['a']);
  });

  test("isn't kept after a failure", async () => {
    const answer = answers((key) => (asked.length === 1 ? Promise.reject(new Error('away')) : Promise.resolve(key)));
    await expect(answer('a')).rejects.toThrow('away');
    expect(await answer('a')).toBe('a');
  });

  test("is forgotten if it's the oldest of too many", async () => {
    const answer = answers(async (key) => key);
    for (const key of ['a', 'b', 'c', 'b', 'a']) await answer(key);
    expect(asked).toEqual(['a', 'b', 'c', 'a']);
  });
});
