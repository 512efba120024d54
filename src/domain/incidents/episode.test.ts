import { describe, expect, it } from 'vitest';
import { EPISODE_MS, nextEpisode } from './episode.ts';

const NOON = new Date('2026-05-04T12:00:00.000Z');
const HOUR = 60 * 60_000;
const later = (ms: number) => new Date(NOON.getTime() + ms);

type Last = NonNullable<Parameters<typeof nextEpisode>[0]>;

/** An episode whose last failure was recorded at noon and that ends a day later. */
function last(change: Partial<Last> = {}): Last {
  return { endsAt: later(EPISODE_MS), lastRecordedAt: NOON, state: 'firing', returns: 0, ...change };
}

describe('a failure', () => {
  it('of a new incident begins a new episode', () => {
    expect(nextEpisode(null, NOON)).toEqual({ beganAs: 'new', returns: 0 });
  });

  it('belongs to the last episode until an hour has passed without a failure', () => {
    expect(nextEpisode(last(), later(HOUR - 1))).toBeNull();
    expect(nextEpisode(last(), later(HOUR))).toEqual({ beganAs: 'back', returns: 1 });
  });

  it.each([
    [1, 2],
    [2, 4],
    [3, 8],
    [4, 16],
    [5, 24],
    [40, 24],
  ])('comes back after twice the pause for each return: after %i of them %i hours', (returns, hours) => {
    expect(nextEpisode(last({ returns }), later(hours * HOUR - 1))).toBeNull();
    expect(nextEpisode(last({ returns }), later(hours * HOUR))?.beganAs).toBe('back');
  });

  it('counts as the first return after a pause of a day', () => {
    expect(nextEpisode(last({ returns: 2 }), later(EPISODE_MS - 1))).toEqual({ beganAs: 'back', returns: 3 });
    expect(nextEpisode(last({ returns: 2 }), later(EPISODE_MS))).toEqual({ beganAs: 'back', returns: 0 });
  });

  it("that continues after its episode's day begins the next episode", () => {
    const ending = last({ endsAt: later(30 * 60_000), returns: 2 });
    expect(nextEpisode(ending, later(30 * 60_000 - 1))).toBeNull();
    expect(nextEpisode(ending, later(30 * 60_000))).toEqual({ beganAs: 'goes-on', returns: 2 });
  });

  it.each(['recovering', 'resolved'] as const)(
    'of an incident that is %s relapses in its episode for a day, and in a new one after its end',
    (state) => {
      expect(nextEpisode(last({ state }), later(EPISODE_MS - 1))).toBeNull();
      expect(nextEpisode(last({ state, endsAt: later(HOUR) }), later(2 * HOUR))).toEqual({
        beganAs: 'relapsed',
        returns: 0,
      });
      expect(nextEpisode(last({ state }), later(EPISODE_MS))).toEqual({ beganAs: 'back', returns: 0 });
    },
  );

  it('of a quiet incident is back, as one of a firing incident', () => {
    expect(nextEpisode(last({ state: 'quiet' }), later(HOUR))).toEqual({ beganAs: 'back', returns: 1 });
  });
});
