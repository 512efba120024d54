import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MOST_WATCHES } from '../src/domain/watches/most-watches.ts';
import { WATCH_KEYS } from '../src/domain/watches/watch-settings.ts';
import { ROOT } from './source-code.ts';

const page = readFileSync(join(ROOT, 'docs/watches.md'), 'utf8');

test('docs/watches.md has each setting of a watch, and no others', () => {
  const keys = [...page.matchAll(/^\| `(\w+):` \|/gm)].map(([, key]) => key);
  expect(keys.toSorted()).toEqual(WATCH_KEYS.toSorted());
});

test('docs/watches.md says how many watches a channel can have', () => {
  expect(MOST_WATCHES).toBe(20);
  expect(page).toContain('up to twenty');
});
