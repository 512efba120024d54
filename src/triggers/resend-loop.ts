import { subMilliseconds } from 'date-fns';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { settleChange } from '../audit/audit.ts';
import type { JudgedEvent } from '../failures/judge.ts';
import { ServiceError } from '../lib/errors.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { Call } from '../service/query.ts';
import type { TriggerItem, TriggerResult } from '../service/trigger.ts';
import { triggers } from '../store/schema.ts';
import { opened, writeOutcome } from './intents.ts';
import { originalOf, planTrigger } from './plan.ts';
import { eventsOfSubscribers, judgedEvents, reread } from './read-events.ts';
import {
  brokenEvents,
  note,
  OPEN_RUNS,
  type ResendCtx,
  type ResendRun,
  RunRow,
  redraw,
  resendProgress,
  resendRun,
  stop,
} from './resend.ts';
import { OPEN_STATES, type ResentState, resentState, targetOf } from './resend-plan.ts';
import { REFUSALS } from './send.ts';

/** One batch of each. Whoever calls it next goes on where this one was killed. */
export async function continueResends(ctx: ResendCtx, signal: AbortSignal): Promise<void> {
  const call = { who: 'poller', signal } as const;
  for (const { value: run } of await ctx.db.rows(RunRow, OPEN_RUNS)) {
    if (signal.aborted) return;
    try {
      if (run.stopped === null) await sendNext(ctx, run, call);
      else await leaveOutWaiting(ctx, run);
      await follow(ctx, run, call);
    } catch (err) {
      ctx.logger.warn({ err, resend: run.id }, 'sending again was interrupted, trying again');
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
  const isWaiting = sql`${triggers.id} IN ${waiting}`;
  return db.update(triggers).set(claimed).where(isWaiting).returning({ id: triggers.id, eventKey: triggers.eventKey });
}

interface Settled {
  id: string;
  state: ResentState;
  why: string | null;
}

async function sendNext(ctx: ResendCtx, run: ResendRun, call: Call): Promise<void> {
  const { logger } = ctx;
  const batch = await claim(ctx, run);
  if (batch.length === 0) return;
  const fields = { resend: run.id, environment: run.environment, events: batch.length };
  const outcome = await writeOutcome(() => sendBatch(ctx, run, batch, call));
  if (outcome.is === 'done') {
    for (const settled of outcome.result) await settle(ctx, settled);
    logger.info(fields, 'a batch was sent again');
    const answered = outcome.result.filter(({ state }) => state !== 'left-out');
    return noteAnswers(
      ctx,
      run,
      answered.map(({ why }) => why),
    );
  }
  const { error } = outcome;
  logger.warn({ ...fields, err: error, outcome: outcome.is }, 'a batch was not sent again, or nobody knows');
  if (outcome.is === 'refused') for (const { id } of batch) await settle(ctx, { id, state: 'waiting', why: null });
  return noteAnswers(ctx, run, [error instanceof ServiceError ? error.problem.kind : 'failed unexpectedly']);
}

/** Payloads aren't stored, so each event is read once more; what was delivered meanwhile is left out. */
async function sendBatch(ctx: ResendCtx, run: ResendRun, batch: readonly Row[], call: Call): Promise<Settled[]> {
  const { db, now, newId } = ctx;
  const service = ctx.serviceOf(run.environment);
  const keys = batch.flatMap(({ eventKey }) => eventKey ?? []);
  const { events } = await reread(await brokenEvents(db, run.incidentId, keys), { service, now, call });
  const leftOut: Settled[] = [];
  const items: TriggerItem[] = [];
  for (const { id, eventKey } of batch) {
    const target = targetOf(events.get(eventKey ?? ''));
    if (typeof target === 'string') leftOut.push({ id, state: 'left-out', why: target });
    else items.push(...itemsOf(target.event, id, run));
  }
  if (items.length === 0) return leftOut;
  const results = await service.triggerEvents(items, { idempotencyKey: newId() }, call);
  const sent = items.map(({ transactionId: id }, index) => {
    const why = refusalIn(results[index]);
    return { id, state: why === null ? ('sent' as const) : ('refused' as const), why };
  });
  return [...leftOut, ...sent];
}

function itemsOf(event: TriggeredEvent, transactionId: string, { environment }: ResendRun): TriggerItem[] {
  const { subscriberId, ...original } = originalOf(event, environment);
  const { events, options, workflow } = planTrigger({ ...original, rows: [{ subscriberId, content: null }] });
  return events.map((item) => ({ ...item, workflow, options, transactionId }));
}

function refusalIn(result: TriggerResult | undefined): string | null {
  const why = result && REFUSALS.get(result.status);
  return why === undefined ? null : [why, ...(result?.errors ?? [])].join(': ');
}

async function settle({ db, now }: ResendCtx, { id, state, why }: Settled): Promise<void> {
  const closedAt = OPEN_STATES.includes(state) ? null : now();
  await db.update(triggers).set({ state, why, closedAt }).where(eq(triggers.id, id));
}

async function leaveOutWaiting({ db, now }: ResendCtx, { id }: ResendRun): Promise<void> {
  const isWaiting = and(eq(triggers.resend, id), eq(triggers.state, 'waiting'));
  const leftOut = { state: 'left-out', why: 'stopped before', closedAt: now() } as const;
  await db.update(triggers).set(leftOut).where(isWaiting);
}

const MOST_REFUSED_IN_A_ROW = 10;

/** Null: taken. */
async function noteAnswers(ctx: ResendCtx, run: ResendRun, refusals: readonly (string | null)[]): Promise<void> {
  const inARow = refusals.reduce((streak, refusal) => (refusal === null ? 0 : streak + 1), run.inARow);
  const lastRefusal = refusals.findLast((refusal) => refusal !== null) ?? run.lastRefusal;
  await note(ctx.db, run, { inARow, lastRefusal });
  const now = await resendRun(ctx.db, run.id);
  if (inARow >= MOST_REFUSED_IN_A_ROW && now?.stopped === null) await stop(ctx, run, null);
}

/** Then it is sent once more, with the same transaction ID. */
const UNSEEN_MS = MINUTE_MS;

const FOLLOWED_AT_ONCE = 120;

async function follow(ctx: ResendCtx, run: ResendRun, call: Call): Promise<void> {
  const { db, seal, now } = ctx;
  const isOpen = and(eq(triggers.resend, run.id), inArray(triggers.state, ['sending', 'sent']));
  const open = await db.select().from(triggers).where(isOpen).orderBy(sql`random()`).limit(FOLLOWED_AT_ONCE);
  if (open.length === 0) return;
  const reading = { service: ctx.serviceOf(run.environment), now, call };
  const subscribers = open.flatMap(({ recipients }) => recipients.map((row) => opened(row, seal).subscriberId));
  const listed = await eventsOfSubscribers(subscribers, { from: run.startedAt }, reading);
  const ids = new Set(open.map(({ id }) => id));
  const theirs = listed.filter(({ transactionId }) => ids.has(transactionId));
  const judged = await judgedEvents(theirs, reading, { left: FOLLOWED_AT_ONCE });
  const seen = new Map(judged.map((found) => [found.event.transactionId, found]));
  const unseenSince = subMilliseconds(now(), UNSEEN_MS);
  for (const { id, state, claimedAt } of open) {
    const found = seen.get(id);
    const isLost = found === undefined && state === 'sending' && claimedAt <= unseenSince;
    const next = found !== undefined ? stateOf(found) : isLost && run.stopped === null ? WAITING : null;
    if (next !== null && next.state !== state) await settle(ctx, { id, ...next });
  }
}

const WAITING = { state: 'waiting', why: null } as const;

function stateOf(found: JudgedEvent): Omit<Settled, 'id'> {
  const { verdict, failures } = found.judgement;
  const state = resentState(found) ?? 'sent';
  const failure = state === 'failed' ? failures.find((each) => each.verdict === verdict) : undefined;
  return { state, why: failure?.cause.text ?? null };
}

/** What isn't final by then is said to be open. */
const FOLLOW_MS = 10 * MINUTE_MS;

async function endIfOver({ db, now, logger }: ResendCtx, run: ResendRun): Promise<void> {
  const { accepted, counts, lastSentAt } = await resendProgress(db, run.id);
  const { waiting = 0, sending = 0, sent = 0, refused = 0 } = counts;
  const isFollowed = now().getTime() - lastSentAt.getTime() >= FOLLOW_MS;
  if (waiting > 0 || (sending + sent > 0 && !isFollowed)) return;
  await db.transaction(async (tx) => {
    const ofRun = eq(triggers.resend, run.id);
    await tx
      .update(triggers)
      .set({ state: 'unclear' })
      .where(and(ofRun, eq(triggers.state, 'sending')));
    await tx
      .update(triggers)
      .set({ closedAt: now() })
      .where(and(ofRun, isNull(triggers.closedAt)));
    await note(tx, run, { endedAt: now() });
    await settleChange(tx, run.id, sending > 0 ? { is: 'unknown' } : { is: 'sent', accepted, refused });
    await redraw(tx, run, now());
  });
  logger.info({ resend: run.id, ...counts }, 'sending again has ended');
}
