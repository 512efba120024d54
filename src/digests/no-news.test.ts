import { expect, test } from 'vitest';
import { aWatch } from '../watches/watch.testing.ts';
import { createNoNews } from './no-news.ts';

const SEEN = { id: 7, environment: 'production', recorded: 3, isDue: false };

test('what is no news to a watch is known until more is recorded or it is due, for each watch and environment', () => {
  const [watch, other] = [aWatch({ id: 'one' }), aWatch({ id: 'other' })];
  const noNews = createNoNews();
  noNews.note(watch, 'production', [SEEN]);
  noNews.note(watch, 'staging', []);
  noNews.note(other, 'production', []);
  expect(noNews.has(watch, SEEN)).toBe(true);
  expect(noNews.has(watch, { ...SEEN, recorded: 4 })).toBe(false);
  expect(noNews.has(watch, { ...SEEN, id: 8 })).toBe(false);
  expect(noNews.has(watch, { ...SEEN, isDue: true })).toBe(false);
  expect(noNews.has(watch, { ...SEEN, environment: 'staging' })).toBe(false);
  expect(noNews.has(other, SEEN)).toBe(false);
  noNews.note(watch, 'production', []);
  expect(noNews.has(watch, SEEN)).toBe(false);
});
