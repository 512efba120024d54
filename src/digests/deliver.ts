import { addMilliseconds } from 'date-fns';
import type { Traffic } from '../failures/labels.ts';
import { filterConditions, filterValues } from '../incidents/filter-conditions.ts';
import { noteSharedLabels } from '../incidents/shared-label.ts';
import { isStoreAway } from '../lib/errors.ts';
import { throwIfAny } from '../lib/in-turn.ts';
import { MINUTE_MS, type TimeRange } from '../lib/time/durations.ts';
import * as outbox from '../outbox/claims.ts';
import { type ClaimedEdit, type ClaimedPost, SILENCED } from '../outbox/claims.ts';
import { MUST_ARRIVE } from '../outbox/kinds.ts';
import type { Db } from '../store/db.ts';
import type { OpenDb } from '../store/open.ts';
import { isSilenced, mutesEndingAfter } from '../watches/mutes.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { clearRefusal, watchWithId } from '../watches/watches.ts';
import { contentOf, isUnreadable } from './content.ts';
import { updateSnapshots } from './pending.ts';
import type { EditOutcome, PostOutcome, Publisher } from './publisher.ts';
import { noteShutOut, noteUnreached, type RefusalCtx } from './refusals.ts';

export interface DeliverCtx extends RefusalCtx {
  publisher: Publisher;
  traffic: Traffic;
  isOurs: OpenDb['isOurs'];
}

const LONGEST_RUN_MS = 60_000;

type Memory = { pausedPosts: Map<string, TimeRange>; editsPaused: TimeRange | null; editedAt: readonly Date[] };

export function createDelivery(ctx: DeliverCtx) {
  const memory: Memory = { pausedPosts: new Map(), editsPaused: null, editedAt: [] };
  return async (signal: AbortSignal) => {
    const endsAt = addMilliseconds(ctx.now(), LONGEST_RUN_MS);
    const errors: unknown[] = [];
    for (let isMore = true; isMore && ctx.now() < endsAt && !signal.aborted; ) {
      const hasPosted = await postNext(ctx, memory, errors);
      isMore = (await editNext(ctx, memory, errors)) || hasPosted;
    }
    throwIfAny(errors, 'messages failed unexpectedly');
  };
}

async function postNext(ctx: DeliverCtx, memory: Memory, errors: unknown[]) {
  const { db, logger, now } = ctx;
  const at = now();
  const paused = [...memory.pausedPosts].filter(([, pause]) => isWithin(pause, at)).map(([channel]) => channel);
  const claimed = await outbox.claimPost(db, paused, at);
  if (claimed === null) return false;
  try {
    if (claimed.unresolvedSince === null) await post(ctx, memory, claimed, false);
    else await postUnlessFound(ctx, memory, claimed, claimed.unresolvedSince);
  } catch (err) {
    const isLast = isHopeless(claimed) && !isStoreAway(err);
    if (isLast) await outbox.noteGivenUp(db, claimed, 'failed unexpectedly');
    else await outbox.noteUnresolved(db, claimed, outbox.pauseAfter(claimed.attempt));
    if (isStoreAway(err)) throw err;
    logger.error({ ...fieldsOf(claimed), err, isLast }, 'Message failed unexpectedly');
    errors.push(err);
  }
  return true;
}

/** Seven tries take some two minutes. */
const MOST_TRIES = 7;

function isHopeless({ kind, attempt }: ClaimedPost) {
  return attempt >= MOST_TRIES && !MUST_ARRIVE.includes(kind);
}

const fieldsOf = ({ id: messageId, kind, attempt }: ClaimedPost | ClaimedEdit) => ({ messageId, kind, attempt });

