import { expect, test } from 'vitest';
import { anEvent, NOON } from './event.testing.ts';
import { keysOf, withoutRepeats } from './paging.ts';

const page = {
  items: [anEvent({ id: 'one' }), anEvent({ id: 'two' })],
  unreadable: [
    { key: 'torn', createdAt: NOON },
    { key: 'odd', createdAt: null },
  ],
  hasMore: true,
};

test('a page is known by the keys of everything on it, readable or not', () => {
  expect(keysOf(page)).toEqual(['one', 'two', 'torn', 'odd']);
});

test('what an earlier page showed is left out, readable or not, and the rest stays', () => {
  const { items, unreadable, hasMore } = withoutRepeats(page, new Set(['one', 'odd']));
  expect(keysOf({ items, unreadable })).toEqual(['two', 'torn']);
  expect(hasMore).toBe(true);
  expect(withoutRepeats(page, new Set())).toEqual(page);
});
