import { describe, expect, test } from 'vitest';
import { planDigest } from './digest.ts';

const now = new Date('2026-03-04T12:00:00.000Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

describe('whether a watch is due a digest', () => {
  test('at once for a new group', () => {
    const untold = { groupKeys: ['a'], counted: {}, lastDigestAt: minutesAgo(1) };
    expect(planDigest(untold, now)).toEqual({ kind: 'new-groups', groupKeys: ['a'] });
  });

  test('not while there is nothing to tell', () => {
    expect(planDigest({ groupKeys: [], counted: {}, lastDigestAt: null }, now)).toBeNull();
    expect(planDigest({ groupKeys: [], counted: { undeliverable: 0 }, lastDigestAt: null }, now)).toBeNull();
  });

  test('once an hour for what is only counted', () => {
    const untold = { groupKeys: [], counted: { undeliverable: 3 } };
    expect(planDigest({ ...untold, lastDigestAt: null }, now)?.kind).toBe('counted-only');
    expect(planDigest({ ...untold, lastDigestAt: minutesAgo(59) }, now)).toBeNull();
    expect(planDigest({ ...untold, lastDigestAt: minutesAgo(60) }, now)?.kind).toBe('counted-only');
  });
});