async function postUnlessFound(ctx: DeliverCtx, memory: Memory, claimed: ClaimedPost, since: Date) {
  const { db, publisher, logger, now } = ctx;
  const search = await publisher.find(claimed, since);
  // Slack may still carry out the first post.
  if (search.found === 'no') return post(ctx, memory, claimed, true);
  if (search.found === 'not-now') {
    logger.warn({ ...fieldsOf(claimed), reason: search.reason }, "Message couldn't be looked for, asking again");
    return outbox.noteUnresolved(db, claimed, search.retryAfterMs ?? outbox.pauseAfter(claimed.attempt));
  }
  logger.info(fieldsOf(claimed), 'Message found in its channel after a lost answer');
  // The text in Slack is unknown: an empty hash has it edited.
  return notePosted(ctx, claimed, { ts: search.ts, shownHash: '', drawnAt: since, nextAt: now() });
}

async function post(ctx: DeliverCtx, memory: Memory, claimed: ClaimedPost, mayRepeat: boolean) {
  const { db, publisher, traffic, logger, now } = ctx;
  const drawnAt = now();
  if (await isUnreadable(db, claimed.id))
    return outbox.noteNotPosted(db, claimed, 'unreadable', addMilliseconds(drawnAt, outbox.LONGEST_RETRY_MS));
  const incidentIds = claimed.kind === 'digest' ? await outbox.takeIn(db, claimed) : [];
  if (await isHeldBack(db, claimed, incidentIds, drawnAt))
    return outbox.noteNotPosted(db, claimed, SILENCED, addMilliseconds(drawnAt, MINUTE_MS));
  await updateSnapshots(db, claimed, drawnAt);
  await noteSharedLabels(db, claimed.id, traffic);
  const content = await contentOf(db, claimed.id, drawnAt);
  if (content === null) return outbox.noteGivenUp(db, claimed, 'what it was about is no longer kept');
  if (!(await outbox.renewClaim(db, claimed)))
    return logger.warn(fieldsOf(claimed), 'Message was claimed again before it was posted, leaving it to that claim');
  const answer = await publisher.post(content, { mayRepeat, threadTs: claimed.threadTs });
  log(ctx, claimed, answer);
  const pauseMs = outbox.pauseAfter(claimed.attempt);
  switch (answer.is) {
    case 'posted':
      return notePosted(ctx, claimed, { ts: answer.ts, shownHash: answer.shownHash, drawnAt });
    case 'refused': {
      const pause = pauseFrom(now(), answer.retryAfterMs ?? pauseMs);
      if (answer.retryAfterMs !== null) memory.pausedPosts.set(claimed.channel, pause);
      return outbox.noteNotPosted(db, claimed, answer.reason, pause.to);
    }
    case 'shut-out':
      return noteShutOut(ctx, claimed, answer);
    case 'unreachable':
      return noteUnreached(ctx, claimed, content, answer.reason);
    case 'no-thread':
      return outbox.noteGivenUp(db, claimed, answer.reason);
    case 'not-accepted':
      if (isHopeless(claimed)) return noteUnreached(ctx, claimed, content, answer.reason);
      return outbox.noteNotPosted(db, claimed, answer.reason, pauseFrom(now(), pauseMs).to);
    case 'unknown':
      return outbox.noteUnresolved(db, claimed, Math.max(outbox.LOOK_AGAIN_MS, pauseMs));
  }
}

function notePosted({ db, now }: DeliverCtx, claimed: ClaimedPost, shown: outbox.Shown) {
  const { watchId, recipient } = claimed;
  return db.transaction(async (tx) => {
    await outbox.notePosted(tx, claimed, shown, now());
    if (watchId !== null && recipient === null) await clearRefusal(tx, watchId);
  });
}

const pauseFrom = (from: Date, ms: number): TimeRange => ({ from, to: addMilliseconds(from, ms) });

/** A clock that was set back ends a pause. */
function isWithin({ from, to }: TimeRange, at: Date) {
  return from <= at && at < to;
}

const NOTIFYING = ['digest', 'silence', 'changes', 'critical', 'escalated'];

