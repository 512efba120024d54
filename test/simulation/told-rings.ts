import { broke, type Discrepancy } from './account.ts';
import { mentionIn, type Reading } from './readings.ts';
import {
  around,
  every,
  HOUR,
  isAcknowledged,
  isLost,
  isMuted,
  live,
  MINUTE,
  outbreakAt,
  postsOf,
  SECOND,
  type Told,
} from './told-facts.ts';
import { clock } from './virtual-time.ts';

/** Nothing is posted twice without a reason that design.md names. */
export function repeated(told: Told): Discrepancy[] {
  return [...postsOf(told).values()].flatMap((posts) =>
    posts.flatMap((post, index) => {
      const before = posts[index - 1];
      if (before === undefined || before.deliveryId === post.deliveryId || isDeserved(told, before, post)) return [];
      const words = `${post.place} was alerted to #${post.incident} at ${clock(before.at)}`;
      return [broke('alerted-once', `${words} and at ${clock(post.at)}, for nothing`)];
    }),
  );
}

function isDeserved(told: Told, before: Reading, post: Reading): boolean {
  const { incident, deliveryId } = post;
  if (post.isMarked || post.isEscalation || post.at - before.at >= 24 * HOUR) return true;
  if ((told.deletedAt.get(before.deliveryId) ?? Number.POSITIVE_INFINITY) <= post.at) return true;
  const watchId = told.watchOf.get(deliveryId) ?? '';
  const between = told.moments.filter(
    ({ at }) => at >= before.drawnAt - told.withinMs(at) && at <= post.drawnAt + told.blurMs,
  );
  const [now] = around(told, post.drawnAt).slice(-1);
  const then = now?.incidents.get(incident);
  const outbreak = outbreakAt(told, incident, before.drawnAt);
  if (then === undefined || outbreak === null || then.outbreak > outbreak) return true;
  const settings = new Set(between.map(({ watches }) => watches.get(watchId)?.settings));
  const wasHeld = between.some(
    ({ at, watches }) => watches.get(watchId)?.isHeld || isMuted(told, watchId, incident, then.outbreak, at),
  );
  const states = between.map(({ incidents }) => incidents.get(incident)?.state);
  if (settings.size > 1 || wasHeld || states.some((state) => state === 'recovering' || state === 'unconfirmed'))
    return true;
  const known = then.failures.filter(({ at }) => at <= post.drawnAt + told.blurMs);
  const added = known.filter(({ at }) => at > before.drawnAt - told.blurMs - SECOND);
  const old = known.length - added.length;
  const isCriticalNow = added.some(({ critical }) => critical);
  const isGrown = known.length >= 10 * Math.max(1, old) && post.at - before.at >= 14 * MINUTE - told.blurMs;
  return isCriticalNow || isGrown || (known.length >= 5 && added.length > 0);
}

/** A mention is deserved: it fails, nobody has it, and it is five minutes after the one before. */
export function rungWrongly(told: Told): Discrepancy[] {
  return [...postsOf(told).entries()].flatMap(([key, posts]) =>
    posts.flatMap((post, index) => {
      const watchId = key.slice(0, key.lastIndexOf(' '));
      const its = live(told).filter((other) => other.deliveryId === post.deliveryId && other.at === post.at);
      if (mentionIn(post) === null || its.length > 1 || isLost(told, post.drawnAt)) return [];
      const { incident, drawnAt } = post;
      const outbreak = outbreakAt(told, incident, drawnAt);
      const isOver = every(told, drawnAt, ({ incidents }) => incidents.get(incident)?.state !== 'firing');
      const before = posts.slice(0, index).findLast((other) => mentionIn(other) !== null);
      const isOfBefore = before !== undefined && outbreakAt(told, incident, before.drawnAt) === outbreak;
      const isSoon =
        isOfBefore &&
        drawnAt - before.drawnAt < 5 * MINUTE - told.blurMs - SECOND &&
        !post.isMarked &&
        !post.isEscalation;
      const wasHeld = told.moments.some(
        ({ at, watches }) =>
          at <= drawnAt &&
          at > drawnAt - HOUR &&
          (watches.get(watchId)?.isHeld || isMuted(told, watchId, incident, outbreak ?? 0, at)),
      );
      const isOwned = isAcknowledged(told, incident, outbreak, drawnAt) && !post.isEscalation && !wasHeld;
      const isGone = before !== undefined && told.deletedAt.has(before.deliveryId);
      const why = isOver ? "doesn't fail" : isOwned && !isGone ? 'is acknowledged' : isSoon ? 'rang just before' : null;
      return why === null
        ? []
        : [broke('true', `${post.place} was rung at ${clock(post.at)} for #${incident}, which ${why}`)];
    }),
  );
}
