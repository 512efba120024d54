import { expect, test } from 'vitest';
import { CATALOG } from '../../../causes/catalog.ts';
import { causeLines } from './cause-words.ts';

const linesOf = (next: string, again: number | 'never') => {
  const entry = { headline: 'down', meaning: 'It is down', whose: 'provider', again, next, source: null } as const;
  return causeLines({ known: true, entry, statusPage: 'https://status.example.com/' }).join('\n');
};

test('every entry that ends in waiting links the status page', () => {
  const waiting = CATALOG.filter(({ again, next }) => typeof again === 'number' && /^wait\b/i.test(next));
  expect(waiting.length).toBeGreaterThan(0);
  for (const { next, again } of waiting) {
    expect(linesOf(next, typeof again === 'number' ? again : 'never')).toContain('<https://status.example.com/|');
  }
});

test('an entry with something to do instead links no status page', () => {
  expect(linesOf('Reach the recipient another way.', 720)).not.toContain('status.example.com');
});
