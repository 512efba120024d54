import { MINUTE_MS } from '../lib/time/durations.ts';
import type { PostReason } from './decide.ts';

/** What the watch's pace never delays. */
const URGENT: readonly PostReason[] = ['back', 'every', 'critical', 'again', 'grown', 'escalated'];
/** Singles of so long are posted together. */
const GATHERED_MS = 15 * MINUTE_MS;

/** When a watch last posted, and last notified somebody. */
export interface Pace {
  everyMs: number;
  lastPostedAt: Date | null;
  lastNotifiedAt: Date | null;
}

/** Returns all posts if one may notify now, else the singles once they were gathered. */
export function pacedPosts<Posted extends { reason: PostReason; isUrgent: boolean }>(
  posts: readonly Posted[],
  { everyMs, lastPostedAt, lastNotifiedAt }: Pace,
  now: Date,
): readonly Posted[] {
  const isSingle = ({ reason }: Posted) => reason === 'single';
  const notifying = posts.filter((post) => !isSingle(post));
  const isUrgent = posts.some((post) => post.isUrgent || URGENT.includes(post.reason));
  if (isUrgent || (notifying.length > 0 && !isWithin(everyMs, lastNotifiedAt, now))) return posts;
  return isWithin(GATHERED_MS, lastPostedAt, now) ? [] : posts.filter(isSingle);
}

/** A date far in the future counts as old: a wrong clock silences nothing. */
const isWithin = (ms: number, at: Date | null, now: Date): boolean =>
  at !== null && Math.abs(now.getTime() - at.getTime()) < ms;
