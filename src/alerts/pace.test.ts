import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts';
import type { PostReason } from './decide.ts';
import { type Pace, pacedPosts } from './pace.ts';

const NOW = new Date('2026-03-04T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

describe('What is to be posted becomes a message', () => {
  const becomes = (reasons: PostReason[], pace: Partial<Pace>, isUrgent = false) => {
    const all = { everyMs: 0, lastNotifiedAt: null, lastPostedAt: null, ...pace };
    const posts = reasons.map((reason) => ({ reason, isUrgent }));
    return pacedPosts(posts, all, NOW).map(({ reason }) => reason);
  };
  const hourly = { everyMs: HOUR_MS, lastNotifiedAt: ago(HOUR_MS - 1), lastPostedAt: ago(HOUR_MS - 1) };

  test('when the pace lets it', () => {
    expect(becomes(['new', 'goes-on', 'missed'], hourly)).toEqual([]);
    expect(becomes(['new'], { ...hourly, lastNotifiedAt: ago(HOUR_MS) })).toEqual(['new']);
  });

  test.each(['back', 'every', 'critical', 'again', 'grown', 'escalated'] as const)(
    'with what the pace holds back as soon as one is %s',
    (reason) => {
      expect(becomes(['new', reason, 'goes-on'], hourly)).toEqual(['new', reason, 'goes-on']);
    },
  );

  test('at once where a new one fails for everyone, or is critical', () => {
    expect(becomes(['new'], hourly, true)).toEqual(['new']);
  });

  test('of singles alone after a quarter of an hour, and with what alerts at once', () => {
    expect(becomes(['single'], { lastPostedAt: ago(15 * MINUTE_MS - 1) })).toEqual([]);
    expect(becomes(['single', 'new'], { lastPostedAt: ago(MINUTE_MS) })).toEqual(['single', 'new']);
    expect(becomes(['single', 'new'], hourly)).toEqual(['single']);
  });

  test('even if a wrong clock dated the last alert into the future', () => {
    expect(becomes(['new'], { ...hourly, lastNotifiedAt: new Date(NOW.getTime() + DAY_MS) })).toEqual(['new']);
  });
});
