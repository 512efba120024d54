import { addMilliseconds } from 'date-fns';
import { isStoreAway } from '../lib/errors.ts';
import type { ChannelRefusal } from '../lib/refusals.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { operatorsNow } from '../people/identity.ts';
import { adoptSent, lostIn, takeStanding } from './adopt.ts';
import type { Claimed } from './claims.ts';
import * as claims from './claims.ts';
import type { Draft, PostOutcome, Sent, ShutOut } from './kinds.ts';
import {
  type DeliverCtx,
  drawn,
  FAILED,
  fieldsOf,
  isPlain,
  isWithin,
  kindOf,
  log,
  type Memory,
  NOT_ACCEPTED,
  noteBack,
  pauseFrom,
  UndrawnError,
} from './post-or-edit.ts';

/** Posts the next message that is due; false: none is. What fails unexpectedly is added to `errors`. */
export async function postNext<Content>(ctx: DeliverCtx<Content>, memory: Memory, errors: unknown[]): Promise<boolean> {
  const { db, logger, now } = ctx;
  const at = now();
  const paused = [...memory.pausedPosts].filter(([, pause]) => isWithin(pause, at)).map(([channel]) => channel);
  const claimed = await claims.claimPost(db, paused, at);
  if (claimed === null) return false;
  try {
    await lostIn(ctx, memory);
    if (claimed.unresolvedSince === null) await post(ctx, memory, claimed, false);
    else await postUnlessFound(ctx, memory, claimed, claimed.unresolvedSince);
  } catch (err) {
    const isLast = isHopeless(ctx, claimed) && !isStoreAway(err);
    const pauseMs = claims.pauseAfter(claimed.attempt);
    if (isLast) await giveUp(ctx, claimed, FAILED);
    else if (err instanceof UndrawnError) await postponeBy(ctx, claimed, FAILED, pauseMs);
    else await claims.noteUnresolved(db, claimed, pauseMs);
    if (isStoreAway(err)) throw err;
    logger.error({ ...fieldsOf(claimed), err, isLast }, 'Message failed unexpectedly');
    errors.push(err);
  }
  return true;
}

/** Seven tries take some two minutes. */
const MOST_TRIES = 7;

function isHopeless<Content>(ctx: DeliverCtx<Content>, claimed: Claimed): boolean {
  return claimed.attempt >= MOST_TRIES && kindOf(ctx, claimed)?.mustArrive !== true;
}

async function giveUp<Content>(ctx: DeliverCtx<Content>, claimed: Claimed, reason: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (await claims.noteGivenUp(tx, claimed, reason))
      await kindOf(ctx, claimed)?.dropped?.(tx, claimed, reason, ctx.now());
  });
}

/** Nothing was posted; it is tried again after `ms`. */
async function postponeBy<Content>(
  { db, now }: DeliverCtx<Content>,
  claimed: Claimed,
  reason: string,
  ms: number,
): Promise<void> {
  await claims.noteNotPosted(db, claimed, reason, addMilliseconds(now(), ms));
}

/** The answer to an earlier post was lost: the message is looked for first. */
async function postUnlessFound<Content>(
  ctx: DeliverCtx<Content>,
  memory: Memory,
  claimed: Claimed,
  since: Date,
): Promise<void> {
  const { db, publisher, logger, now } = ctx;
  const search = await publisher.find(claimed, since);
  if (search.found === 'no') {
    // Slack may still carry out the first post. To look for it can take as long as a lease.
    if (await renewClaim(ctx, claimed)) await post(ctx, memory, claimed, true);
    return;
  }
  if (search.found === 'not-now') {
    logger.warn({ ...fieldsOf(claimed), reason: search.reason }, "Message couldn't be looked for, asking again");
    await claims.noteUnresolved(db, claimed, search.retryAfterMs ?? claims.pauseAfter(claimed.attempt));
    return;
  }
  logger.info(fieldsOf(claimed), 'Message found in its channel after a lost answer');
  // The text in Slack is unknown: an empty hash has it edited.
  const stored = await claims.saidBy(db, claimed.id);
  // A failover can lose what it said, and not that it was begun.
  const said = stored.length > 0 ? stored : await saidNow(ctx, claimed);
  const nextAt = kindOf(ctx, claimed)?.isFinal?.(claimed) ? null : now();
  await notePosted(ctx, claimed, said, { ts: search.ts, shownHash: '', drawnAt: since, nextAt });
}

/** What it would say if it were posted now. */
async function saidNow<Content>(ctx: DeliverCtx<Content>, claimed: Claimed): Promise<readonly claims.Said[]> {
  const kind = kindOf(ctx, claimed);
  const draft = kind === null ? null : await drawn(ctx.db, kind, claimed, ctx.now());
  if (draft?.is !== 'drawn') return [];
  await ctx.db.transaction((tx) => claims.noteSaid(tx, claimed.id, draft.said));
  return draft.said;
}

