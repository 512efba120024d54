import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { drawStory } from './story.ts';
import { createWorld, drawSwitches, SWITCHES } from './world.ts';

describe('a world', () => {
  test('has each of its switches described in docs/simulation.md', async () => {
    const page = await readFile(new URL('../../docs/simulation.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (.+) \|$/gm)].map(([, name, about]) => [name, about]);
    const switches = rows.slice(rows.findIndex(([name]) => name === Object.keys(SWITCHES)[0]));
    expect(Object.fromEntries(switches)).toEqual(SWITCHES);
  });

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
