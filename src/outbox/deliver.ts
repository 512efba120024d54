import { addMilliseconds } from 'date-fns';
import type { ChannelRefusal } from '../lib/channel-refusal.ts';
import { isStoreAway } from '../lib/errors.ts';
import { throwIfAny } from '../lib/in-turn.ts';
import { HOUR_MS, MINUTE_MS, type TimeRange } from '../lib/time/durations.ts';
import type { Channels, Operators, Workspace } from '../lib/workspace.ts';
import { operatorsNow } from '../people/operators.ts';
import type { Ctx, Db } from '../store/db.ts';
import type { OpenDb } from '../store/open.ts';
import { adoptSent, type SentMemory } from './adopt.ts';
import type { Claimed } from './claims.ts';
import * as claims from './claims.ts';
import type { Draft, EditOutcome, Kinds, MessageKind, PostOutcome, Publisher, ShutOut } from './kinds.ts';

export interface DeliverCtx<Content> extends Ctx {
  publisher: Publisher<Content>;
  kinds: Kinds<Content>;
  operators: Pick<Operators, 'users' | 'groups'>;
  workspace: Pick<Workspace, 'membersOf'>;
  channels: Pick<Channels, 'ask'>;
  isOurs: OpenDb['isOurs'];
  /** What Slack refuses can be news of its own. */
  wakeAnnouncing: () => Promise<void>;
}

const LONGEST_RUN_MS = MINUTE_MS;

interface Memory extends SentMemory {
  /** Slack limits posts by channel. */
  pausedPosts: Map<string, TimeRange>;
  editsPaused: TimeRange | null;
  editedAt: Date[];
  /** Slack refused something for now, and has taken nothing since. */
  isAway: boolean;
}

/** Posts and edits what is due, one after the other. What fails unexpectedly holds up nothing else. */
export function createDelivery<Content>(ctx: DeliverCtx<Content>): (signal: AbortSignal) => Promise<void> {
  const memory: Memory = {
    ...{ pausedPosts: new Map(), editsPaused: null, editedAt: [], isAway: false },
    ...{ lastPosted: null, lostAt: null, unknown: new Map() },
  };
  return async (signal) => {
    const endsAt = addMilliseconds(ctx.now(), LONGEST_RUN_MS);
    const errors: unknown[] = [];
    for (let isMore = true; isMore && ctx.now() < endsAt && !signal.aborted; ) {
      const hasPosted = await postNext(ctx, memory, errors);
      isMore = (await editNext(ctx, memory, errors)) || hasPosted;
    }
    throwIfAny(errors, 'messages failed unexpectedly');
  };
}

async function postNext<Content>(ctx: DeliverCtx<Content>, memory: Memory, errors: unknown[]): Promise<boolean> {
  const { db, logger, now } = ctx;
  const at = now();
  const paused = [...memory.pausedPosts].filter(([, pause]) => isWithin(pause, at)).map(([channel]) => channel);
  const claimed = await claims.claimPost(db, paused, at);
  if (claimed === null) return false;
  try {
    if (claimed.unresolvedSince === null) await post(ctx, memory, claimed, false);
    else await postUnlessFound(ctx, memory, claimed, claimed.unresolvedSince);
  } catch (err) {
    const isLast = isHopeless(ctx, claimed) && !isStoreAway(err);
    const pauseMs = claims.pauseAfter(claimed.attempt);
    if (isLast) await giveUp(ctx, claimed, FAILED);
    else if (err instanceof UndrawnError)
      await claims.noteNotPosted(db, claimed, FAILED, addMilliseconds(now(), pauseMs));
    else await claims.noteUnresolved(db, claimed, pauseMs);
    if (isStoreAway(err)) throw err;
    logger.error({ ...fieldsOf(claimed), err, isLast }, 'Message failed unexpectedly');
    errors.push(err);
  }
  return true;
}

const FAILED = 'failed unexpectedly';

/** Nothing was sent to Slack: there is nothing to look for. */
class UndrawnError extends Error {
  override readonly name = 'UndrawnError';

  constructor(cause: unknown) {
    super("a message couldn't be drawn", { cause });
  }
}

/** Seven tries take some two minutes. */
const MOST_TRIES = 7;

