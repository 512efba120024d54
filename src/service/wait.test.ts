import { describe, expect, test } from 'vitest';
import { at, aWait } from './event.testing.ts';
import { goesOnAt } from './event.ts';

const WEEK = 7 * 24 * 3600;

describe('a waiting step continues', () => {
  test('when the service says', () => {
    expect(goesOnAt({ wait: aWait({ until: at(90), ms: 1_000 }), scheduleExtensions: 0 }, at(10))).toEqual(at(90));
  });

  test('after its wait, counted from its last sign of life', () => {
    expect(goesOnAt({ wait: aWait({ ms: 60_000 }), scheduleExtensions: 0 }, at(10))).toEqual(at(70));
  });

  test.for([null, aWait({ ms: null })])("within a week if it doesn't say how long it waits", (wait) => {
    expect(goesOnAt({ wait, scheduleExtensions: 0 }, at(10))).toEqual(at(10 + WEEK));
  });

  test.for([aWait({ ms: 60_000 }), aWait({ until: at(90) })])(
    "within a week if its wait was extended to fit its subscriber's schedule, whatever it says",
    (wait) => {
      expect(goesOnAt({ wait, scheduleExtensions: 1 }, at(10))).toEqual(at(10 + WEEK));
    },
  );
});
