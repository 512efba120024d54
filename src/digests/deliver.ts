import { addMilliseconds } from 'date-fns';
import type { Traffic } from '../failures/labels.ts';
import type { Ctx } from '../lib/ctx.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import type { WatchEnd } from '../watches/settings.ts';
import { tellAsDrawn } from './alerts.ts';
import { type Content, contentOf } from './content.ts';
import type { Claimed, Posted } from './outbox.ts';
import * as outbox from './outbox.ts';

export type PostOutcome =
  | { outcome: 'posted'; ts: string; shownHash: string }
  | { outcome: 'rate-limited'; retryAfterMs: number }
  | { outcome: 'not-posted'; reason: string; fix: string | null }
  | { outcome: 'shut-out'; reason: string; why: WatchEnd }
  | { outcome: 'no-thread'; reason: string }
  | { outcome: 'unknown' };

export type EditOutcome =
  | { outcome: 'edited' | 'unchanged'; shownHash: string }
  | { outcome: 'rate-limited'; retryAfterMs: number }
  | { outcome: 'later'; reason: string; fix: string | null }
  | { outcome: 'deleted'; reason: string }
  | { outcome: 'frozen'; reason: string; scope: 'message' | 'channel' };

export type Search =
  | { found: 'yes'; ts: string }
  | { found: 'no' }
  | { found: 'cannot-read'; reason: string }
  | { found: 'not-now'; reason: string; retryAfterMs: number | null };

export interface Publisher {
  post(content: Content, options: { possibleRepeat: boolean }): Promise<PostOutcome>;
  edit(content: Content, posted: Pick<Posted, 'channel' | 'ts' | 'shownHash'>): Promise<EditOutcome>;
  find(message: Pick<Claimed, 'id' | 'channel' | 'threadTs'>, since: Date): Promise<Search>;
}

export interface DeliverCtx extends Ctx {
  publisher: Publisher;
  traffic: Traffic;
  operators: readonly string[];
  count: (act: 'post' | 'edit' | 'find', outcome: string) => void;
}

const LONGEST_RUN_MS = 60_000;

interface Memory {
  pausedPosts: Map<string, Date>;
  refusedEdits: Map<string, Date>;
  editsPausedUntil: Date | null;
  editedAt: readonly Date[];
}

export function createDelivery(ctx: DeliverCtx): (signal: AbortSignal) => Promise<number> {
  const memory: Memory = { pausedPosts: new Map(), refusedEdits: new Map(), editsPausedUntil: null, editedAt: [] };
  return async (signal) => {
    const endsAt = addMilliseconds(ctx.now(), LONGEST_RUN_MS);
    let unexpected = 0;
    for (let isMore = true; isMore && ctx.now() < endsAt && !signal.aborted; ) {
      const steps = [await postNext(ctx, memory), await editNext(ctx, memory)];
      unexpected += steps.filter((isExpected) => isExpected === false).length;
      isMore = steps.some((isExpected) => isExpected !== null);
    }
    return unexpected;
  };
}

function pausedAt(now: Date, pauses: Map<string, Date>): string[] {
  for (const [channel, until] of pauses) if (until <= now) pauses.delete(channel);
  return [...pauses.keys()];
}

async function postNext(ctx: DeliverCtx, memory: Memory): Promise<boolean | null> {
  const { db, logger, now } = ctx;
  const claimed = await outbox.claimPost(db, pausedAt(now(), memory.pausedPosts), now());
  if (claimed === null) return null;
  try {
    if (claimed.unresolvedSince === null) await post(ctx, memory, claimed, false);
    else await postUnlessFound(ctx, memory, claimed, claimed.unresolvedSince);
    return true;
  } catch (err) {
    const waitMs = outbox.pauseBeforePost(claimed.attempt);
    await outbox.noteUnresolved(db, claimed, waitMs);
    logger.error({ ...fieldsOf(claimed), err, waitMs }, 'message failed unexpectedly, trying again');
    return false;
  }
}

function fieldsOf({ id: messageId, kind, attempt }: Pick<Claimed, 'id' | 'kind' | 'attempt'>) {
  return { messageId, kind, attempt };
}

async function postUnlessFound(ctx: DeliverCtx, memory: Memory, claimed: Claimed, since: Date): Promise<void> {
  const { db, publisher, count, logger, now } = ctx;
  const fields = fieldsOf(claimed);
  const search = await publisher.find(claimed, since);
  count('find', search.found);
  switch (search.found) {
    case 'yes': {
      logger.info(fields, 'message found in its channel after a lost answer');
      // Nobody knows what it shows.
      const shown = { ts: search.ts, shownHash: '', drawnAt: since, nextAt: now() };
      return outbox.notePosted(db, claimed, shown, now());
    }
    case 'not-now':
      logger.warn({ ...fields, reason: search.reason }, 'message could not be looked for, asking again');
      return outbox.noteUnresolved(db, claimed, search.retryAfterMs ?? outbox.pauseBeforePost(claimed.attempt));
    case 'cannot-read':
      logger.warn({ ...fields, reason: search.reason }, "channel history can't be read: a message may be repeated");
  }
  // The search may have taken as long as the claim.
  const claimedAt = now();
  if (await outbox.renewClaim(db, claimed))
    return post(ctx, memory, { ...claimed, claimedAt }, search.found === 'cannot-read');
  logger.warn(fields, 'message was claimed again while it was looked for, leaving it to that claim');
}