async function isHeldBack(db: Db, { watchId, what }: ClaimedPost, incidentIds: readonly number[], now: Date) {
  const watch = watchId !== null && NOTIFYING.includes(what) ? await watchWithId(db, watchId) : null;
  return watch !== null && isSilenced(watch, await mutesEndingAfter(db, watch.id, now), now, incidentIds);
}

function log({ logger }: DeliverCtx, message: ClaimedPost | ClaimedEdit, answer: PostOutcome | EditOutcome) {
  const { is: outcome, ...facts } = answer;
  const fields = { ...fieldsOf(message), outcome, ...facts };
  if (outcome === 'posted') return logger.info(fields, 'Message posted');
  if (outcome === 'edited' || outcome === 'unchanged') return;
  const isToFix = outcome === 'shut-out' || ('fix' in facts && facts.fix !== null);
  logger[isToFix ? 'error' : 'warn'](fields, `Slack's answer to ${'ts' in message ? 'an edit' : 'a post'}`);
}

async function editNext(ctx: DeliverCtx, memory: Memory, errors: unknown[]) {
  const posted = await claimEdit(ctx, memory);
  if (posted === null) return false;
  try {
    await edit(ctx, memory, posted);
  } catch (err) {
    await retryEdit(ctx, posted, 'failed unexpectedly');
    if (isStoreAway(err)) throw err;
    ctx.logger.error({ ...fieldsOf(posted), err }, 'Edit failed unexpectedly, trying again');
    errors.push(err);
  }
  return true;
}

/** One replica draws new counts: Slack's limit is the workspace's. */
async function claimEdit({ db, isOurs, now }: DeliverCtx, memory: Memory) {
  const at = now();
  if (memory.editsPaused !== null && isWithin(memory.editsPaused, at)) return null;
  memory.editedAt = memory.editedAt.filter((edited) => isWithin(pauseFrom(edited, MINUTE_MS), at));
  return outbox.claimEdit(db, isOurs(null) && memory.editedAt.length < outbox.COUNT_EDITS_A_MINUTE, at);
}

/** A refusal leaves the text unknown: of its hash, only the mark `repeat:` stays. */
async function retryEdit({ db, now }: DeliverCtx, posted: ClaimedEdit, reason: string, retryAfterMs?: number | null) {
  const nextAt = addMilliseconds(now(), retryAfterMs ?? outbox.pauseAfter(posted.attempt));
  const shownHash = posted.shownHash?.replace(/[^:]*$/, '');
  await outbox.endEdit(db, posted, { nextAt, lastRefusal: reason, shownHash });
}

async function edit(ctx: DeliverCtx, memory: Memory, posted: ClaimedEdit) {
  const { db, publisher, traffic, now } = ctx;
  if (await isUnreadable(db, posted.id))
    return outbox.endEdit(db, posted, { nextAt: addMilliseconds(now(), outbox.LONGEST_RETRY_MS) });
  await noteSharedLabels(db, posted.id, traffic);
  const content = await contentOf(db, posted.id, now());
  if (content === null) return outbox.noteFrozen(db, posted);
  const answer = await publisher.edit(content, posted);
  log(ctx, posted, answer);
  if (answer.is !== 'unchanged') memory.editedAt = [...memory.editedAt, now()];
  switch (answer.is) {
    case 'edited':
    case 'unchanged':
      return outbox.noteEdited(db, posted, answer.shownHash);
    case 'refused':
      memory.editsPaused = pauseFrom(now(), answer.retryAfterMs ?? 0);
      return retryEdit(ctx, posted, answer.reason, answer.retryAfterMs);
    case 'not-accepted':
      if (posted.attempt >= MOST_TRIES) return outbox.noteFrozen(db, posted);
      return retryEdit(ctx, posted, answer.reason);
    case 'deleted': {
      const watch = await watchWithId(db, posted.watchId ?? '');
      const values = await filterValues(db, posted.environment ?? '', watch?.settings.filter ?? EVERYTHING);
      return outbox.noteDeleted(db, posted, filterConditions(3), values);
    }
    case 'frozen':
      return outbox.noteFrozen(db, posted);
  }
}
