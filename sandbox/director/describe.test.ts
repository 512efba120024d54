import { expect, test } from 'vitest';
import { clockTime } from './protocol.ts';
import { describeScenarios } from './send-order.ts';

const calm = { name: 'calm', lastsMs: 600_000, description: 'All is well.' };
const drop = { name: 'socket-drop', lastsMs: 120_000, description: 'Cut.' };
const play = { seed: 7, speed: 4, elapsedMs: 65_000, happening: ['The connections are cut'] };

test('describeScenarios lists scenarios, and what is playing below its own', () => {
  expect(
    describeScenarios([
      { ...calm, play: null },
      { ...drop, play },
    ]),
  ).toBe(
    [
      'calm         10:00  All is well.',
      'socket-drop   2:00  Cut.',
      '                    ▶ 1:05 at 4×, seed 7 · The connections are cut',
    ].join('\n'),
  );
});

test('describeScenarios says when a scenario will begin', () => {
  expect(describeScenarios([{ ...calm, play: { ...play, elapsedMs: -24_600 } }])).toContain('▶ begins in 0:25');
});

test('clockTime formats minutes and seconds', () => {
  expect([0, 59_999, 60_000, 605_000].map(clockTime)).toEqual(['0:00', '1:00', '1:00', '10:05']);
});
