import { subMilliseconds } from 'date-fns';
import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import { settleChange } from '../audit/audit.ts';
import { judgeNow } from '../failures/judge.ts';
import { InputError, ServiceError } from '../lib/errors.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { listEnd, listStart } from '../lib/time/service-clock.ts';
import { withSteps } from '../lookups/steps.ts';
import type { Call } from '../service/query.ts';
import type { TriggerItem, TriggerResult } from '../service/trigger.ts';
import type { Db } from '../store/db.ts';
import { triggers } from '../store/schema.ts';
import { opened, writeOutcome } from './intents.ts';
import { originalOf, planTrigger } from './plan.ts';
import { reread } from './reread.ts';
import {
  brokenEvents,
  note,
  OPEN_RUNS,
  type ResendCtx,
  type ResendRun,
  RunRow,
  redraw,
  resendProgress,
  stop,
} from './resend.ts';
import { mustStop, type ResentState, resentState } from './resend-plan.ts';
import { eventsOfSubscribers, REFUSALS } from './send.ts';

/** One batch of each. Whoever calls it next goes on where this one was killed. */
export async function continueResends(ctx: ResendCtx, signal: AbortSignal): Promise<void> {
  const call = { who: 'poller', signal } as const;
  for (const { value: run } of await ctx.db.rows(RunRow, OPEN_RUNS)) {
    if (signal.aborted) return;
    try {
      if (run.stopped === null) await sendNext(ctx, run, call);
      else await dropWaiting(ctx, run);
      await follow(ctx, run, call);
    } catch (err) {
      if (!(err instanceof ServiceError)) throw err;
      ctx.logger.warn({ err, resend: run.id }, 'what was sent again could not be read, asking again');
    }
    await redraw(ctx.db, run, ctx.now());
    await endIfOver(ctx, run);
  }
}

const BATCH = 50;

type Row = Awaited<ReturnType<typeof claim>>[number];

async function claim({ db, now }: ResendCtx, { id }: ResendRun) {
  const waiting = sql`(SELECT id FROM triggers WHERE resend = ${id} AND state = 'waiting' ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`;
  const claimed = { state: 'sending', claimedAt: now() } as const;
  const { id: transactionId, eventKey, recipients } = triggers;
  return db
    .update(triggers)
    .set(claimed)
    .where(sql`${triggers.id} IN ${waiting}`)
    .returning({ transactionId, eventKey, recipients });
}

async function sendNext(ctx: ResendCtx, run: ResendRun, call: Call): Promise<void> {
  const { db, logger, newId, now } = ctx;
  const batch = await claim(ctx, run);
  if (batch.length === 0) return;
  const outcome = await writeOutcome(async () => {
    const service = ctx.serviceOf(run.environment);
    const keys = batch.flatMap(({ eventKey }) => eventKey ?? []);
    const { events } = await reread(await brokenEvents(db, run.incidentId, keys), service, { now, call });
    const items = batch.map((row) => itemOf(row, events.get(row.eventKey ?? '')?.event, run));
    const sendable = items.filter((item) => item !== null);
    const isAny = sendable.length > 0;
    const results = isAny ? await service.triggerEvents(sendable, { idempotencyKey: newId() }, call) : [];
    return items.map((item) => (item === null ? GONE : refusalIn(results[sendable.indexOf(item)])));
  });
  const fields = { resend: run.id, environment: run.environment, events: batch.length };
  if (outcome.is === 'done') {
    for (const [index, why] of outcome.result.entries())
      await settle(db, batch.slice(index, index + 1), why === null ? 'sent' : 'refused', why);
    logger.info(fields, 'a batch was sent again');
    return noteAnswers(ctx, run, outcome.result);
  }
  const { error } = outcome;
  logger.warn({ ...fields, err: error, outcome: outcome.is }, 'a batch was not sent again, or nobody knows');
  if (outcome.is === 'refused') await settle(db, batch, 'waiting', null);
  return noteAnswers(ctx, run, [error instanceof ServiceError ? error.problem.kind : 'failed unexpectedly']);
}

async function dropWaiting({ db }: ResendCtx, { id }: ResendRun): Promise<void> {
  await db.delete(triggers).where(and(eq(triggers.resend, id), eq(triggers.state, 'waiting')));
}

function refusalIn(result: TriggerResult | undefined): string | null {
  const why = result && REFUSALS.get(result.status);
  return why === undefined ? null : [why, ...(result?.errors ?? [])].join(': ');
}

