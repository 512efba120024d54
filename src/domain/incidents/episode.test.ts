import { describe, expect, test } from 'vitest';
import { EPISODE_MS, type LastEpisode, nextEpisode } from './episode.ts';

const NOON = new Date('2026-05-04T12:00:00.000Z');
const HOUR = 60 * 60_000;
const later = (ms: number) => new Date(NOON.getTime() + ms);

type Last = Omit<LastEpisode, 'checkedMs'>;

function last(change: Partial<Last> = {}): Last {
  return {
    ...{ endsAt: later(EPISODE_MS), lastFailureAt: NOON, lastRecordedAt: NOON, state: 'firing', returns: 0 },
    ...{ resolvedByPersonAt: null, ...change },
  };
}

const following = (before: Last, occurredAt: Date, now: Date) =>
  nextEpisode({ ...before, checkedMs: now.getTime() - before.lastRecordedAt.getTime() }, occurredAt, now);

const next = (before: Last, now: Date) => following(before, now, now);

describe('a failure', () => {
  test('of a new incident begins a new episode', () => {
    expect(nextEpisode(null, NOON, NOON)).toEqual({ beganAs: 'new', returns: 0 });
  });

  test('belongs to the last episode until an hour has passed without a failure', () => {
    expect(next(last(), later(HOUR - 1))).toBeNull();
    expect(next(last(), later(HOUR))).toEqual({ beganAs: 'back', returns: 1 });
  });

  test.each([
    [1, 2],
    [2, 4],
    [3, 8],
    [4, 16],
    [5, 24],
    [40, 24],
  ])('comes back after twice the pause for each return: after %i of them %i hours', (returns, hours) => {
    expect(next(last({ returns }), later(hours * HOUR - 1))).toBeNull();
    expect(next(last({ returns }), later(hours * HOUR))?.beganAs).toBe('back');
  });

  test('belongs to the last episode of an incident that fires while an hour without a failure was not checked', () => {
    const unchecked = (ms: number, state: Last['state'] = 'firing') =>
      nextEpisode({ ...last({ state }), checkedMs: HOUR - 1 }, later(ms), later(ms));
    expect(unchecked(EPISODE_MS - 1)).toBeNull();
    expect(unchecked(EPISODE_MS)).toEqual({ beganAs: 'goes-on', returns: 0 });
    expect(unchecked(EPISODE_MS - 1, 'quiet')?.beganAs).toBe('back');
    expect(unchecked(EPISODE_MS, 'resolved')?.beganAs).toBe('back');
  });

  test('counts as the first return after a pause of a day', () => {
    expect(next(last({ returns: 2 }), later(EPISODE_MS - 1))).toEqual({ beganAs: 'back', returns: 3 });
    expect(next(last({ returns: 2 }), later(EPISODE_MS))).toEqual({ beganAs: 'back', returns: 0 });
  });

  test("that continues after its episode's day begins the next episode", () => {
    const ending = last({ endsAt: later(30 * 60_000), returns: 2 });
    expect(next(ending, later(30 * 60_000 - 1))).toBeNull();
    expect(next(ending, later(30 * 60_000))).toEqual({ beganAs: 'goes-on', returns: 2 });
  });

  test.each(['recovering', 'resolved'] as const)(
    'of an incident that is %s relapses in its episode for a day, and in a new one after its end',
    (state) => {
      expect(next(last({ state }), later(EPISODE_MS - 1))).toBeNull();
      expect(next(last({ state, endsAt: later(HOUR) }), later(2 * HOUR))).toEqual({
        beganAs: 'relapsed',
        returns: 0,
      });
      expect(next(last({ state }), later(EPISODE_MS))).toEqual({ beganAs: 'back', returns: 0 });
    },
  );

  test.each(['recovering', 'resolved'] as const)(
    'from before the last one, found late, belongs to the episode of an incident that is %s, even after its end',
    (state) => {
      const ended = last({ state, endsAt: later(HOUR) });
      for (const now of [later(2 * HOUR), later(2 * EPISODE_MS)]) {
        expect(following(ended, NOON, now)).toBeNull();
        expect(following(ended, later(1), now)).not.toBeNull();
      }
    },
  );

  test('from before a person resolved the incident, found late, belongs to its episode, even after its end', () => {
    const resolved = last({ state: 'resolved', resolvedByPersonAt: later(HOUR), endsAt: later(HOUR) });
    expect(following(resolved, later(HOUR), later(2 * HOUR))).toBeNull();
    expect(following(resolved, later(HOUR + 1), later(2 * HOUR))).toEqual({ beganAs: 'relapsed', returns: 0 });
  });

  test("from before the last one, found late, is reported as news of an incident that isn't over", () => {
    expect(following(last({ endsAt: later(1) }), NOON, later(2))?.beganAs).toBe('goes-on');
    expect(following(last({ state: 'quiet' }), NOON, later(HOUR))?.beganAs).toBe('back');
  });

  test('of a quiet incident is back, as one of a firing incident', () => {
    expect(next(last({ state: 'quiet' }), later(HOUR))).toEqual({ beganAs: 'back', returns: 1 });
  });
});
