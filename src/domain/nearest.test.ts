import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

const COMMANDS = ['event', 'failures', 'trigger', 'watch', 'watches', 'unwatch', 'env', 'mute', 'status'];

describe('nearest', () => {
  it.each([
    ['failurs', 'failures'],
    ['faliures', 'failures'],
    ['FAILURES', 'failures'],
    ['evnet', 'event'],
    ['watche', 'watch'],
    ['env', 'env'],
    ['stauts', 'status'],
  ])('takes %s for %s', (word, meant) => {
    expect(nearest(word, COMMANDS)).toBe(meant);
  });

  it.each(['', 'digest', 'x', 'evvvent!', 'constructor'])('takes %j for none', (word) => {
    expect(nearest(word, COMMANDS)).toBeNull();
  });
});
