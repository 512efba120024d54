import { addDays, max } from 'date-fns';
import { eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { auditedIncident, type NewEntry, recordEntry } from '../audit/audit.ts';
import { incidentNumbered } from '../incidents/lists.ts';
import { InputError } from '../lib/errors.ts';
import type { Seal } from '../lib/seal.ts';
import { MASK } from '../lib/text/mask.ts';
import {
  boundedId,
  isContact,
  maskedId,
  maybeBoundedId,
  type Plain,
  type Storable,
  type StorableJson,
  type StorableRow,
  stored,
} from '../lib/text/shown-id.ts';
import { enqueue, enqueueFor, forgetMessages, redrawSubject } from '../outbox/messages.ts';
import { Count, type Ctx, type Db, jsonOf } from '../store/db.ts';
import { extendValue, forgetValue, getValue, putValue } from '../store/kv.ts';
import type { TriggerService } from './read-events.ts';
import { BrokenEvent, type Resendable, ResendChoices, resentId } from './resend-plan.ts';
import { triggers } from './tables.ts';

/** `sending`: not confirmed yet; `unclear`: never confirmed; `no-event`: accepted, but no event appeared. */
export type SendingState = (typeof SENDING_STATES)[number];
const SENDING_STATES = [
  'waiting',
  'sending',
  'sent',
  'delivered',
  'skipped',
  'failed',
  'no-event',
  'refused',
  'left-out',
  'unclear',
] as const;
export const OPEN_STATES: readonly SendingState[] = ['waiting', 'sending', 'sent'];
const CAN_BE_TRIED_AGAIN: readonly SendingState[] = ['refused', 'left-out', 'unclear'];

export interface SendCtx extends Ctx {
  seal: Seal;
  serviceOf: (environment: string) => TriggerService;
  wakeDelivery: () => Promise<void>;
  newId: () => string;
}

const Sending = z.object({
  id: z.string(),
  incidentId: z.number().nullable(),
  environment: z.string(),
  actor: z.string(),
  channel: z.string().nullable().default(null),
  choices: ResendChoices.nullable().default(null),
  startedAt: z.coerce.date(),
  /** Counts refusals. */
  inARow: z.number(),
  stopped: z.object({ actor: z.string().nullable() }).nullable(),
  lastRefusal: z.string().nullable(),
  endedAt: z.coerce.date().nullable(),
});
export type Sending = z.output<typeof Sending>;

const SendingRow = z.object({ value: Sending });
const OPEN = `SELECT value FROM kv WHERE key LIKE 'sending:%' AND value ->> 'endedAt' IS NULL ORDER BY value ->> 'startedAt'`;

const KEPT_DAYS = 30;
const keyOf = (id: string) => `sending:${id}`;

export async function openSendings(db: Db) {
  return (await db.rows(SendingRow, OPEN)).map(({ value }) => value);
}

export function sendingOf(db: Db, id: string) {
  return getValue(db, keyOf(id), Sending);
}

export async function noteSending(db: Db, { id }: Pick<Sending, 'id'>, changes: Partial<StorableJson<Sending>>) {
  await extendValue(db, keyOf(id), stored(changes));
}

/** Returns false if it had ended. Who follows it in a thread is notified of its end by a direct message. */
export async function noteEnd(tx: Db, { id, actor, channel, environment }: Sending, endedAt: Date) {
  if (!(await extendValue(tx, keyOf(id), stored({ endedAt }), 'endedAt'))) return false;
  const direct = { recipient: actor, owner: { person: actor, channel } };
  await enqueueFor(tx, { kind: 'sending', subject: id, ...direct, environment, createdAt: endedAt });
  return true;
}

interface Beginning {
  entry: Omit<NewEntry, 'outcome'> & { intentId: string; environment: string };
  message: { recipient: string; nextAt?: Date } | { watchId: string; threadOf: string };
  state: 'waiting' | 'sending';
  rows: readonly { id: string; workflow: string; subscriberId: string; eventKey?: string }[];
  choices?: ResendChoices;
}

/** Returns false if this intent was begun before. Leaves out rows that somebody else is sending; throws if all are. */
export async function beginSending(tx: Db, seal: Seal, beginning: Beginning) {
  const { entry, message, state, rows, choices = null } = beginning;
  const { intentId: id, environment, actor, channel = null, at, incidentId = null } = entry;
  if (!(await recordEntry(tx, { ...entry, outcome: { is: 'begun' } }))) return false;
  const storedChoices = choices && { ...choices, workflows: choices.workflows.map(boundedId) };
  const nothingYet = { inARow: 0, stopped: null, lastRefusal: null, endedAt: null };
  const sending = { id, incidentId, environment, actor, choices: storedChoices, startedAt: at, ...nothingYet };
  const kept = { ...sending, channel: maybeBoundedId(channel) };
  await putValue(tx, keyOf(id), stored(kept), addDays(at, KEPT_DAYS));
  const owner = { person: actor, channel };
  await enqueue(tx, { ...message, owner, kind: 'sending', environment, subject: id, createdAt: at });
  const common = { sending: id, incidentId, state, claimedAt: at };
  type Row = StorableRow<typeof triggers.$inferInsert, 'id' | 'sending'>;
  const values = rows.map(({ subscriberId, ...row }, index): Row => {
    const names = { workflow: boundedId(row.workflow), eventKey: maybeBoundedId(row.eventKey ?? null) };
    return { ...row, ...names, ...common, recipients: [recipientOf(subscriberId, index + 1, seal)] };
  });
  const set = { ...common, recipients: sql`excluded.recipients`, why: null, closedAt: null };
  const setWhere = inArray(triggers.state, CAN_BE_TRIED_AGAIN);
  const insert = tx.insert(triggers).values(values).onConflictDoUpdate({ target: triggers.id, set, setWhere });
  const taken = await insert.returning({ id: triggers.id });
  if (taken.length > 0) return true;
  const next = "The incident's thread shows how it goes.";
  throw new InputError('incident', 'Somebody else has just sent these again.', null, next);
}

export interface Recipient {
  /** A contact is sealed. */
  subscriberId: Storable;
  shownId: Storable;
  row: number;
  /** Counts how often it was sent without a readable answer. */
  tries?: number;
}

const SEALED = 'sealed:';

function recipientOf(id: string, row: number, seal: Seal): Recipient {
  return { subscriberId: (isContact(id) ? `${SEALED}${seal.close(id)}` : id) as Storable, shownId: maskedId(id), row };
}

export function unsealed({ subscriberId: id }: Recipient, seal: Seal) {
  return id.startsWith(SEALED) ? (seal.open(id.slice(SEALED.length)) ?? MASK) : id;
}

export function forgetSending(db: Db, id: string) {
  return db.transaction(async (tx) => {
    await tx.delete(triggers).where(eq(triggers.sending, id));
    await forgetMessages(tx, id);
    await forgetValue(tx, keyOf(id));
  });
}

export async function stopSending({ db, now }: SendCtx, { id }: Sending, actor: string | null) {
  await extendValue(db, keyOf(id), stored({ stopped: { actor } }), 'stopped');
  await redrawSubject(db, id, now());
}

const ProgressRow = z.object({
  state: z.enum(SENDING_STATES),
  why: z.string().nullable(),
  events: Count,
  lastSentAt: z.date(),
});

export type Progress = Awaited<ReturnType<typeof progressOf>>;

export async function progressOf(db: Db, { id, incidentId }: Pick<Sending, 'id' | 'incidentId'>) {
  const rows = await db.rows(ProgressRow, PROGRESS, [id]);
  const counts: { [State in SendingState]?: number } = {};
  for (const { state, events } of rows) counts[state] = (counts[state] ?? 0) + events;
  const { sent = 0, delivered = 0, skipped = 0, failed = 0, 'no-event': noEvent = 0 } = counts;
  const reasons = rows.flatMap(({ state, why, events }) => {
    return why === null || state === 'delivered' ? [] : [{ state, why, events }];
  });
  const lastSentAt = max(rows.map((row) => row.lastSentAt));
  const tested = incidentId === null ? await testedIn(db, id) : [];
  return { counts, accepted: sent + delivered + skipped + failed + noEvent, reasons, lastSentAt, tested };
}

const PROGRESS = `
  SELECT state, why, count(*) AS events, max(claimed_at) AS last_sent_at FROM triggers WHERE sending = $1
  GROUP BY state, why ORDER BY events DESC`;

export interface Tested extends Plain<Recipient> {
  transactionId: string;
  workflow: string;
  state: SendingState;
  why: string | null;
}

async function testedIn(db: Db, id: string): Promise<Tested[]> {
  const rows = await db.select().from(triggers).where(eq(triggers.sending, id));
  return rows.flatMap(({ id: transactionId, recipients: [recipient], workflow, state, why }) => {
    return recipient === undefined || state === null ? [] : [{ ...recipient, transactionId, workflow, state, why }];
  });
}

/** Finished sendings don't need them. As sealed ones can't be searched, all are erased. */
export async function eraseRecipients(tx: Db) {
  await tx.write("UPDATE triggers SET recipients = '[]', why = NULL WHERE closed_at IS NOT NULL");
}

export const MOST_BROKEN = 2_000;

/** Returns events with these keys, or the incident's newest up to failure `upTo`. Those sent again before come last. */
export function brokenEvents(db: Db, incidentId: number, upTo: number | null = null, keys?: readonly string[]) {
  const values = [incidentId, jsonOf(CAN_BE_TRIED_AGAIN), upTo, ...(keys ? [jsonOf(keys)] : [])];
  return db.rows(BrokenEvent, brokenBy(keys ? HAVE_KEYS : 'f.incident_id = $1'), values);
}

/** Uses the index of events: an outage can have very many. By now, they may be failures of another incident. */
const HAVE_KEYS = `f.environment = (SELECT environment FROM incidents WHERE id = $1)
    AND f.event_key = ANY (ARRAY(SELECT jsonb_array_elements_text($4::jsonb)))`;

const brokenBy = (condition: string) => `
  SELECT f.event_key, min(f.event_id) AS event_id, min(f.transaction_id) AS transaction_id, min(f.workflow) AS workflow,
    min(f.subscriber_id) AS subscriber_id, min(f.event_created_at) AS created_at, max(f.occurred_at) AS failed_at,
    EXISTS (SELECT FROM triggers t WHERE t.event_key = f.event_key AND NOT $2::jsonb ? t.state) AS is_sent_again
  FROM failures f WHERE ${condition} AND f.seq <= coalesce($3, f.seq)
  GROUP BY f.event_key ORDER BY is_sent_again, failed_at DESC LIMIT ${MOST_BROKEN}`;

interface ResendCommand {
  intent: string;
  actor: string;
  channel: string | null;
  incidentId: number;
  toSend: readonly Resendable[];
  choices: ResendChoices;
}

export async function startResend(ctx: SendCtx, command: ResendCommand) {
  const { intent: id, actor, channel, incidentId, toSend, choices } = command;
  const at = ctx.now();
  return ctx.db.transaction(async (tx) => {
    const {
      environment,
      channel: failingChannel,
      provider,
    } = await incidentNumbered(tx, { incidentId, code: null }, at);
    const incident = auditedIncident({ number: incidentId, channel: failingChannel, provider });
    const change = { action: 'sent-again', notifications: toSend.length, incident } as const;
    const [thread] = await tx.rows(ThreadRow, THREAD, [incidentId, channel]);
    const entry = { at, actor, channel, environment, incidentId, change, intentId: id };
    const message = thread ?? { recipient: actor };
    const rows = toSend.map((row) => ({ ...row, id: resentId(incidentId, environment, row.eventKey) }));
    if (!(await beginSending(tx, ctx.seal, { entry, message, state: 'waiting', rows, choices }))) return null;
    return { inThread: thread !== undefined };
  });
}

/** A thread in another channel may be hidden from the person. */
const ThreadRow = z.object({ watchId: z.string(), threadOf: z.string() });
const THREAD = `
  SELECT w.id AS watch_id, m.id AS thread_of FROM alerts a JOIN messages m ON m.id = a.message_id JOIN watches w ON w.id = a.watch_id
  WHERE a.incident_id = $1 AND m.state = 'posted' AND w.ended_at IS NULL AND w.channel = $2 ORDER BY a.at DESC LIMIT 1`;

export async function stopResends(ctx: SendCtx, incidentId: number, actor: string) {
  const open = (await openSendings(ctx.db)).filter((sending) => sending.incidentId === incidentId);
  for (const sending of open) await stopSending(ctx, sending, actor);
  return open.length > 0;
}
