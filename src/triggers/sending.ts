import { addDays, max } from 'date-fns';
import { eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type NewEntry, recordEntry } from '../audit/audit.ts';
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
import { enqueue, enqueueFor, forgetMessages, type NewMessage, redrawSubject } from '../outbox/messages.ts';
import { Count, type Ctx, type Db } from '../store/db.ts';
import { extendValue, forgetValue, getValue, putValue } from '../store/kv.ts';
import type { TriggerService } from './read-events.ts';
import { ResendChoices } from './resend-plan.ts';
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
export const CAN_BE_TRIED_AGAIN: readonly SendingState[] = ['refused', 'left-out', 'unclear'];

export interface SendCtx extends Ctx {
  seal: Seal;
  serviceOf: (environment: string) => TriggerService;
  wakeDelivery: () => Promise<void>;
  newId: () => string;
}

const Sending = z.object({
  id: z.string(),
  /** Null: a test. */
  incidentId: z.number().nullable(),
  environment: z.string(),
  actor: z.string(),
  choices: ResendChoices.nullable().default(null),
  startedAt: z.coerce.date(),
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

/** False if it had ended. Who follows it in a thread is notified of its end by a direct message. */
export async function noteEnd(tx: Db, { id, actor, environment }: Sending, endedAt: Date) {
  if (!(await extendValue(tx, keyOf(id), stored({ endedAt }), 'endedAt'))) return false;
  await enqueueFor(tx, { kind: 'sending', subject: id, recipient: actor, environment, createdAt: endedAt });
  return true;
}

interface Beginning {
  entry: Omit<NewEntry, 'outcome'> & { intentId: string; environment: string };
  message: Partial<NewMessage>;
  state: 'waiting' | 'sending';
  /** `id` is the transaction ID. */
  rows: readonly { id: string; workflow: string; subscriberId: string; eventKey?: string }[];
  choices?: ResendChoices;
}

/** False if this intent was begun before. Rows that somebody else is sending are left to them: throws if all are. */
export async function beginSending(tx: Db, seal: Seal, beginning: Beginning) {
  const { entry, message, state, rows, choices = null } = beginning;
  const { intentId: id, environment, actor, at, incidentId = null } = entry;
  if (!(await recordEntry(tx, { ...entry, outcome: { is: 'begun' } }))) return false;
  const kept = choices && { ...choices, workflows: choices.workflows.map(boundedId) };
  const nothingYet = { inARow: 0, stopped: null, lastRefusal: null, endedAt: null };
  const sending = { id, incidentId, environment, actor, choices: kept, startedAt: at, ...nothingYet };
  await putValue(tx, keyOf(id), stored(sending), addDays(at, KEPT_DAYS));
  await enqueue(tx, { ...message, kind: 'sending', environment, subject: id, createdAt: at });
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
  if (taken.length === 0)
    throw new InputError('incident', 'Somebody else has just sent these again.', null, SEE_THREAD);
  return true;
}

const SEE_THREAD = "The incident's thread shows how it goes.";

export interface Recipient {
  /** Sealed if it is a contact. */
  subscriberId: Storable;
  shownId: Storable;
  row: number;
  /** How often it was sent without a readable answer. */
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

/** Of finished tests and of what was sent again; they are read no more. Some are sealed, so everybody's go. */
export async function eraseRecipients(tx: Db) {
  await tx.write("UPDATE triggers SET recipients = '[]', why = NULL WHERE closed_at IS NOT NULL");
}
