import { and, eq, sql } from 'drizzle-orm';
import { InputError } from '../lib/errors.ts';
import { storableEcho } from '../lib/text/shown-id.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { whyOf } from '../service/problem-words.ts';
import type { Call } from '../service/query.ts';
import { ServiceError, type ServiceProblem } from '../service/service-error.ts';
import type { TriggerItem } from '../service/trigger.ts';
import type { Db } from '../store/db.ts';
import { noteState, statesAfter, type TriggerNow } from './note-state.ts';
import { originalOf } from './original.ts';
import { planTrigger } from './plan.ts';
import { reread } from './reread-events.ts';
import { brokenEvents } from './resend.ts';
import { planResend, type ResendChoices } from './resend-plan.ts';
import { noteRefusals, type SendCtx, type Sending, sendingOf, stopSending } from './sending-rows.ts';
import { type TriggerRow, triggers } from './tables.ts';
import { attemptWrite, type FailedWrite } from './try-write.ts';

type Batch = readonly TriggerRow[];

export type SendCall = Required<Call>;

type Resend = Sending & { incidentId: number; choices: ResendChoices };

export const isResend = (sending: Sending): sending is Resend =>
  sending.incidentId !== null && sending.choices !== null;

const STOPPED = 'stopped before';

export async function leaveOutWaiting({ db, now }: SendCtx, { id }: Sending): Promise<void> {
  const isWaiting = and(eq(triggers.sending, id), eq(triggers.state, 'waiting'));
  await db.update(triggers).set({ state: 'left-out', why: STOPPED, closedAt: now() }).where(isWaiting);
}

export async function sendNextBatch(ctx: SendCtx, sending: Resend, call: SendCall): Promise<void> {
  const batch = await claim(ctx, sending);
  if (batch.length === 0) return;
  const outcome = await attemptWrite(() => sendBatch(ctx, sending, batch, call));
  if (outcome.is === 'done') {
    for (const next of outcome.result) await noteState(ctx, next);
    const sent = outcome.result.filter(({ state }) => state !== 'left-out');
    const refusals = sent.map(({ why }) => why);
    return countRefusals(ctx, sending, refusals);
  }
  const fields = {
    sending: sending.id,
    environment: sending.environment,
    events: batch.length,
    outcome: outcome.is,
    err: outcome.error,
  };
  ctx.logger.warn(fields, 'A batch may not have been sent again');
  const fate = fateOf(outcome, batch.length);
  switch (fate.is) {
    case 'refused':
      await noteBatch(ctx, batch, { state: 'refused', why: fate.why });
      return countRefusals(ctx, sending, [fate.why]);
    case 'halved':
      await noteBatch(ctx, batch, { state: 'waiting', why: null });
      return noteRefusals(ctx.db, sending.id, { batchSize: fate.batchSize });
    case 'put-back':
      await noteBatch(ctx, batch, { state: 'waiting', why: null });
      if (fate.refusal !== null) await countRefusals(ctx, sending, [fate.refusal]);
      return;
    case 'unanswered':
      if (fate.countsAsTry) await noteBatch(ctx, batch, { state: 'sending', why: null });
      return countRefusals(ctx, sending, [fate.why]);
  }
}

async function noteBatch(ctx: SendCtx, batch: Batch, next: Pick<TriggerNow, 'state' | 'why'>): Promise<void> {
  for (const { id } of batch) await noteState(ctx, { id, ...next });
}

/** After a refusal, events are claimed one by one: a refused event mustn't block the others. */
async function claim({ db, now }: SendCtx, { id, refusedInARow, batchSize }: Sending): Promise<Batch> {
  const waiting = sql`
    SELECT id
    FROM triggers
    WHERE sending = ${id}
      AND state = 'waiting'
    ORDER BY id
    LIMIT ${refusedInARow === 0 ? batchSize : 1}
    FOR UPDATE SKIP LOCKED`;
  return db
    .update(triggers)
    .set({ state: 'sending', claimedAt: now() })
    .where(sql`${triggers.id} IN (${waiting})`)
    .returning();
}

async function sendBatch(ctx: SendCtx, sending: Resend, batch: Batch, call: SendCall): Promise<TriggerNow[]> {
  const { items, leftOut } = await planBatch(ctx, sending, batch, call);
  if (items.length === 0) return leftOut;
  // A rate limit can delay a write for a minute. A request in flight isn't aborted.
  const stopping = abortWhenStopped(ctx, sending);
  const stoppable = { ...call, signal: AbortSignal.any([stopping.signal, call.signal]) };
  try {
    const service = ctx.serviceOf(sending.environment);
    const results = await service.triggerEvents(items, { idempotencyKey: ctx.newId() }, stoppable);
    return [...leftOut, ...statesAfter(items, results)];
  } finally {
    stopping.end();
  }
}

interface BatchPlan {
  items: readonly TriggerItem[];
  leftOut: TriggerNow[];
}

