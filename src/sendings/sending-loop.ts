import { isDeepStrictEqual } from 'node:util';
import { subMilliseconds } from 'date-fns';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { settleChange } from '../audit/audit.ts';
import { decisiveFailure, deliveriesOf, type JudgedEvent } from '../judging/judge.ts';
import { InputError, ServiceError } from '../lib/errors.ts';
import { storableEcho } from '../lib/text/shown-id.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { outcomeOf } from '../lookups/outcome.ts';
import { judgedEvents } from '../lookups/transaction.ts';
import { redrawOwned } from '../outbox/messages.ts';
import { channelName } from '../service/channels.ts';
import { eventKey, type TriggeredEvent } from '../service/event.ts';
import { stepsBudget } from '../service/operations.ts';
import { whyOf } from '../service/problem-words.ts';
import type { Call } from '../service/query.ts';
import type { TriggerItem } from '../service/trigger.ts';
import type { Db } from '../store/db.ts';
import { attemptWrite } from './outcome.ts';
import { originalOf, planTrigger } from './plan.ts';
import { type Progress, progressOf } from './progress.ts';
import { eventsOfSubscribers, type RereadCtx, reread } from './read-events.ts';
import { erasedRecipients, eraseRecipients, unsealed } from './recipients.ts';
import { brokenEvents } from './resend.ts';
import { finalStateOf, planResend, type ResendChoices } from './resend-plan.ts';
import { noteState, statesAfter, type TriggerNow } from './send.ts';
import {
  messagesOf,
  noteEnd,
  noteRefusals,
  openSendings,
  type SendCtx,
  type Sending,
  sendingOf,
  stopSending,
} from './sending.ts';
import { type Recipient, triggers } from './tables.ts';

/** After a crash, the next call continues. */
export async function continueSendings(ctx: SendCtx, signal: AbortSignal): Promise<void> {
  const open = await openSendings(ctx.db);
  await Promise.all(open.map((sending) => proceed(ctx, sending, { who: 'poller', signal })));
}

type SendCall = Required<Call>;

async function proceed(ctx: SendCtx, sending: Sending, call: SendCall) {
  const before = await progressOf(ctx.db, sending);
  const begunAt = ctx.now();
  try {
    if (sending.stoppedAt !== null) await leaveOutWaiting(ctx, sending);
    else if (isResend(sending)) await sendNext(ctx, sending, call);
    await follow(ctx, sending, call);
  } catch (err) {
    // Polls report a service that is away.
    const level = err instanceof ServiceError ? 'debug' : 'warn';
    ctx.logger[level]({ err, sending: sending.id }, 'Sending or following was interrupted, trying again');
  }
  const progress = await progressOf(ctx.db, sending);
  if (!isDeepStrictEqual(before, progress)) await redrawOwned(ctx.db, messagesOf(sending.id), ctx.now());
  // Only what was overdue when this began was looked for.
  await endIfOver(ctx.db, sending, progress, begunAt);
  await ctx.wakeOutbox();
}

/** After a refusal, events are claimed one by one: a refused event mustn't block the others. */
async function claim({ db, now }: SendCtx, { id, refusedInARow, batchSize }: Sending) {
  const most = refusedInARow === 0 ? batchSize : 1;
  const waiting = sql`(SELECT id FROM triggers WHERE sending = ${id} AND state = 'waiting' ORDER BY id LIMIT ${most} FOR UPDATE SKIP LOCKED)`;
  const isInBatch = sql`${triggers.id} IN ${waiting}`;
  return db.update(triggers).set({ state: 'sending', claimedAt: now() }).where(isInBatch).returning();
}

const isResend = (sending: Sending): sending is Resend => sending.incidentId !== null && sending.choices !== null;

type Resend = Sending & { incidentId: number; choices: ResendChoices };

