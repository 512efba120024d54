import { describe, expect, test } from 'vitest';
import { createPause } from './waiting.ts';

function aPauseAt(start: number) {
  let now = start;
  const pause = createPause(() => now);
  return { pause, setClock: (to: number) => (now = to) };
}

describe('a pause', () => {
  test("isn't there before something asks for it", () => {
    expect(aPauseAt(1_000).pause.end()).toBeNull();
  });

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

  test('can begin again once it is over', () => {
    const { pause, setClock } = aPauseAt(1_000);
    pause.extend(500);
    setClock(2_000);
    pause.extend(10);
    expect(pause.end()).toBe(2_010);
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
