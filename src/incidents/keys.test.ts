import { expect, test } from 'vitest';
import { keysOf } from './keys.ts';

const UNEXPLAINED = { headline: null, whose: null };
const place = { channel: 'email', provider: null, verdict: 'failed', isTest: false } as const;
const said = (text: string) => ({ ...place, cause: { text, key: text } });

test.each([
  ...[{ environment: 'staging' }, { channel: 'sms' }, { provider: 'ses' }, { cause: { text: '', key: 'other' } }],
  ...([{ verdict: 'warning' }, { isTest: true }] as const),
])('What fails otherwise is another incident: %j', ({ environment = 'production', ...other }) => {
  const keys = (env: string, change: object) => keysOf(env, { ...said(''), ...change }, UNEXPLAINED);
  expect(keys(environment, other).key).not.toBe(keys('production', {}).key);
});

test('One explained cause in three languages, or with two codes, is one incident with a wording each', () => {
  const limit = { headline: 'rate limit reached', whose: 'ours' };
  const texts = ['rate limit exceeded', 'limite atteinte', 'Anfragelimit erreicht', 'error 429-7'];
  const keys = texts.map((text) => keysOf('production', said(text), limit));
  expect([new Set(keys.map(({ key }) => key)).size, new Set(keys.map(({ wordingKey }) => wordingKey)).size]).toEqual([
    1, 4,
  ]);
  expect(keysOf('production', said('limite atteinte'), { ...limit, whose: 'recipient' }).key).not.toBe(keys[0]?.key);
});
