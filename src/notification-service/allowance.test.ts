import { expect, test } from 'vitest';
import { parseAllowance, retryAfterMs } from './allowance.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

test.each([
  ['says nothing', 200, {}, { remaining: null, holdPollerMs: 0, isRefused: false }],
  [
    'leaves plenty',
    200,
    { 'ratelimit-limit': '150', 'ratelimit-remaining': '100', 'ratelimit-reset': '4' },
    { remaining: 100, holdPollerMs: 0, isRefused: false },
  ],
  [
    'leaves less than a quarter',
    200,
    { 'ratelimit-limit': '150', 'ratelimit-remaining': '37', 'ratelimit-reset': '4' },
    { remaining: 37, holdPollerMs: 4_000, isRefused: false },
  ],
  [
    'refuses and says when to come back',
    429,
    { 'ratelimit-remaining': '0', 'retry-after': '3' },
    { remaining: 0, holdPollerMs: 3_000, isRefused: true },
  ],
  ['refuses without a word', 429, {}, { remaining: null, holdPollerMs: 5_000, isRefused: true }],
  ['refuses for an hour', 429, { 'retry-after': '3600' }, { remaining: null, holdPollerMs: 60_000, isRefused: true }],
  [
    'writes nonsense',
    200,
    { 'ratelimit-limit': 'many', 'ratelimit-remaining': '-1' },
    { remaining: null, holdPollerMs: 0, isRefused: false },
  ],
])('reads the allowance of a response that %s', (_case, status, headers, allowance) => {
  expect(parseAllowance(status, new Headers(headers), NOW)).toEqual(allowance);
});

test.each([
  ['7', 7_000],
  ['Fri, 20 Nov 2026 12:00:09 GMT', 9_000],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
  ['soon', null],
])('reads Retry-After %s', (value, ms) => {
  expect(retryAfterMs(new Headers({ 'retry-after': value }), NOW)).toBe(ms);
});

test.each([
  ['ahead of', 'Fri, 20 Nov 2026 12:08:00 GMT', 'Fri, 20 Nov 2026 12:08:05 GMT', 5_000],
  ['behind', 'Fri, 20 Nov 2026 11:52:00 GMT', 'Fri, 20 Nov 2026 11:52:05 GMT', 5_000],
  ['no clock beside', 'today', 'Fri, 20 Nov 2026 12:00:05 GMT', 5_000],
])("reads a date in Retry-After by the response's own clock, %s Notif's", (_, date, value, ms) => {
  expect(retryAfterMs(new Headers({ date, 'retry-after': value }), NOW)).toBe(ms);
  expect(parseAllowance(429, new Headers({ date, 'retry-after': value }), NOW).holdPollerMs).toBe(ms);
});
