import { addMilliseconds } from 'date-fns';
import { isStoreAway } from '../lib/errors.ts';
import { throwIfAny } from '../lib/in-turn.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { forgetSent } from './adopt.ts';
import { editNext } from './edit.ts';
import { postNext } from './post.ts';
import type { DeliverCtx, Memory } from './post-or-edit.ts';

const LONGEST_RUN_MS = MINUTE_MS;

/** Posts and edits what is due, one after the other. What fails unexpectedly holds up nothing else. */
export function createPosting<Content>(ctx: DeliverCtx<Content>): (signal: AbortSignal) => Promise<void> {
  const memory: Memory = {
    pausedPosts: new Map(),
    editsPaused: null,
    editedAt: [],
    isAway: false,
    lastPosted: null,
    lostAt: null,
    lost: null,
    unknown: new Map(),
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