/** What Slack doesn't accept as it is drawn, or what can't be drawn, goes as plain text after so many tries. */
const TRIES_UNTIL_PLAIN = 3;

const NOT_ACCEPTED = 'not accepted: ';

/** What Slack refused for now, as it was away, has its buttons. */
function isPlainNow({ attempt, lastRefusal }: Claimed): boolean {
  const isOfShape = lastRefusal === FAILED || (lastRefusal?.startsWith(NOT_ACCEPTED) ?? false);
  return attempt > TRIES_UNTIL_PLAIN && isOfShape;
}

function kindOf<Content>({ kinds }: DeliverCtx<Content>, { kind }: Claimed): MessageKind<Content> | null {
  return kinds[kind] ?? null;
}

function isHopeless<Content>(ctx: DeliverCtx<Content>, claimed: Claimed): boolean {
  return claimed.attempt >= MOST_TRIES && kindOf(ctx, claimed)?.mustArrive !== true;
}

const fieldsOf = ({ id: messageId, kind, attempt }: Claimed) => ({ messageId, kind, attempt });

async function giveUp<Content>(ctx: DeliverCtx<Content>, claimed: Claimed, reason: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (await claims.noteGivenUp(tx, claimed, reason))
      await kindOf(ctx, claimed)?.dropped?.(tx, claimed, reason, ctx.now());
  });
}

async function postUnlessFound<Content>(
  ctx: DeliverCtx<Content>,
  memory: Memory,
  claimed: Claimed,
  since: Date,
): Promise<void> {
  const { db, publisher, logger, now } = ctx;
  const search = await publisher.find(claimed, since);
  // Slack may still carry out the first post. To look for it can take as long as a lease.
  if (search.found === 'no') return (await isStillClaimed(ctx, claimed)) ? post(ctx, memory, claimed, true) : undefined;
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
  await notePosted(ctx, claimed, said, {
    ts: search.ts,
    shownHash: '',
    drawnAt: since,
    nextAt: now(),
  });
}

async function saidNow<Content>(ctx: DeliverCtx<Content>, claimed: Claimed): Promise<readonly claims.Said[]> {
  const kind = kindOf(ctx, claimed);
  const draft = kind === null ? null : await drawn(ctx.db, kind, claimed, ctx.now());
  if (draft?.is !== 'drawn') return [];
  await ctx.db.transaction((tx) => claims.noteSaid(tx, claimed.id, draft.said));
  return draft.said;
}

async function post<Content>(
  ctx: DeliverCtx<Content>,
  memory: Memory,
  claimed: Claimed,
  mayRepeat: boolean,
): Promise<void> {
  const { db, publisher, logger, now } = ctx;
  const drawnAt = now();
  const kind = kindOf(ctx, claimed);
  if (kind === null) {
    await claims.noteNotPosted(
      db,
      claimed,
      'of a newer version of Notif',
      addMilliseconds(drawnAt, claims.LONGEST_RETRY_MS),
    );
    return;
  }
  const standing = await adoptSent(ctx, memory, claimed);
  if (standing === 'adopted') return;
  if (standing !== null) {
    logger.info(fieldsOf(claimed), 'Message found in its channel, which the database had lost');
    return notePosted(ctx, claimed, await saidNow(ctx, claimed), {
      ts: standing.ts,
      shownHash: '',
      drawnAt,
      nextAt: now(),
    });
  }
  const draft = await drawn(db, kind, claimed, drawnAt);
  if (draft.is !== 'drawn') return leaveOut(ctx, claimed, draft, mayRepeat);
  await db.transaction((tx) => claims.noteSaid(tx, claimed.id, draft.said));
  if (!(await isStillClaimed(ctx, claimed))) return;
  const options = { mayRepeat, threadTs: claimed.threadTs, isPlain: isPlainNow(claimed) };
  const answer = await publisher.post(draft.content, options);
  log(ctx, claimed, answer);
  await notePostOutcome(ctx, memory, claimed, { draft, drawnAt, answer });
}

async function isStillClaimed<Content>({ db, logger }: DeliverCtx<Content>, claimed: Claimed): Promise<boolean> {
  const isOurs = await claims.renewClaim(db, claimed);
  if (!isOurs)
    logger.warn(fieldsOf(claimed), 'Message was claimed again before it was posted, leaving it to that claim');
  return isOurs;
}

