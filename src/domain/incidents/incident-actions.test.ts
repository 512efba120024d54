import { expect, test } from 'vitest';
import type { StateNow } from './episode.ts';
import { isOver } from './incident-actions.ts';

const NOON = new Date('2026-05-04T12:00:00.000Z');

const rowIn = (state: StateNow) => ({ episode: { episodeId: 17, state }, newest: { episodeId: 17 }, hasEnded: false });

test.each<StateNow>([
  { is: 'firing' },
  { is: 'quiet', since: NOON },
  { is: 'recovering', since: NOON, sendingSince: null },
])('an incident that is $is can be acknowledged', (state) => {
  expect(isOver(rowIn(state))).toBe(false);
});

test('nothing is left to acknowledge once it is resolved, had no failure for a day, or began its next episode', () => {
  const firing = rowIn({ is: 'firing' });
  expect(isOver(rowIn({ is: 'resolved', at: NOON, by: null }))).toBe(true);
  expect(isOver({ ...firing, hasEnded: true })).toBe(true);
  expect(isOver({ ...firing, newest: { episodeId: 18 } })).toBe(true);
});
