import { expect, test } from 'vitest';
import { formatSize } from '../message-view.tsx';

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_500, '1.5 kB'],
  [2_000_000, '2 MB'],
  [3_000_000_000_000, '3000 GB'],
])('formatSize formats %i bytes as %s', (bytes, words) => {
  expect(formatSize(bytes)).toBe(words);
});