async function drawn<Content>(db: Db, kind: MessageKind<Content>, message: Claimed, at: Date): Promise<Draft<Content>> {
  if (!kind.Kept.safeParse(message.content).success) return { is: 'unreadable' };
  try {
    return await kind.draw(db, message, at);
  } catch (cause) {
    if (isStoreAway(cause)) throw cause;
    throw new UndrawnError(cause);
  }
}

async function leaveOut<Content>(
  ctx: DeliverCtx<Content>,
  claimed: Claimed,
  draft: Exclude<Draft<Content>, { is: 'drawn' }>,
  mayRepeat: boolean,
): Promise<void> {
  const { db, now } = ctx;
  const laterAt = addMilliseconds(now(), claims.LONGEST_RETRY_MS);
  if (draft.is === 'unreadable') return void (await claims.noteNotPosted(db, claimed, 'unreadable', laterAt));
  if (draft.is === 'held') return void (await claims.noteNotPosted(db, claimed, claims.HELD, draft.until));
  if (draft.is === 'moved') return void (await claims.noteMoved(db, claimed, draft.channel, now()));
  // Slack may still carry out a post of which the answer was lost: it is looked for once more.
  const isOpen =
    mayRepeat && claimed.unresolvedSince !== null && now() < addMilliseconds(claimed.unresolvedSince, LOOK_LAST_MS);
  if (isOpen) return void (await claims.noteUnresolved(db, claimed, LOOK_LAST_MS));
  await giveUp(ctx, claimed, draft.why);
}

/** How long after a lost answer Slack can still carry out a post. */
const LOOK_LAST_MS = 10 * MINUTE_MS;

interface Posted<Content> {
  draft: Extract<Draft<Content>, { is: 'drawn' }>;
  drawnAt: Date;
  answer: PostOutcome;
}

async function notePostOutcome<Content>(
  ctx: DeliverCtx<Content>,
  memory: Memory,
  claimed: Claimed,
  { draft, drawnAt, answer }: Posted<Content>,
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
      const pause = pauseFrom(now(), answer.retryAfterMs ?? pauseMs);
      if (answer.retryAfterMs !== null) memory.pausedPosts.set(claimed.channel, pause);
      else memory.isAway = true;
      return void (await claims.noteNotPosted(db, claimed, answer.reason, pause.to));
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
      return void (await claims.noteNotPosted(
        db,
        claimed,
        `${NOT_ACCEPTED}${answer.reason}`,
        pauseFrom(now(), pauseMs).to,
      ));
    case 'unknown':
      return void (await claims.noteUnresolved(db, claimed, Math.max(claims.LOOK_AGAIN_MS, pauseMs)));
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
    const retryAt = addMilliseconds(now(), limitMs ?? claims.pauseAfter(claimed.attempt));
    return void (await claims.noteNotPosted(db, claimed, code, retryAt));
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

/** When Slack is back, everything that waits is due at once. */
async function noteBack<Content>({ db, now }: DeliverCtx<Content>, memory: Memory): Promise<void> {
  if (!memory.isAway) return;
  memory.isAway = false;
  await claims.hurry(db, now());
}

const pauseFrom = (from: Date, ms: number): TimeRange => ({ from, to: addMilliseconds(from, ms) });

/** A clock that was set back ends a pause. */
const isWithin = ({ from, to }: TimeRange, at: Date): boolean => from <= at && at < to;

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
      return void (await claims.noteNotPosted(tx, claimed, why, addMilliseconds(now(), claims.LONGEST_RETRY_MS)));
    if (await claims.noteGivenUp(tx, claimed, reason)) await kind?.dropped?.(tx, claimed, reason, now());
  });
}

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

function log<Content>(
  { logger }: DeliverCtx<Content>,
  message: Claimed,
  { is: outcome, ...facts }: PostOutcome | EditOutcome,
): void {
  const { shownHash: _, ...said } = { shownHash: null, ...facts };
  const fields = { ...fieldsOf(message), channel: message.channel, outcome, ...said };
  if (outcome === 'posted') logger.info(fields, 'Message posted');
  if (outcome === 'posted' || outcome === 'edited' || outcome === 'unchanged') return;
  const isToFix = outcome === 'shut-out' || ('fix' in facts && facts.fix !== null);
  logger[isToFix ? 'error' : 'warn'](fields, `Slack's answer to ${message.ts === null ? 'a post' : 'an edit'}`);
}

