import { expect, test } from 'vitest';
import { parseRateLimit } from './rate-limit.ts';

test.each([
  ['a limit and its window', { 'ratelimit-limit': '150', 'ratelimit-policy': '150;w=5;burst=15' }, 1_800],
  ['a limit alone', { 'ratelimit-limit': '150', 'ratelimit-reset': '3' }, 1_800],
  ['a limit that lasts for longer', { 'ratelimit-limit': '600', 'ratelimit-reset': '60' }, 600],
  ['nothing', {}, null],
  ['nonsense', { 'ratelimit-limit': 'many', 'ratelimit-policy': ';w=0' }, null],
])('parseRateLimit reads the requests a minute of a response that states %s', (_case, headers, perMinute) => {
  expect(parseRateLimit(new Headers(headers))).toBe(perMinute);
});