/** `mayRepeat`: an earlier post of it may still arrive. */
async function post<Content>(
  ctx: DeliverCtx<Content>,
  memory: Memory,
  claimed: Claimed,
  mayRepeat: boolean,
): Promise<void> {
  const { db, publisher, now } = ctx;
  const drawnAt = now();
  const kind = kindOf(ctx, claimed);
  if (kind === null) return postponeBy(ctx, claimed, 'of a newer version of Notif', claims.LONGEST_RETRY_MS);
  const unknown = await adoptSent(ctx, memory, claimed);
  if (unknown === 'adopted') return;
  const draft = await drawn(db, kind, claimed, drawnAt);
  const standing = takeStanding(memory, claimed, unknown, draft);
  if (standing !== null) return noteStanding(ctx, claimed, standing, draft);
  if (draft.is !== 'drawn') return leaveOut(ctx, claimed, draft, mayRepeat);
  await db.transaction((tx) => claims.noteSaid(tx, claimed.id, draft.said));
  if (!(await renewClaim(ctx, claimed))) return;
  const options = { mayRepeat, threadTs: claimed.threadTs, isPlain: isPlain(claimed), knownBy: draft.knownBy };
  const answer = await publisher.post(draft.content, options);
  log(ctx, claimed, answer);
  await notePostOutcome(ctx, memory, claimed, { draft, drawnAt, answer });
}

/** It counts as posted as it stands in Slack. */
async function noteStanding<Content>(
  ctx: DeliverCtx<Content>,
  claimed: Claimed,
  { ts }: Sent,
  draft: Draft<Content>,
): Promise<void> {
  const { db, logger, now } = ctx;
  logger.info(fieldsOf(claimed), 'Message found in its channel, which the database had lost');
  const said = draft.is === 'drawn' ? draft.said : [];
  await db.transaction((tx) => claims.noteSaid(tx, claimed.id, said));
  await notePosted(ctx, claimed, said, { ts, shownHash: '', drawnAt: now(), nextAt: now() });
}

/** Renews the claim; false: another one overtook it. */
async function renewClaim<Content>({ db, logger }: DeliverCtx<Content>, claimed: Claimed): Promise<boolean> {
  const isOurs = await claims.renewClaim(db, claimed);
  if (!isOurs)
    logger.warn(fieldsOf(claimed), 'Message was claimed again before it was posted, leaving it to that claim');
  return isOurs;
}

/** How long after a lost answer Slack can still carry out a post. */
const LOOK_LAST_MS = 10 * MINUTE_MS;

/** It isn't posted now, or ever. */
async function leaveOut<Content>(
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

/** A post that was tried. */
interface TriedPost<Content> {
  draft: Extract<Draft<Content>, { is: 'drawn' }>;
  drawnAt: Date;
  answer: PostOutcome;
}

async function notePostOutcome<Content>(
  ctx: DeliverCtx<Content>,
  memory: Memory,
  claimed: Claimed,
  { draft, drawnAt, answer }: TriedPost<Content>,
): Promise<void> {
  const { db, now } = ctx;
  const pauseMs = claims.pauseAfter(claimed.attempt);
  switch (answer.is) {
    case 'posted': {
      const { ts, shownHash } = answer;
      memory.lastPosted = { id: claimed.id, at: now() };
      await noteBack(ctx, memory);
      return notePosted(ctx, claimed, draft.said, { ts, shownHash, drawnAt, nextAt: draft.nextAt });
    }
    case 'refused': {
      const { reason, retryAfterMs } = answer;
      if (retryAfterMs !== null) memory.pausedPosts.set(claimed.channel, pauseFrom(now(), retryAfterMs));
      else memory.isAway = true;
      return postponeBy(ctx, claimed, reason, retryAfterMs ?? pauseMs);
    }
    case 'shut-out':
      return noteShutOut(ctx, claimed, answer);
    case 'no-thread':
      await db.transaction(async (tx) => {
        if (claimed.threadOf !== null) await claims.closeThread(tx, claimed.threadOf);
      });
      return giveUp(ctx, claimed, answer.reason);
    case 'unreachable':
      return noteUnreached(ctx, claimed, draft.content, answer.reason);
    case 'not-accepted':
      if (isHopeless(ctx, claimed)) return noteUnreached(ctx, claimed, draft.content, answer.reason);
      return postponeBy(ctx, claimed, `${NOT_ACCEPTED}${answer.reason}`, pauseMs);
    case 'unknown':
      await claims.noteUnresolved(db, claimed, Math.max(claims.LOOK_AGAIN_MS, pauseMs));
  }
}

/** What the message says counts as told in the transaction that stores its outcome. */
async function notePosted<Content>(
  ctx: DeliverCtx<Content>,
  claimed: Claimed,
  said: readonly claims.Said[],
  shown: claims.Shown,
): Promise<void> {
  const { db, now } = ctx;
  await db.transaction(async (tx) => {
    const at = now();
    if (await claims.notePosted(tx, claimed, shown, at))
      await kindOf(ctx, claimed)?.told?.(tx, { ...claimed, ts: shown.ts, state: 'posted' }, { said, at, isPost: true });
  });
}

/** What Slack refuses for good is said where it was caused. */
async function noteUnreached<Content>(
  ctx: DeliverCtx<Content>,
  claimed: Claimed,
  content: Content,
  code: string,
): Promise<void> {
  const { db, publisher, now } = ctx;
  const { initiator, channel: recipient } = claimed;
  const isToTell = initiator !== null && (await claims.renewClaim(db, claimed));
  const told = isToTell ? await publisher.tellInitiator(content, { initiator, recipient, code }) : null;
  if (told?.is === 'refused' || told?.is === 'unknown') {
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
async function noteShutOut<Content>(
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