/** Payloads aren't stored: each event is read and planned again. */
async function planBatch(ctx: SendCtx, sending: Resend, batch: Batch, call: SendCall): Promise<BatchPlan> {
  const { db, now } = ctx;
  const keys = batch.flatMap(({ eventKey }) => eventKey ?? []);
  const broken = await brokenEvents(db, sending.incidentId, null, keys);
  // Their own rows say that they are being sent, for which `planResend` would leave them out.
  const sendable = broken.map((event) => ({ ...event, sentAgain: null }));
  const read = await reread(sendable, { service: ctx.serviceOf(sending.environment), now, call });
  const plan = planResend(sendable, read, sending.choices, now());
  const stopped = (await isStopped(db, sending)) ? STOPPED : null;
  const leftOut: TriggerNow[] = [];
  const items: TriggerItem[] = [];
  for (const { id, eventKey } of batch) {
    const judged = read.events.get(eventKey ?? '');
    const why = plan.leftOut.get(eventKey ?? '') ?? stopped;
    if (judged === undefined || why !== null) leftOut.push({ id, state: 'left-out', why: why ?? 'no longer found' });
    else items.push(...itemsOf(judged.event, id, sending));
  }
  return { items, leftOut };
}

function itemsOf(event: TriggeredEvent, transactionId: string, { environment }: Sending): readonly TriggerItem[] {
  const { subscriberId, eventKey: _, ...original } = originalOf(event, environment);
  const { events, options, workflow } = planTrigger({ ...original, recipients: [{ subscriberId, content: null }] });
  return events.map((item) => ({ ...item, workflow, options, transactionId }));
}

async function isStopped(db: Db, { id }: Sending): Promise<boolean> {
  const current = await sendingOf(db, id);
  return current === null || current.stoppedAt !== null;
}

/** A person who stops a batch expects that nothing is sent from then on. */
const STOPPED_WITHIN_MS = 500;

/** `end` has to be called: until then, it's asked again and again. */
function abortWhenStopped({ db, logger }: SendCtx, sending: Sending): { signal: AbortSignal; end: () => void } {
  const stopping = new AbortController();
  const abortIfStopped = async () => {
    if (await isStopped(db, sending)) stopping.abort(new InputError('incident', 'It was stopped.'));
  };
  const warn = (err: unknown) => logger.warn({ err, sending: sending.id }, 'Not known if a batch was stopped');
  const timer = setInterval(() => void abortIfStopped().catch(warn), STOPPED_WITHIN_MS);
  return { signal: stopping.signal, end: () => clearInterval(timer) };
}

/** So many in a row have one reason, which a person has to mend first. */
const MOST_REFUSED_IN_A_ROW = 10;

/** `refusals` has a null for each accepted event. */
async function countRefusals(ctx: SendCtx, sending: Sending, refusals: readonly (string | null)[]): Promise<void> {
  const refusedInARow = refusals.reduce(
    (streak, refusal) => (refusal === null ? 0 : streak + 1),
    sending.refusedInARow,
  );
  const last = refusals.findLast((refusal) => refusal !== null) ?? sending.lastRefusal;
  const lastRefusal = last === null ? null : storableEcho(last);
  await noteRefusals(ctx.db, sending.id, { refusedInARow, lastRefusal });
  if (refusedInARow >= MOST_REFUSED_IN_A_ROW) await stopSending(ctx, sending, null);
}

/** What becomes of a batch whose write brought no results. */
export type BatchFate =
  /** The service refuses its only event. */
  | { is: 'refused'; why: string }
  /** It waits, and goes in smaller batches. */
  | { is: 'halved'; batchSize: number }
  /** It waits. A refusal counts towards the end of the sending; null: the problem ends by itself. */
  | { is: 'put-back'; refusal: string | null }
  /** It is looked for. In a batch it's nobody's try: a single event may be the reason. */
  | { is: 'unanswered'; why: string; countsAsTry: boolean };

const TOO_LARGE = 413;

const LASTING_PROBLEMS: readonly ServiceProblem['kind'][] = ['refused', 'key-refused', 'beyond-plan'];

export function fateOf({ is, error }: FailedWrite, batchLength: number): BatchFate {
  const problem = error instanceof ServiceError ? error.problem : null;
  const why = problem === null ? 'something went wrong in Notif itself' : whyOf(problem);
  const isAlone = batchLength === 1;
  if (is === 'unknown') return { is: 'unanswered', why, countsAsTry: isAlone };
  if (problem === null) return { is: 'put-back', refusal: why };
  if (problem.kind === 'refused' && isAlone) return { is: 'refused', why };
  if (problem.kind === 'refused' && problem.status === TOO_LARGE)
    return { is: 'halved', batchSize: Math.ceil(batchLength / 2) };
  return { is: 'put-back', refusal: LASTING_PROBLEMS.includes(problem.kind) ? why : null };
}