async function post(ctx: DeliverCtx, memory: Memory, claimed: Claimed, possibleRepeat: boolean): Promise<void> {
  const { db, publisher, traffic, operators, count, logger, now } = ctx;
  const fields = fieldsOf(claimed);
  const waitMs = outbox.pauseBeforePost(claimed.attempt);
  const drawnAt = now();
  await tellAsDrawn(db, claimed, drawnAt);
  const content = await contentOf(db, claimed.id, drawnAt, traffic);
  if (content === null) return outbox.noteGivenUp(db, claimed, 'what it was about is not kept any more');
  if (now() > addMilliseconds(claimed.claimedAt, outbox.BEGIN_WITHIN_MS)) {
    logger.warn(fields, 'message was claimed too long ago to be posted, trying again');
    return outbox.noteNotPosted(db, claimed, 'it was claimed too long ago', addMilliseconds(now(), waitMs));
  }
  const posted = await publisher.post(content, { possibleRepeat });
  count('post', posted.outcome);
  log(ctx, claimed, 'post', posted);
  switch (posted.outcome) {
    case 'posted':
      return outbox.notePosted(db, claimed, { ts: posted.ts, shownHash: posted.shownHash, drawnAt }, now());
    case 'rate-limited': {
      const until = addMilliseconds(now(), posted.retryAfterMs);
      memory.pausedPosts.set(claimed.channel, until);
      return outbox.noteNotPosted(db, claimed, 'ratelimited', until);
    }
    case 'not-posted':
      return outbox.noteNotPosted(db, claimed, posted.reason, addMilliseconds(now(), waitMs));
    case 'shut-out':
      return outbox.shutOut(db, claimed, posted, operators, now());
    case 'no-thread':
      return outbox.noteGivenUp(db, claimed, posted.reason);
    case 'unknown':
      return outbox.noteUnresolved(db, claimed, outbox.LOOK_AGAIN_MS);
  }
}

function log(
  { logger }: DeliverCtx,
  message: Claimed | Posted,
  act: 'post' | 'edit',
  outcome: PostOutcome | EditOutcome,
) {
  const fields = { ...fieldsOf(message), ...outcome };
  if (outcome.outcome === 'posted') return logger.info(fields, 'message posted');
  if (outcome.outcome === 'edited' || outcome.outcome === 'unchanged') return;
  const isToFix = outcome.outcome === 'shut-out' || ('fix' in outcome && outcome.fix !== null);
  logger[isToFix ? 'error' : 'warn'](fields, `Slack's answer to a message's ${act}: ${outcome.outcome}`);
}

async function editNext(ctx: DeliverCtx, memory: Memory): Promise<boolean | null> {
  const { db, logger, now } = ctx;
  const posted = await claimEdit(ctx, memory);
  if (posted === null) return null;
  try {
    await edit(ctx, memory, posted);
    return true;
  } catch (err) {
    const waitMs = outbox.pauseBeforeEdit(posted.attempt);
    await outbox.settleEdit(db, posted, { nextAt: addMilliseconds(now(), waitMs), ...unsure(posted) });
    logger.error({ ...fieldsOf(posted), err, waitMs }, 'edit failed unexpectedly, trying again');
    return false;
  }
}

async function claimEdit({ db, now }: DeliverCtx, memory: Memory): Promise<Posted | null> {
  const at = now();
  if (memory.editsPausedUntil !== null && at < memory.editsPausedUntil) return null;
  memory.editedAt = memory.editedAt.filter((edited) => addMilliseconds(edited, MINUTE_MS) > at);
  if (memory.editedAt.length >= outbox.EDITS_A_MINUTE) return null;
  const hasCounts = memory.editedAt.length < outbox.COUNTS_A_MINUTE;
  return outbox.claimEdit(db, { paused: pausedAt(at, memory.refusedEdits), hasCounts }, at);
}

/** Only its mark, `repeat:`, is certain. */
function unsure({ shownHash }: Posted): { shownHash: string } {
  return { shownHash: shownHash === null ? '' : shownHash.slice(0, shownHash.lastIndexOf(':') + 1) };
}

async function edit(ctx: DeliverCtx, memory: Memory, posted: Posted): Promise<void> {
  const { db, publisher, traffic, count, now } = ctx;
  const content = await contentOf(db, posted.id, now(), traffic);
  if (content === null) return outbox.noteFrozen(db, posted);
  const outcome = await publisher.edit(content, posted);
  count('edit', outcome.outcome);
  log(ctx, posted, 'edit', outcome);
  if (outcome.outcome !== 'unchanged') memory.editedAt = [...memory.editedAt, now()];
  switch (outcome.outcome) {
    case 'edited':
    case 'unchanged':
      return outbox.noteEdited(db, posted, outcome.shownHash);
    case 'rate-limited': {
      const nextAt = addMilliseconds(now(), outcome.retryAfterMs);
      memory.editsPausedUntil = nextAt;
      return void (await outbox.settleEdit(db, posted, { nextAt }));
    }
    case 'later': {
      if (outcome.fix !== null) memory.editsPausedUntil = addMilliseconds(now(), outbox.LONGEST_RETRY_MS);
      const nextAt = addMilliseconds(now(), outbox.RETRY_EDIT_MS);
      return void (await outbox.settleEdit(db, posted, { nextAt, ...unsure(posted) }));
    }
    case 'deleted':
      return outbox.noteDeleted(db, posted);
    case 'frozen': {
      if (outcome.scope === 'message') return outbox.noteFrozen(db, posted);
      const nextAt = addMilliseconds(now(), outbox.TRY_EDIT_EVERY_MS);
      memory.refusedEdits.set(posted.channel, nextAt);
      return void (await outbox.settleEdit(db, posted, { nextAt, lastRefusal: outcome.reason }));
    }
  }
}
