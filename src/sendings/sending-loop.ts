import { isDeepStrictEqual } from 'node:util';
import { subMilliseconds } from 'date-fns';
import { sql } from 'drizzle-orm';
import { settleChange } from '../audit/audit.ts';
import { redrawOwned } from '../outbox/messages.ts';
import { ServiceError } from '../service/service-error.ts';
import type { Db } from '../store/db.ts';
import { FOLLOW_MS, followSent } from './follow-sent.ts';
import { type Progress, progressOf } from './progress.ts';
import { isResend, leaveOutWaiting, type SendCall, sendNextBatch } from './resend-batch.ts';
import { erasedRecipients, eraseRecipients } from './sealed-recipients.ts';
import { noteEnd, openSendings, ownerOf, type SendCtx, type Sending } from './sending-rows.ts';

/** After a crash, the next call continues. */
export async function continueSendings(ctx: SendCtx, signal: AbortSignal): Promise<void> {
  const open = await openSendings(ctx.db);
  await Promise.all(open.map((sending) => proceed(ctx, sending, { who: 'poller', signal })));
}

async function proceed(ctx: SendCtx, sending: Sending, call: SendCall): Promise<void> {
  const before = await progressOf(ctx.db, sending);
  const begunAt = ctx.now();
  try {
    if (sending.stoppedAt !== null) await leaveOutWaiting(ctx, sending);
    else if (isResend(sending)) await sendNextBatch(ctx, sending, call);
    await followSent(ctx, sending, call);
  } catch (err) {
    // Polls report a service that is away.
    const level = err instanceof ServiceError ? 'debug' : 'warn';
    ctx.logger[level]({ err, sending: sending.id }, 'Sending or following was interrupted, trying again');
  }
  const progress = await progressOf(ctx.db, sending);
  if (!isDeepStrictEqual(before, progress)) await redrawOwned(ctx.db, ownerOf(sending.id), ctx.now());
  // Only what was overdue when this began was looked for.
  await endIfOver(ctx.db, sending, progress, begunAt);
  await ctx.wakeOutbox();
}

async function endIfOver(db: Db, sending: Sending, progress: Progress, now: Date): Promise<void> {
  const { accepted, counts, lastSentAt } = progress;
  const { waiting = 0, sending: unanswered = 0, sent = 0, refused = 0, unclear = 0 } = counts;
  const isFollowed = lastSentAt <= subMilliseconds(now, FOLLOW_MS);
  if (waiting > 0 || (unanswered + sent > 0 && !isFollowed)) return;
  await db.transaction(async (tx) => {
    const erased = await erasedRecipients(tx, sending, now);
    if (!(await noteEnd(tx, sending, now))) return;
    await closeOpen(tx, sending, now);
    for (const shownId of erased) await eraseRecipients(tx, shownId);
    const isUnknown = unanswered + unclear > 0;
    await settleChange(tx, sending.id, isUnknown ? { is: 'unknown' } : { is: 'sent', accepted, refused });
    await redrawOwned(tx, ownerOf(sending.id), now);
  });
}

async function closeOpen(tx: Db, { id }: Sending, now: Date): Promise<void> {
  await tx.write(sql`
    UPDATE triggers
    SET
      state = CASE state WHEN 'sending' THEN 'unclear' ELSE state END,
      closed_at = ${now}
    WHERE sending = ${id}
      AND closed_at IS NULL`);
}
