import { describe, expect, test } from 'vitest';
import { drawStory } from './story.ts';
import { createWorld, drawSwitches } from './world.ts';

describe('a world', () => {
  test('draws the same switches for the same seed', () => {
    expect(drawSwitches(42)).toEqual(drawSwitches(42));
    expect(drawSwitches(42)).not.toEqual(drawSwitches(43));
  });

  test("draws the same story with switches that don't affect it", () => {
    const plain = drawStory(createWorld(11, []));
    const difficult = drawStory(createWorld(11, ['kills', 'ascending', 'slack-away']));
    expect(difficult).toEqual(plain);
  });

  test('draws the same events for an excerpt', () => {
    const world = createWorld(11, ['late-listing']);
    const whole = drawStory(world);
    expect(drawStory(world, { from: 2, to: 4 }).events).toEqual(whole.events.slice(2, 5));
  });
});
