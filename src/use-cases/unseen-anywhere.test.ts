import { expect, test } from 'vitest';
import { ALL_FAILURES } from '../domain/failures/failure-filter.ts';
import { MOST_KNOWN_NAMES } from '../domain/failures/unseen-names.ts';
import { unseenAnywhere } from './unseen-anywhere.ts';

const ENVIRONMENTS = [{ name: 'production' }, { name: 'staging' }];
const filter = { ...ALL_FAILURES, topics: ['launch', 'lunch'], tags: ['vip'] };

function aStore(topics: readonly string[]) {
  const asked: string[] = [];
  return {
    asked,
    knownNames: async () => ({ topics, tags: ['vip'] }),
    namesSeen: async (environment: string, of: string) => {
      asked.push(`${environment} ${of}`);
      return environment === 'staging' ? ['launch'] : topics;
    },
  };
}

test('a name is unseen only once all names of a kind with too many to list at once were looked at', async () => {
  const store = aStore(Array.from({ length: MOST_KNOWN_NAMES }, (_, i) => `topic-${i}`));
  expect(await unseenAnywhere(filter, ENVIRONMENTS, store)).toMatchObject([{ filter: 'topics', name: 'lunch' }]);
  expect(store.asked).toEqual(['production topics', 'staging topics']);
});

test('names of a kind that is listed whole are looked at once', async () => {
  const store = aStore(['launch']);
  expect(await unseenAnywhere(filter, ENVIRONMENTS, store)).toMatchObject([{ name: 'lunch', meant: 'launch' }]);
  expect(store.asked).toEqual([]);
});
