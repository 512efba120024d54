import { addMilliseconds } from 'date-fns';
import { isStoreAway } from '../lib/errors.ts';
import { HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts';
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
} from './delivery-common.ts';
import { noteSaid } from './messages.ts';

/** Edits the next message that is due; false: none is. What fails unexpectedly is added to `errors`. */
export async function editNext<Content>(ctx: DeliverCtx<Content>, memory: Memory, errors: unknown[]): Promise<boolean> {
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
  if (draft === null || draft.is !== 'drawn' || ts === null) {
    // A message that can't be drawn any more stays as people have read it.
    const isWaiting = draft?.is === 'unreadable';
    const laterAt = addMilliseconds(drawnAt, claims.LONGEST_RETRY_MS);
    await claims.endEdit(db, posted, isWaiting ? { nextAt: laterAt } : { isLeft: true });
    return;
  }
  const answer = await publisher.edit(draft.content, { channel, ts, shownHash, isPlain: isPlain(posted) });
  log(ctx, posted, answer);
  if (answer.is !== 'unchanged') memory.editedAt = [...memory.editedAt, now()];
  if (answer.is === 'edited') await noteBack(ctx, memory);
  switch (answer.is) {
    case 'edited':
    case 'unchanged':
      await db.transaction(async (tx) => {
        const { nextAt, isLast = false } = draft;
        if (!(await claims.noteEdited(tx, posted, answer.shownHash, { nextAt, isLast }))) return;
        await noteSaid(tx, posted.id, draft.said);
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
