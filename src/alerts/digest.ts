import { addMilliseconds, min, subDays } from 'date-fns';
import { eq } from 'drizzle-orm';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { saidBy } from '../outbox/claims.ts';
import type { Draft, MessageKind } from '../outbox/kinds.ts';
import type { MessageRow } from '../outbox/tables.ts';
import type { Db } from '../store/db.ts';
import type { MentionCtx } from '../watches/mentioned.ts';
import { holdOf, MUTES_FOR_DAYS, mutesEndingAfter } from '../watches/mutes.ts';
import type { Watch } from '../watches/settings.ts';
import { watchWithId } from '../watches/watches.ts';
import { adoptDigest, DigestKept } from './adopt.ts';
import type { DigestContent } from './content.ts';
import { digestDraft } from './digest-drawing.ts';
import { forWatch } from './for-watch.ts';
import { saysOfNow } from './says-now.ts';
import { digestSays } from './subjects.ts';
import { watchAlerts } from './tables.ts';
import { noteShown, noteTold } from './told.ts';
import { shutOutOfChannel } from './watch-end.ts';

/** A watch's message about incidents: what it says is decided when it is posted, and drawn again while it is the newest about them. */
export const createDigestKind = (ctx: MentionCtx): MessageKind<DigestContent> => ({
  Kept: DigestKept,
  mustArrive: true,
  async draw(db, message, at) {
    return forWatch(db, message.owner, async (watch) => {
      if (message.state === 'posted') return drawAgain(db, message, watch, at);
      if (message.channel !== watch.channel) return { is: 'moved', channel: watch.channel };
      return drawFirst({ ...ctx, db }, message, watch, at);
    });
  },
  async told(tx, message, { said, at, isPost }) {
    const watch = await watchWithId(tx, message.owner ?? '');
    if (watch === null) return;
    const noted = { said, at };
    if (isPost) await noteTold(tx, watch, message, noted);
    else await noteShown(tx, watch, message, noted);
  },
  async deleted(tx, message) {
    const gone = { isMessageGone: true, dueAt: message.postedAt };
    await tx.update(watchAlerts).set(gone).where(eq(watchAlerts.messageId, message.id));
  },
  adopt: adoptDigest,
  shutOut: shutOutOfChannel,
});

async function drawFirst(
  ctx: MentionCtx & { db: Db },
  message: MessageRow,
  watch: Watch,
  at: Date,
): Promise<Draft<DigestContent>> {
  const { db } = ctx;
  const mutes = await mutesEndingAfter(db, watch.id, subDays(at, MUTES_FOR_DAYS));
  const hold = holdOf(watch, mutes, at);
  if (hold !== null) return { is: 'held', until: min([hold.until, addMilliseconds(at, MINUTE_MS)]) };
  const says = await saysOfNow(ctx, { watch, environment: message.environment, mutes, at });
  if (says.size === 0) return { is: 'untrue', why: 'nothing of it is to be told any more' };
  return digestDraft(db, message, { watch, says, mutes, at });
}

async function drawAgain(db: Db, message: MessageRow, watch: Watch, at: Date): Promise<Draft<DigestContent>> {
  const says = digestSays(await saidBy(db, message.id));
  const mutes = await mutesEndingAfter(db, watch.id, at);
  return digestDraft(db, message, { watch, says, mutes, at });
}