async function sendNext(ctx: SendCtx, sending: Resend, call: SendCall) {
  const batch = await claim(ctx, sending);
  if (batch.length === 0) return;
  const outcome = await attemptWrite(() => sendBatch(ctx, sending, batch, call));
  if (outcome.is === 'done') {
    for (const next of outcome.result) await noteState(ctx, next);
    const refusals = outcome.result.flatMap(({ state, why }) => (state === 'left-out' ? [] : [why]));
    return countRefusals(ctx, sending, refusals);
  }
  const { error } = outcome;
  const fields = { sending: sending.id, environment: sending.environment, events: batch.length, outcome: outcome.is };
  ctx.logger.warn({ ...fields, err: error }, 'A batch may not have been sent again');
  const problem = error instanceof ServiceError ? error.problem : null;
  const why = problem === null ? 'something went wrong in Notif itself' : whyOf(problem);
  const isRefusal = problem === null || outcome.is === 'unknown' || REFUSAL_KINDS.includes(problem.kind);
  const isAlone = batch.length === 1;
  const state = outcome.is === 'unknown' ? 'sending' : isAlone && problem?.kind === 'refused' ? 'refused' : 'waiting';
  // The service may fail on a single event of a batch.
  const isNoted = state !== 'sending' || isAlone;
  if (isNoted) for (const { id } of batch) await noteState(ctx, { id, state, why: state === 'refused' ? why : null });
  if (problem?.kind === 'refused' && problem.status === TOO_LARGE && !isAlone)
    await noteRefusals(ctx.db, sending.id, { batchSize: Math.ceil(batch.length / 2) });
  else if (isRefusal) await countRefusals(ctx, sending, [why]);
}

const TOO_LARGE = 413;

/** Problems of other kinds end by themselves. */
const REFUSAL_KINDS = ['refused', 'key-refused', 'beyond-plan'];

/** Payloads aren't stored: each event is read and planned again. */
async function sendBatch(ctx: SendCtx, sending: Resend, batch: Awaited<ReturnType<typeof claim>>, call: SendCall) {
  const { db, logger, now, newId } = ctx;
  const service = ctx.serviceOf(sending.environment);
  const keys = batch.flatMap(({ eventKey: key }) => key ?? []);
  const claimed = await brokenEvents(db, sending.incidentId, null, keys);
  const broken = claimed.map((event) => ({ ...event, sentAgain: null }));
  const read = await reread(broken, { service, now, call });
  const plan = planResend(broken, read, sending.choices, now());
  const isStopped = async () => (await sendingOf(db, sending.id))?.stoppedAt !== null;
  const stopped = (await isStopped()) ? STOPPED : null;
  const leftOut: TriggerNow[] = [];
  const items: TriggerItem[] = [];
  for (const { id, eventKey: key } of batch) {
    const judged = read.events.get(key ?? '');
    const why = plan.leftOut.get(key ?? '') ?? stopped;
    if (judged === undefined || why !== null) leftOut.push({ id, state: 'left-out', why: why ?? 'no longer found' });
    else items.push(...itemsOf(judged.event, id, sending));
  }
  if (items.length === 0) return leftOut;
  // A rate limit can delay a write for a minute. A request in flight isn't aborted.
  const stopping = new AbortController();
  const abortOnStop = async () => (await isStopped()) && stopping.abort(new InputError('incident', 'It was stopped.'));
  const warn = (err: unknown) => logger.warn({ err, sending: sending.id }, 'Not known if a batch was stopped');
  const timer = setInterval(() => void abortOnStop().catch(warn), STOPPED_WITHIN_MS);
  const stoppable = { ...call, signal: AbortSignal.any([stopping.signal, call.signal]) };
  const writing = service.triggerEvents(items, { idempotencyKey: newId() }, stoppable);
  const results = await writing.finally(() => clearInterval(timer));
  return [...leftOut, ...statesAfter(items, results)];
}

const STOPPED_WITHIN_MS = 500;

function itemsOf(event: TriggeredEvent, transactionId: string, { environment }: Sending) {
  const { subscriberId, eventKey: _, ...original } = originalOf(event, environment);
  const { events, options, workflow } = planTrigger({ ...original, recipients: [{ subscriberId, content: null }] });
  return events.map((item) => ({ ...item, workflow, options, transactionId }));
}

const STOPPED = 'stopped before';

async function leaveOutWaiting({ db, now }: SendCtx, { id }: Sending) {
  const isWaiting = and(eq(triggers.sending, id), eq(triggers.state, 'waiting'));
  await db.update(triggers).set({ state: 'left-out', why: STOPPED, closedAt: now() }).where(isWaiting);
}

const MOST_REFUSED_IN_A_ROW = 10;

