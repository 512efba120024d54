import { addDays, addMinutes, max } from 'date-fns';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { type AuditEntry, recordEntry } from '../audit/audit.ts';
import type { Logger } from '../lib/logger.ts';
import type { Seal } from '../lib/seal.ts';
import { MASK } from '../lib/text/mask.ts';
import { isContact, maskedId } from '../lib/text/shown-id.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import { getValue, putValue } from '../store/kv.ts';
import { messages, triggers } from '../store/schema.ts';
import type { TriggerService } from './read-events.ts';
import { RESENT_STATES, type ResentState } from './resend-plan.ts';

export interface SendCtx {
  db: Db;
  seal: Seal;
  serviceOf: (environment: string) => TriggerService;
  wakeDelivery: () => Promise<void>;
  logger: Logger;
  now: () => Date;
  newId: () => string;
}

const Sending = z.object({
  id: z.string(),
  /** Null: a test. */
  incidentId: z.number().nullable(),
  environment: z.string(),
  actor: z.string(),
  startedAt: z.coerce.date(),
  /** Refusals in a row. */
  inARow: z.number(),
  stopped: z.object({ by: z.string().nullable() }).nullable(),
  lastRefusal: z.string().nullable(),
  endedAt: z.coerce.date().nullable(),
});
/** What one submission sends: a test, or what an incident broke. */
export type Sending = z.output<typeof Sending>;

export const SendingRow = z.object({ value: Sending });
export const OPEN_SENDINGS = `SELECT value FROM kv WHERE key LIKE 'resend:%' AND value ->> 'endedAt' IS NULL ORDER BY value ->> 'startedAt'`;

const KEPT_DAYS = 30;
const keyOf = (id: string) => `resend:${id}`;

export function sendingOf(db: Db, id: string): Promise<Sending | null> {
  return getValue(db, keyOf(id), Sending);
}

export async function note(db: Db, { id }: Pick<Sending, 'id'>, news: Partial<Sending>): Promise<void> {
  await db.write('UPDATE kv SET value = value || $2::jsonb WHERE key = $1', [keyOf(id), jsonOf(news)]);
}

interface Beginning {
  entry: Omit<AuditEntry, 'outcome'> & { intentId: string; environment: string; incidentId?: number };
  message: Partial<typeof messages.$inferInsert>;
}

/** False, having written nothing, if this intent was begun before. */
export async function begin(tx: Db, { entry, message }: Beginning): Promise<boolean> {
  const { intentId: id, environment, actor, at, incidentId = null } = entry;
  if (!(await recordEntry(tx, { ...entry, outcome: { is: 'begun' } }))) return false;
  const nothingYet = { inARow: 0, stopped: null, lastRefusal: null, endedAt: null };
  const sending: Sending = { id, incidentId, environment, actor, startedAt: at, ...nothingYet };
  await putValue(tx, keyOf(id), sending, addDays(at, KEPT_DAYS));
  await tx.insert(messages).values({ ...message, kind: 'resend', environment, subject: id, createdAt: at });
  return true;
}

export interface Recipient {
  subscriberId: string;
  transactionId: string;
  row: number;
  /** Masked if it is a contact. */
  shownId: string;
}

const SEALED = 'sealed:';

/** A contact is stored sealed. */
export function kept(subscriberId: string, transactionId: string, row: number, seal: Seal): Recipient {
  const sealed = isContact(subscriberId) ? `${SEALED}${seal.close(subscriberId)}` : subscriberId;
  return { subscriberId: sealed, transactionId, row, shownId: maskedId(subscriberId) };
}

export function opened({ subscriberId }: Recipient, seal: Seal): string {
  if (!subscriberId.startsWith(SEALED)) return subscriberId;
  return seal.open(subscriberId.slice(SEALED.length)) ?? MASK;
}

/** Later than the answer to the request comes. */
export const toldAfter = (at: Date) => addMinutes(at, 1);

/** As if it had never begun, but for the audit trail. */
export function forget(db: Db, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.delete(triggers).where(eq(triggers.resend, id));
    await tx.delete(messages).where(eq(messages.subject, id));
    await tx.write('DELETE FROM kv WHERE key = $1', [keyOf(id)]);
  });
}

export async function stop({ db, logger, now }: SendCtx, sending: Sending, by: string | null): Promise<void> {
  await note(db, sending, { stopped: { by } });
  await redraw(db, sending, now());
  logger.warn({ resend: sending.id, incidentId: sending.incidentId, by }, 'sending again was stopped');
}

export async function redraw(db: Db, { id }: Sending, now: Date): Promise<void> {
  await db.write(REDRAW, [id, now]);
}

const REDRAW = `UPDATE messages SET next_at = $2 WHERE kind = 'resend' AND subject = $1 AND state IN ('posting', 'posted')`;

const ProgressRow = z.object({
  state: z.enum(RESENT_STATES),
  why: z.string().nullable(),
  events: Count,
  lastSentAt: z.date(),
});

export async function progressOf(db: Db, { id, incidentId }: Pick<Sending, 'id' | 'incidentId'>) {
  const rows = await db.rows(ProgressRow, PROGRESS, [id]);
  const counts: { [State in ResentState]?: number } = {};
  for (const { state, events } of rows) counts[state] = (counts[state] ?? 0) + events;
  const { sent = 0, delivered = 0, skipped = 0, failed = 0 } = counts;
  const reasons = rows.flatMap(({ state, why, events }) =>
    why === null || state === 'delivered' ? [] : [{ state, why, events }],
  );
  const lastSentAt = max(rows.map((row) => row.lastSentAt));
  const tested = incidentId === null ? await testedIn(db, id) : [];
  return { counts, accepted: sent + delivered + skipped + failed, reasons, lastSentAt, tested };
}

const PROGRESS = `
  SELECT state, why, count(*) AS events, max(claimed_at) AS last_sent_at FROM triggers WHERE resend = $1
  GROUP BY state, why ORDER BY events DESC`;

export interface Tested extends Recipient {
  workflow: string;
  state: ResentState;
  why: string | null;
}

async function testedIn(db: Db, id: string): Promise<Tested[]> {
  const rows = await db.select().from(triggers).where(eq(triggers.resend, id));
  return rows.flatMap(({ recipients: [recipient], workflow, state, why }) =>
    recipient === undefined || state === null ? [] : [{ ...recipient, workflow, state, why }],
  );
}