async function editNext<Content>(ctx: DeliverCtx<Content>, memory: Memory, errors: unknown[]): Promise<boolean> {
  const posted = await claimEdit(ctx, memory);
  if (posted === null) return false;
  try {
    await edit(ctx, memory, posted);
  } catch (err) {
    await retryEdit(ctx, posted, { reason: FAILED });
    if (isStoreAway(err)) throw err;
    ctx.logger.error({ ...fieldsOf(posted), err }, 'Edit failed unexpectedly, trying again');
    errors.push(err);
  }
  return true;
}

/** One replica draws new counts: Slack's limit is the workspace's. */
async function claimEdit<Content>({ db, isOurs, now }: DeliverCtx<Content>, memory: Memory): Promise<Claimed | null> {
  const at = now();
  if (memory.editsPaused !== null && isWithin(memory.editsPaused, at)) return null;
  memory.editedAt = memory.editedAt.filter((edited) => isWithin(pauseFrom(edited, MINUTE_MS), at));
  return claims.claimEdit(db, isOurs(null) && memory.editedAt.length < claims.COUNT_EDITS_A_MINUTE, at);
}

interface Retry {
  reason: string;
  retryAfterMs?: number | null;
  /** What Slack doesn't accept is tried more seldom than what it refuses for now. */
  longestMs?: number;
}

/** An edit is tried again at ever longer pauses. A refusal leaves the text unknown: of its hash, only the mark `repeat:` stays. */
async function retryEdit<Content>(
  { db, now }: DeliverCtx<Content>,
  posted: Claimed,
  { reason, retryAfterMs = null, longestMs = HOUR_MS }: Retry,
): Promise<void> {
  const pauseMs = claims.pauseAfter(posted.attempt, longestMs);
  const nextAt = addMilliseconds(now(), retryAfterMs ?? pauseMs);
  const shownHash = posted.shownHash?.replace(/[^:]*$/, '') ?? null;
  await claims.endEdit(db, posted, { nextAt, lastRefusal: reason, shownHash });
}

async function edit<Content>(ctx: DeliverCtx<Content>, memory: Memory, posted: Claimed): Promise<void> {
  const { db, publisher, now } = ctx;
  const { ts, channel, shownHash } = posted;
  const kind = kindOf(ctx, posted);
  const drawnAt = now();
  const draft = kind === null ? null : await drawn(db, kind, posted, drawnAt);
  if (draft?.is === 'unreadable')
    return void (await claims.endEdit(db, posted, { nextAt: addMilliseconds(drawnAt, claims.LONGEST_RETRY_MS) }));
  // What can't be drawn any more stays as people have read it.
  if (draft === null || draft.is !== 'drawn' || ts === null)
    return void (await claims.endEdit(db, posted, { isLeft: true }));
  const answer = await publisher.edit(draft.content, { channel, ts, shownHash, isPlain: isPlainNow(posted) });
  log(ctx, posted, answer);
  if (answer.is !== 'unchanged') memory.editedAt = [...memory.editedAt, now()];
  if (answer.is === 'edited') await noteBack(ctx, memory);
  switch (answer.is) {
    case 'edited':
    case 'unchanged':
      await db.transaction(async (tx) => {
        const { nextAt, isLast = false } = draft;
        if (!(await claims.noteEdited(tx, posted, answer.shownHash, { nextAt, isLast }))) return;
        await claims.noteSaid(tx, posted.id, draft.said);
        await kind?.told?.(tx, posted, { said: draft.said, at: drawnAt, isPost: false });
      });
      return;
    case 'refused':
      memory.editsPaused = pauseFrom(now(), answer.retryAfterMs ?? 0);
      memory.isAway ||= answer.retryAfterMs === null;
      return retryEdit(ctx, posted, { ...answer, longestMs: claims.LONGEST_RETRY_MS });
    case 'not-accepted':
      return retryEdit(ctx, posted, { reason: `${NOT_ACCEPTED}${answer.reason}` });
    case 'deleted':
      await db.transaction(async (tx) => {
        if (await claims.endEdit(tx, posted, { state: 'gone', nextAt: null })) await kind?.deleted?.(tx, posted, now());
      });
  }
}
