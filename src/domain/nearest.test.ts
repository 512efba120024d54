import { describe, expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const COMMANDS = ['event', 'failures', 'trigger', 'watch', 'watches', 'unwatch', 'env', 'mute', 'status'];

describe('nearest', () => {
  test.each([
    ['failurs', 'failures'],
    ['faliures', 'failures'],
    ['FAILURES', 'failures'],
    ['evnet', 'event'],
    ['watche', 'watch'],
    ['env', 'env'],
    ['stauts', 'status'],
  ])('corrects %s to %s', (word, meant) => {
    expect(nearest(word, COMMANDS)).toBe(meant);
  });

  test.each(['', 'digest', 'x', 'evvvent!', 'constructor'])('finds no match for %j', (word) => {
    expect(nearest(word, COMMANDS)).toBeNull();
  });
});
