import { addMilliseconds } from 'date-fns';
import { isStoreAway } from '../lib/errors.ts';
import { throwIfAny } from '../lib/in-turn.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { adoptSent, doubtfulRange, forgetSent, takeStanding } from './adopt-sent.ts';
import type { Claimed } from './claims.ts';
import * as claims from './claims.ts';
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
} from './delivery-common.ts';
import { editNext } from './edit.ts';
import type { Draft, PostOutcome, Sent } from './kinds.ts';
import { noteSaid, type Said, saidBy } from './messages.ts';
import { giveUp, isHopeless, leaveOut, noteShutOut, noteUnreached, postponeBy } from './not-posted.ts';

/** Half of the loop's time limit: a run ends between two messages, not within one. */
const LONGEST_RUN_MS = MINUTE_MS;

/** Posts and edits what is due, one after the other. What fails unexpectedly holds up nothing else. */
export function createPosting<Content>(ctx: DeliverCtx<Content>): (signal: AbortSignal) => Promise<void> {
  const memory: Memory = {
    pausedPosts: new Map(),
    editsPaused: null,
    editedAt: [],
    isAway: false,
    lastPosted: null,
    lossAt: null,
    doubtful: null,
    notAdopted: new Map(),
  };
  return async (signal) => {
    const endsAt = addMilliseconds(ctx.now(), LONGEST_RUN_MS);
    const errors: unknown[] = [];
    try {
      for (let isMore = true; isMore && ctx.now() < endsAt && !signal.aborted; ) {
        const hasPosted = await postNext(ctx, memory, errors);
        isMore = (await editNext(ctx, memory, errors)) || hasPosted;
      }
    } catch (err) {
      // Another server may go on without the last seconds, which another replica may have told.
      if (isStoreAway(err)) forgetSent(memory, ctx.now());
      throw err;
    }
    throwIfAny(errors, 'messages failed unexpectedly');
  };
}

/** Posts the next message that is due; false: none is. What fails unexpectedly is added to `errors`. */
async function postNext<Content>(ctx: DeliverCtx<Content>, memory: Memory, errors: unknown[]): Promise<boolean> {
  const { db, logger, now } = ctx;
  const at = now();
  const paused = [...memory.pausedPosts].filter(([, pause]) => isWithin(pause, at)).map(([channel]) => channel);
  const claimed = await claims.claimPost(db, paused, at);
  if (claimed === null) return false;
  try {
    // Determined before any outcome is stored.
    await doubtfulRange(ctx, memory);
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
  const stored = await saidBy(db, claimed.id);
  // A failover can lose what it said, and not that it was begun.
  const said = stored.length > 0 ? stored : await saidNow(ctx, claimed);
  const nextAt = kindOf(ctx, claimed)?.isFinal?.(claimed) ? null : now();
  await storePosted(ctx, claimed, said, { ts: search.ts, shownHash: '', drawnAt: since, nextAt });
}

/** What it would say if it were posted now. */
async function saidNow<Content>(ctx: DeliverCtx<Content>, claimed: Claimed): Promise<readonly Said[]> {
  const kind = kindOf(ctx, claimed);
  const draft = kind === null ? null : await drawn(ctx.db, kind, claimed, ctx.now());
  if (draft?.is !== 'drawn') return [];
  await ctx.db.transaction((tx) => noteSaid(tx, claimed.id, draft.said));
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
  const notAdopted = await adoptSent(ctx, memory, claimed);
  if (notAdopted === 'adopted') return;
  const draft = await drawn(db, kind, claimed, drawnAt);
  const standing = takeStanding(memory, claimed, notAdopted, draft);
  if (standing !== null) return noteStanding(ctx, claimed, standing, draft);
  if (draft.is !== 'drawn') return leaveOut(ctx, claimed, draft, mayRepeat);
  await db.transaction((tx) => noteSaid(tx, claimed.id, draft.said));
  if (!(await renewClaim(ctx, claimed))) return;
  const options = { mayRepeat, threadTs: claimed.threadTs, isPlain: isPlain(claimed), knownBy: draft.knownBy };
  const answer = await publisher.post(draft.content, options);
  log(ctx, claimed, answer);
  await notePostOutcome(ctx, memory, claimed, { draft, drawnAt, answer });
}

/** Notes as posted a message that stands in Slack already. */
async function noteStanding<Content>(
  ctx: DeliverCtx<Content>,
  claimed: Claimed,
  { ts }: Sent,
  draft: Draft<Content>,
): Promise<void> {
  const { db, logger, now } = ctx;
  logger.info(fieldsOf(claimed), 'Message found in its channel, which the database had lost');
  const said = draft.is === 'drawn' ? draft.said : [];
  await db.transaction((tx) => noteSaid(tx, claimed.id, said));
  await storePosted(ctx, claimed, said, { ts, shownHash: '', drawnAt: now(), nextAt: now() });
}

/** Renews the claim; false: another one overtook it. */
async function renewClaim<Content>({ db, logger }: DeliverCtx<Content>, claimed: Claimed): Promise<boolean> {
  const isOurs = await claims.renewClaim(db, claimed);
  if (!isOurs)
    logger.warn(fieldsOf(claimed), 'Message was claimed again before it was posted, leaving it to that claim');
  return isOurs;
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
      return storePosted(ctx, claimed, draft.said, { ts, shownHash, drawnAt, nextAt: draft.nextAt });
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
    case 'unanswered':
      await claims.noteUnresolved(db, claimed, Math.max(claims.LOOK_AGAIN_MS, pauseMs));
  }
}

/** What the message says counts as told in the transaction that stores its outcome. */
async function storePosted<Content>(
  ctx: DeliverCtx<Content>,
  claimed: Claimed,
  said: readonly Said[],
  shown: claims.Shown,
): Promise<void> {
  const { db, now } = ctx;
  await db.transaction(async (tx) => {
    const at = now();
    if (await claims.notePosted(tx, claimed, shown, at))
      await kindOf(ctx, claimed)?.told?.(tx, { ...claimed, ts: shown.ts, state: 'posted' }, { said, at, isPost: true });
  });
}
