import { broke, type Discrepancy } from './account.ts';
import type { Shown } from './difficult-slack.ts';
import { mentionIn, newsIn, type Reading } from './readings.ts';
import {
  around,
  type FailureThen,
  HOUR,
  isAcknowledged,
  isLost,
  isMuted,
  isPerson,
  MINUTE,
  mayFail,
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

/** What the database lost stands in its thread, or with its person: it is said again only with a mark. */
export function saidAgain(told: Told): Discrepancy[] {
  const { shown, lost } = told;
  if (lost === null || !told.isHistoryRead) return [];
  const said = shown.filter(({ isEdit, threadOf, place }) => !isEdit && (threadOf !== null || isPerson(place)));
  const wordsOf = (each: Shown): string => {
    // Below its news, a direct message shows how the incident is now. An end is found again later.
    const text = (isPerson(each.place) ? each.text.split('\n', 1) : [each.text]).join('');
    const words = newsIn(each) === 'ended' ? text.replaceAll(/\d/g, '') : text.replaceAll(/#\d+/g, '#');
    return JSON.stringify([each.place, each.threadOf, told.aboutOf.get(each.deliveryId), words]);
  };
  const readBeforeLoss = said.filter(({ drawnAt }) => isLost(told, drawnAt) && drawnAt <= lost.to);
  return said.flatMap((each) => {
    const isAfter = each.drawnAt > lost.to && each.drawnAt <= lost.to + told.withinMs(lost.to);
    const first = readBeforeLoss.find((old) => isAfter && !each.isMarked && wordsOf(old) === wordsOf(each));
    if (first === undefined || (told.deletedAt.get(first.deliveryId) ?? Number.POSITIVE_INFINITY) <= each.at) return [];
    const words = `${each.place} reads at ${clock(each.at)} what it read at ${clock(first.at)}, without a mark`;
    return [broke('posted-once', `${words}: ${each.text.split('\n', 1)[0]}`)];
  });
}

/** Whether something between two posts may have deserved the second. */
function isDeserved(told: Told, before: Reading, post: Reading): boolean {
  const { incident, deliveryId } = post;
  // A repeat that says so, an escalation, or a reminder, which is daily.
  if (post.isMarked || post.isEscalation || post.at - before.at >= 24 * HOUR) return true;
  if (isLost(told, before.drawnAt) && !told.isHistoryRead) return true;
  if ((told.deletedAt.get(before.deliveryId) ?? Number.POSITIVE_INFINITY) <= post.at) return true;
  const [now] = around(told, post.drawnAt).slice(-1);
  const then = now?.incidents.get(incident);
  const outbreak = outbreakAt(told, incident, before.drawnAt);
  if (then === undefined || outbreak === null || then.outbreak > outbreak) return true;
  const watchId = told.watchOf.get(deliveryId) ?? '';
  const between = told.moments.filter(
    ({ at }) => at >= before.drawnAt - told.withinMs(at) && at <= post.drawnAt + told.blurMs,
  );
  const settings = new Set(between.map(({ watches }) => watches.get(watchId)?.settings));
  if (settings.size > 1) return true;
  const wasHeld = between.some(
    ({ at, watches }) => watches.get(watchId)?.mayBeHeld || isMuted(told, watchId, incident, then.outbreak, at),
  );
  if (wasHeld) return true;
  const states = between.map(({ incidents }) => incidents.get(incident)?.state);
  if (states.some((state) => state === 'recovering' || state === 'unconfirmed')) return true;
  return hasGotWorse(told, then.failures, before, post);
}

/** Whether it may have become critical, ten times as much in a quarter of an hour, or everything, which takes five failures. */
function hasGotWorse(told: Told, failures: readonly FailureThen[], before: Reading, post: Reading): boolean {
  const since = before.drawnAt - told.blurMs - SECOND;
  const known = failures.filter(({ at }) => at <= post.drawnAt + told.blurMs);
  const added = known.filter(({ at }) => at > since);
  const old = known.length - added.length;
  const isCriticalNow = known.some(({ critical, at, labeledAt }) => critical && Math.max(at, labeledAt) > since);
  const isGrown = known.length >= 10 * Math.max(1, old) && post.at - before.at >= 14 * MINUTE - told.blurMs;
  return isCriticalNow || isGrown || (known.length >= 5 && added.length > 0);
}

/**
 * A mention is deserved: it fails, nobody has it, and it is five minutes after the one before. A post of several rows may ring for one of
 * them.
 */
export function rungWrongly(told: Told): Discrepancy[] {
  const rung = new Map<string, { post: Reading; why: string | null }[]>();
  for (const posts of postsOf(told).values())
    for (const [index, post] of posts.entries()) {
      if (mentionIn(post) === null || isLost(told, post.drawnAt)) continue;
      const key = `${post.deliveryId} ${post.at}`;
      rung.set(key, [...(rung.get(key) ?? []), { post, why: whyUndeserved(told, posts.slice(0, index), post) }]);
    }
  return [...rung.values()].flatMap((rows) => {
    const [first] = rows;
    if (first === undefined || rows.some(({ why }) => why === null)) return [];
    const { place, at } = first.post;
    const whys = rows.map(({ post, why }) => `#${post.incident}, which ${why}`).join(', and ');
    return [broke('true', `${place} was rung at ${clock(at)} for ${whys}`)];
  });
}

function whyUndeserved(told: Told, earlier: readonly Reading[], post: Reading): string | null {
  const { incident, drawnAt, deliveryId } = post;
  const watchId = told.watchOf.get(deliveryId) ?? '';
  const outbreak = outbreakAt(told, incident, drawnAt);
  if (!mayFail(told, incident, drawnAt)) return "doesn't fail";
  const before = earlier.findLast((other) => mentionIn(other) !== null);
  const isGone = before !== undefined && told.deletedAt.has(before.deliveryId);
  const wasHeld = told.moments.some(
    ({ at, watches }) =>
      at <= drawnAt &&
      at > drawnAt - HOUR &&
      (watches.get(watchId)?.mayBeHeld || isMuted(told, watchId, incident, outbreak ?? 0, at)),
  );
  const isOwned = isAcknowledged(told, incident, outbreak, drawnAt) && !post.isEscalation && !wasHeld;
  if (isOwned && !isGone) return 'is acknowledged';
  const isOfBefore = before !== undefined && outbreakAt(told, incident, before.drawnAt) === outbreak;
  const isSoon = isOfBefore && drawnAt - before.drawnAt < 5 * MINUTE - told.blurMs - SECOND;
  return isSoon && !post.isMarked && !post.isEscalation ? 'rang just before' : null;
}
