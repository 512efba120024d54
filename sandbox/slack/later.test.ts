import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Later } from './later.ts';

describe('what waits for a clock', () => {
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

  it('begins when the clock has come so far, and not a moment earlier', () => {
    later.put('one', 2_000);
    come(1_999);
    expect([begun, later.waiting]).toEqual([[], ['one']]);
    come(2_000);
    expect([begun, later.waiting]).toEqual([['one'], []]);
  });

  it('begins at once when its time is over', () => {
    later.put('one', 1_000);
    expect(begun).toEqual(['one']);
  });

  it('begins each once, however late the clock', () => {
    later.put('one', 2_000);
    later.put('two', 3_000);
    come(9_000);
    come(9_100);
    expect(begun).toEqual(['one', 'two']);
  });

  it('never begins what was dropped, nor anything once it is closed', () => {
    later.put('one', 2_000);
    later.put('two', 2_000);
    later.drop((item) => item === 'one');
    expect(later.waiting).toEqual(['two']);
    later.close();
    come(2_000);
    expect(begun).toEqual([]);
  });
});
