import { describe, expect, test } from 'vitest';
import { aWatch } from './watch.testing.ts';
import { numberedWatches, watchNumberIn } from './watches.ts';

describe('the number of a watch after a command', () => {
  test('may be left out', () => {
    expect(watchNumberIn([], '/notif unwatch')).toBeNull();
  });

  test.for([
    ['1', 1],
    ['20', 20],
    ['999999', 999_999],
  ] as const)('is a whole number: %s', ([word, number]) => {
    expect(watchNumberIn([word], '/notif unwatch')).toBe(number);
  });

  test.for(['0', '02', 'two', '2nd', '#2', '-2', '1000000', '2 3'])('is nothing else, and alone: %s', (typed) => {
    expect(() => watchNumberIn(typed.split(' '), '/notif unwatch')).toThrow(
      expect.objectContaining({
        field: 'number',
        message: '/notif unwatch takes the number of a watch, as /notif watches shows it.',
        example: '/notif unwatch 2',
      }),
    );
  });
});

describe('the watches that a number means', () => {
  const [first, third] = [aWatch({ number: 1 }), aWatch({ number: 3 })];

  test('are the one with it, or all without a number', () => {
    expect(numberedWatches(3, [first, third])).toEqual([third]);
    expect(numberedWatches(null, [first, third])).toEqual([first, third]);
  });

  test.for([
    [2, [first, third], { field: 'number', message: 'This channel has no watch 2. /notif watches lists them.' }],
    [2, [], { field: 'watch', message: 'This channel has no watch.', example: '/notif watch' }],
    [null, [], { field: 'watch', message: 'This channel has no watch.', example: '/notif watch' }],
  ] as const)('are at least one: %s', ([number, watches, error]) => {
    expect(() => numberedWatches(number, watches)).toThrow(expect.objectContaining(error));
  });

  test('are listed by the command that the answer suggests', () => {
    expect(() => numberedWatches(2, [first])).toThrow(expect.objectContaining({ example: '/notif watches' }));
  });
});