/** `refusals` has a null for each accepted event. */
async function countRefusals(ctx: SendCtx, sending: Sending, refusals: readonly (string | null)[]) {
  const refusedInARow = refusals.reduce(
    (streak, refusal) => (refusal === null ? 0 : streak + 1),
    sending.refusedInARow,
  );
  const last = refusals.findLast((refusal) => refusal !== null) ?? sending.lastRefusal;
  const lastRefusal = last === null ? null : storableEcho(last);
  await noteRefusals(ctx.db, sending.id, { refusedInARow, lastRefusal });
  if (refusedInARow >= MOST_REFUSED_IN_A_ROW) await stopSending(ctx, sending, null);
}

/** An event unseen by then is sent again with the same transaction ID. */
const UNSEEN_MS = MINUTE_MS;
const MOST_TRIES = 3;
const FOLLOWED_AT_ONCE = 120;

async function follow(ctx: SendCtx, sending: Sending, call: Call) {
  const { db, seal, now } = ctx;
  const isOpen = and(eq(triggers.sending, sending.id), inArray(triggers.state, ['sending', 'sent']));
  const open = await db.select().from(triggers).where(isOpen).orderBy(sql`random()`).limit(FOLLOWED_AT_ONCE);
  if (open.length === 0) return;
  const readCtx = { service: ctx.serviceOf(sending.environment), now, call };
  const subscribers = open.flatMap(({ recipients }) => recipients.map((recipient) => unsealed(recipient, seal)));
  const ids = new Set(open.map(({ id }) => id));
  const events: TriggeredEvent[] = [];
  for await (const listed of eventsOfSubscribers(subscribers, sending.startedAt, readCtx))
    events.push(...listed.filter(({ transactionId }) => ids.has(transactionId)));
  const judged = await judgedEvents(events, readCtx, stepsBudget(FOLLOWED_AT_ONCE));
  const judgedById = new Map(judged.map((each) => [each.event.transactionId, each]));
  const unseenSince = subMilliseconds(now(), UNSEEN_MS);
  // A test's payload isn't stored.
  const canBeSentAgain = sending.stoppedAt === null && sending.incidentId !== null;
  for (const { id, state, claimedAt, recipients } of open) {
    const seen = judgedById.get(id);
    const isLost = canBeSentAgain && state === 'sending' && claimedAt <= unseenSince;
    const isOverdue = state === 'sent' && claimedAt <= subMilliseconds(now(), FOLLOW_MS);
    const hasNoEvent = !seen && isOverdue && !(await hasListed(readCtx, id));
    const unseenState = isLost ? stateAfterTry(recipients) : hasNoEvent ? NO_EVENT : null;
    const next = seen ? { ...stateOf(seen), sentAs: eventKey(seen.event) } : unseenState;
    if (next !== null && next.state !== state) await noteState(ctx, { id, ...next });
  }
}

const NO_EVENT = {
  state: 'no-event',
  why: 'usually its workflow has no active steps, or its recipient is empty or an unknown topic',
} as const;

/** True, too, if the service ignores the filter: nobody knows then. */
async function hasListed({ service, call }: RereadCtx, transactionId: string) {
  const { items, unreadable, misfits = [] } = await service.listEvents({ transactionId, limit: 1 }, call);
  return items.length + unreadable.length + misfits.length > 0;
}

function stateAfterTry(recipients: readonly Recipient[]): Omit<TriggerNow, 'id'> {
  const isLast = recipients.some(({ tries = 0 }) => tries >= MOST_TRIES);
  return isLast ? { state: 'unclear', why: 'no clear answer in three tries' } : { state: 'waiting', why: null };
}

function stateOf({ event, judgment }: JudgedEvent): Omit<TriggerNow, 'id'> {
  const state = finalStateOf({ event, judgment }) ?? 'sent';
  const failure = decisiveFailure(judgment);
  if (state === 'failed')
    return {
      state,
      outcome: outcomeOf(event, judgment),
      why: failure ? `${channelName(failure.channel)}: ${failure.cause.text}` : null,
    };
  const channels = deliveriesOf(event, judgment).map(({ channel }) => channelName(channel));
  return { state, why: state === 'delivered' ? [...new Set(channels)].join(', ') : null };
}

const FOLLOW_MS = 10 * MINUTE_MS;

async function endIfOver(db: Db, sending: Sending, progress: Progress, now: Date) {
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
    await redrawOwned(tx, messagesOf(sending.id), now);
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
