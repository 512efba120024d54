import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Later } from './later.ts';

describe('an item that is due later', () => {
  let now: number;
  let begun: string[];
  let later: Later<string>;
  beforeEach(() => {
    vi.useFakeTimers();
    now = 1_000;
    begun = [];
    later = new Later(
      () => now,
      (item) => void begun.push(item),
    );
  });
  afterEach(() => {
    later.close();
    vi.useRealTimers();
  });
  const come = (time: number) => {
    now = time;
    vi.advanceTimersByTime(100);
  };

  test('begins when the clock reaches its time, and not earlier', () => {
    later.put('one', 2_000);
    come(1_999);
    expect([begun, later.waiting]).toEqual([[], ['one']]);
    come(2_000);
    expect([begun, later.waiting]).toEqual([['one'], []]);
  });

  test('begins at once if its time has passed', () => {
    later.put('one', 1_000);
    expect(begun).toEqual(['one']);
  });

  test('begins once, however late the clock is', () => {
    later.put('one', 2_000);
    later.put('two', 3_000);
    come(9_000);
    come(9_100);
    expect(begun).toEqual(['one', 'two']);
  });

  test('never begins if it was dropped or the list was closed', () => {
    later.put('one', 2_000);
    later.put('two', 2_000);
    later.drop((item) => item === 'one');
    expect(later.waiting).toEqual(['two']);
    later.close();
    come(2_000);
    expect(begun).toEqual([]);
  });
});
