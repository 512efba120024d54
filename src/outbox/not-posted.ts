import { addMilliseconds } from 'date-fns';
import type { ChannelRefusal } from '../lib/refusals.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { operatorsNow } from '../people/identity.ts';
import type { Claimed } from './claims.ts';
import * as claims from './claims.ts';
import { type DeliverCtx, kindOf } from './delivery-common.ts';
import type { Draft, ShutOut } from './kinds.ts';

// What becomes of a message that isn't posted now, or ever.

/** Seven tries take some two minutes. */
const MOST_TRIES = 7;

export function isHopeless<Content>(ctx: DeliverCtx<Content>, claimed: Claimed): boolean {
  return claimed.attempt >= MOST_TRIES && kindOf(ctx, claimed)?.mustArrive !== true;
}

export async function giveUp<Content>(ctx: DeliverCtx<Content>, claimed: Claimed, reason: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (await claims.noteGivenUp(tx, claimed, reason))
      await kindOf(ctx, claimed)?.dropped?.(tx, claimed, reason, ctx.now());
  });
}

/** Nothing was posted; it is tried again after `ms`. */
export async function postponeBy<Content>(
  { db, now }: DeliverCtx<Content>,
  claimed: Claimed,
  reason: string,
  ms: number,
): Promise<void> {
  await claims.noteNotPosted(db, claimed, reason, addMilliseconds(now(), ms));
}

/** How long after a lost answer Slack can still carry out a post. */
const LOOK_LAST_MS = 10 * MINUTE_MS;

/** Notes that a message isn't posted now, or ever. */
export async function leaveOut<Content>(
  ctx: DeliverCtx<Content>,
  claimed: Claimed,
  draft: Exclude<Draft<Content>, { is: 'drawn' }>,
  mayRepeat: boolean,
): Promise<void> {
  const { db, now } = ctx;
  switch (draft.is) {
    case 'unreadable':
      return postponeBy(ctx, claimed, 'unreadable', claims.LONGEST_RETRY_MS);
    case 'held':
      await claims.noteNotPosted(db, claimed, claims.HELD, draft.until);
      return;
    case 'moved':
      await claims.noteMoved(db, claimed, draft.channel, now());
      return;
    case 'untrue': {
      const since = mayRepeat ? claimed.unresolvedSince : null;
      // Slack may still carry out a post of which the answer was lost: it is looked for once more.
      if (since !== null && now() < addMilliseconds(since, LOOK_LAST_MS))
        await claims.noteUnresolved(db, claimed, LOOK_LAST_MS);
      else await giveUp(ctx, claimed, draft.why);
    }
  }
}

/** What Slack refuses for good is said where it was caused. */
export async function noteUnreached<Content>(
  ctx: DeliverCtx<Content>,
  claimed: Claimed,
  content: Content,
  code: string,
): Promise<void> {
  const { db, publisher, now } = ctx;
  const { initiator, channel: recipient } = claimed;
  const isToTell = initiator !== null && (await claims.renewClaim(db, claimed));
  const told = isToTell ? await publisher.tellInitiator(content, { initiator, recipient, code }) : null;
  if (told?.is === 'refused' || told?.is === 'unanswered') {
    const limitMs = told.is === 'refused' ? told.retryAfterMs : null;
    return postponeBy(ctx, claimed, code, limitMs ?? claims.pauseAfter(claimed.attempt));
  }
  const kind = kindOf(ctx, claimed);
  const operators = kind?.unreached === undefined ? [] : await operatorsNow(ctx);
  await db.transaction(async (tx) => {
    if (!(await claims.noteGivenUp(tx, claimed, code))) return;
    await kind?.unreached?.(tx, claimed, { code, isTold: told?.is === 'posted', operators }, now());
    await kind?.dropped?.(tx, claimed, code, now());
  });
  await ctx.wakeAnnouncing();
}

/** Its channel refuses all messages: its kind decides what that means. */
export async function noteShutOut<Content>(
  ctx: DeliverCtx<Content>,
  claimed: Claimed,
  { why, reason }: { why: ChannelRefusal; reason: string },
): Promise<void> {
  const { db, now } = ctx;
  const facts: ShutOut = { why, reason, ...(await factsAbout(ctx, claimed.channel, why)) };
  await db.transaction(async (tx) => {
    const kind = kindOf(ctx, claimed);
    const verdict = kind?.shutOut === undefined ? 'give-up' : await kind.shutOut(tx, claimed, facts, now());
    if (verdict === 'retry')
      await claims.noteNotPosted(tx, claimed, why, addMilliseconds(now(), claims.LONGEST_RETRY_MS));
    else if (await claims.noteGivenUp(tx, claimed, reason)) await kind?.dropped?.(tx, claimed, reason, now());
  });
}

/** What Slack says of the channel when it is asked. */
async function factsAbout<Content>(
  ctx: DeliverCtx<Content>,
  channel: string,
  why: ChannelRefusal,
): Promise<Pick<ShutOut, 'isConfirmed' | 'operators'>> {
  try {
    const operators = await operatorsNow(ctx);
    if (why === 'channel-restricted') return { isConfirmed: false, operators };
    const known = await ctx.channels.ask(channel);
    const isConfirmed = known === null || (why === 'channel-archived' ? known.isArchived : !known.isMember);
    return { isConfirmed, operators };
  } catch (err) {
    ctx.logger.warn({ err, channel }, "Slack didn't say more about a channel that refuses messages");
    return { isConfirmed: false, operators: ctx.operators.users };
  }
}
