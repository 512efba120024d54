import { describe, expect, test } from 'vitest';
import { at } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';

describeStore('Home tabs', (store) => {
  const claimed = async (minute: number) => (await store().homes.claimHomes(at(minute))).map(({ userId }) => userId);

  test('are due once, a minute after they were published', async () => {
    await store().homes.noteHomeShown('U0ANN', 'hash-1', at(0));
    expect(await claimed(0.9)).toEqual([]);
    expect(await store().homes.claimHomes(at(1))).toEqual([{ userId: 'U0ANN', hash: 'hash-1' }]);
    expect(await claimed(1.9)).toEqual([]);
    expect(await claimed(2)).toEqual(['U0ANN']);
  });

  test('are due with the hash of what was published last', async () => {
    await store().homes.noteHomeShown('U0ANN', 'hash-1', at(0));
    await store().homes.claimHomes(at(1));
    await store().homes.noteHomeRefreshed('U0ANN', 'hash-2');
    expect(await store().homes.claimHomes(at(2))).toEqual([{ userId: 'U0ANN', hash: 'hash-2' }]);
  });

  test('are forgotten ten minutes after the last look', async () => {
    await store().homes.noteHomeShown('U0ANN', null, at(0));
    await store().homes.noteHomeClicked('U0ANN', at(5));
    expect(await claimed(14)).toEqual(['U0ANN']);
    expect(await claimed(15)).toEqual([]);
    await store().homes.noteHomeClicked('U0ANN', at(16));
    expect(await claimed(17)).toEqual([]);
  });

  test('start over with the next opening, and end when they are forgotten', async () => {
    await store().homes.noteHomeShown('U0ANN', null, at(0));
    await store().homes.noteHomeShown('U0ANN', 'hash-2', at(9));
    expect(await claimed(18)).toEqual(['U0ANN']);
    await store().homes.forgetHome('U0ANN');
    expect(await claimed(18.5)).toEqual([]);
  });

  describe('of many people', () => {
    test('are claimed once by replicas that look at the same time', async () => {
      const people = Array.from({ length: 60 }, (_, index) => `U${index}`);
      await Promise.all(people.map((userId) => store().homes.noteHomeShown(userId, null, at(0))));
      const rounds = await Promise.all([store().homes.claimHomes(at(1)), store().homes.claimHomes(at(1))]);
      const taken = rounds.flat().map(({ userId }) => userId);
      expect(new Set(taken).size).toBe(taken.length);
      expect(taken.length).toBe(60);
    });
  });
});