const GONE = "the service doesn't have it any more";

/** Null: it can't be sent again any more. */
function itemOf(
  { transactionId }: Row,
  event: Parameters<typeof originalOf>[0] | undefined,
  { environment }: ResendRun,
): TriggerItem | null {
  if (event === undefined) return null;
  try {
    const { subscriberId, ...original } = originalOf(event, environment);
    const { events, options, workflow } = planTrigger({ ...original, rows: [{ subscriberId, content: null }] });
    const [item] = events;
    return item === undefined ? null : { ...item, workflow, options, transactionId };
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

async function settle(db: Db, rows: readonly Row[], state: ResentState, why: string | null) {
  if (rows.length === 0) return;
  const ids = rows.map(({ transactionId }) => transactionId);
  await db.update(triggers).set({ state, why }).where(inArray(triggers.id, ids));
}

/** Null: taken. */
async function noteAnswers(ctx: ResendCtx, run: ResendRun, refusals: readonly (string | null)[]): Promise<void> {
  const inARow = refusals.reduce((streak, refusal) => (refusal === null ? 0 : streak + 1), run.inARow);
  const lastRefusal = refusals.findLast((refusal) => refusal !== null) ?? run.lastRefusal;
  await note(ctx.db, run, { inARow, lastRefusal });
  const { accepted, refused } = await resendProgress(ctx.db, run.id);
  if (mustStop({ inARow, answered: accepted + refused, refused })) await stop(ctx, run, null);
}

/** Then it is sent once more, with the same transaction ID. */
const UNSEEN_MS = MINUTE_MS;

const FOLLOWED_AT_ONCE = 120;

async function follow({ db, seal, serviceOf, now }: ResendCtx, run: ResendRun, call: Call): Promise<void> {
  const isOpen = and(eq(triggers.resend, run.id), inArray(triggers.state, ['sending', 'sent']));
  const some = await db.select().from(triggers).where(isOpen).orderBy(sql`random()`).limit(FOLLOWED_AT_ONCE);
  if (some.length === 0) return;
  const service = serviceOf(run.environment);
  const aheadMs = service.clockAheadMs();
  const window = { after: listStart(run.startedAt, aheadMs), before: listEnd(now(), aheadMs) };
  const subscribers = some.flatMap(({ recipients }) => recipients.map((row) => opened(row, seal).subscriberId));
  const ids = new Set(some.map(({ id }) => id));
  const listed = (await eventsOfSubscribers(subscribers, window, service, call)).filter((event) =>
    ids.has(event.transactionId),
  );
  for (const event of await withSteps(listed, service, call, { left: FOLLOWED_AT_ONCE })) {
    const judgement = judgeNow(event, { service, now });
    const state = resentState({ event, judgement }) ?? 'sent';
    const failure = judgement.failures.find(({ verdict }) => verdict === judgement.verdict);
    const why = state === 'failed' ? (failure?.cause.text ?? null) : null;
    await db.update(triggers).set({ state, why }).where(eq(triggers.id, event.transactionId));
    ids.delete(event.transactionId);
  }
  const unseen = and(isOpen, eq(triggers.state, 'sending'), lte(triggers.claimedAt, subMilliseconds(now(), UNSEEN_MS)));
  if (run.stopped === null)
    await db
      .update(triggers)
      .set({ state: 'waiting' })
      .where(and(unseen, inArray(triggers.id, [...ids])));
}

/** What isn't final by then is said to be open. */
const FOLLOW_MS = 10 * MINUTE_MS;

async function endIfOver({ db, now, logger }: ResendCtx, run: ResendRun): Promise<void> {
  const { accepted, refused, counts, lastSentAt } = await resendProgress(db, run.id);
  const { waiting = 0, sending = 0, sent = 0 } = counts;
  const isFollowed = now().getTime() - lastSentAt.getTime() >= FOLLOW_MS;
  if (waiting > 0 || (sending + sent > 0 && !isFollowed)) return;
  await db.transaction(async (tx) => {
    await note(tx, run, { endedAt: now() });
    await settleChange(tx, run.id, sending > 0 ? { is: 'unknown' } : { is: 'sent', accepted, refused });
    await redraw(tx, run, now());
  });
  logger.info({ resend: run.id, ...counts }, 'sending again has ended');
}
