import { addDays, max } from 'date-fns';
import { eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { recordEntry } from '../audit/audit.ts';
import { InputError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import type { Seal } from '../lib/seal.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import { getValue, putValue } from '../store/kv.ts';
import { incidents, messages, triggers } from '../store/schema.ts';
import { sealed } from './intents.ts';
import type { TriggerService } from './read-events.ts';
import {
  type BrokenEvent,
  CAN_BE_TRIED_AGAIN,
  RESENT_STATES,
  type Resendable,
  type ResentState,
  resentId,
} from './resend-plan.ts';

export interface ResendCtx {
  db: Db;
  seal: Seal;
  serviceOf: (environment: string) => TriggerService;
  logger: Logger;
  now: () => Date;
  newId: () => string;
}

const Run = z.object({
  id: z.string(),
  incidentId: z.number(),
  environment: z.string(),
  actor: z.string(),
  startedAt: z.coerce.date(),
  /** Refusals in a row. */
  inARow: z.number(),
  stopped: z.object({ by: z.string().nullable() }).nullable(),
  lastRefusal: z.string().nullable(),
  endedAt: z.coerce.date().nullable(),
});
export type ResendRun = z.output<typeof Run>;

const KEPT_DAYS = 30;
const keyOf = (id: string) => `resend:${id}`;

export async function note(db: Db, { id }: Pick<ResendRun, 'id'>, news: Partial<ResendRun>): Promise<void> {
  await db.write('UPDATE kv SET value = value || $2::jsonb WHERE key = $1', [keyOf(id), jsonOf(news)]);
}

export const RunRow = z.object({ value: Run });
export const OPEN_RUNS = `SELECT value FROM kv WHERE key LIKE 'resend:%' AND value ->> 'endedAt' IS NULL ORDER BY value ->> 'startedAt'`;

const BrokenRow = z.object({
  eventKey: z.string(),
  ...{ eventId: z.string().nullable(), transactionId: z.string() },
  ...{ workflow: z.string().nullable(), subscriberId: z.string().nullable() },
  ...{ failedAt: z.date(), isSentAgain: z.boolean() },
});

const MOST_BROKEN = 2_000;

/** Those with these keys, or the newest; what was sent again before comes last. */
export function brokenEvents(db: Db, incidentId: number, keys?: readonly string[]): Promise<BrokenEvent[]> {
  return db.rows(BrokenRow, BROKEN, [incidentId, keys === undefined ? null : jsonOf(keys), jsonOf(CAN_BE_TRIED_AGAIN)]);
}

const BROKEN = `
  SELECT f.event_key, min(f.event_id) AS event_id, min(f.transaction_id) AS transaction_id, min(f.workflow) AS workflow,
    min(f.subscriber_id) AS subscriber_id, max(f.occurred_at) AS failed_at,
    EXISTS (SELECT FROM triggers t WHERE t.incident_id = $1 AND t.event_key = f.event_key AND NOT $3::jsonb ? t.state) AS is_sent_again
  FROM failures f WHERE f.incident_id = $1 AND ($2::text IS NULL OR $2::jsonb ? f.event_key)
  GROUP BY f.event_key ORDER BY is_sent_again, failed_at DESC LIMIT ${MOST_BROKEN}`;

export interface ResendCommand {
  intent: string;
  actor: string;
  channel: string | null;
  incidentId: number;
  sending: readonly Resendable[];
}

/** Null: this intent was begun before. An event that somebody else sends again is left to them. */
export async function startResend(ctx: ResendCtx, command: ResendCommand): Promise<{ inThread: boolean } | null> {
  const { intent: id, actor, channel, incidentId, sending } = command;
  const at = ctx.now();
  return ctx.db.transaction(async (tx) => {
    const [incident] = await tx.select().from(incidents).where(eq(incidents.id, incidentId));
    if (incident === undefined) throw new InputError('incident', `#${incidentId} is no longer kept.`);
    const { environment, provider } = incident;
    const change = {
      ...({ action: 'sent-again', notifications: sending.length } as const),
      incident: { number: incidentId, channel: incident.channel, provider },
    };
    const outcome = { is: 'begun' } as const;
    const entry = { at, actor, channel, environment, incidentId, change, outcome, intentId: id };
    if (!(await recordEntry(tx, entry))) return null;
    const nothingYet = { inARow: 0, stopped: null, lastRefusal: null, endedAt: null };
    const run: ResendRun = { id, incidentId, environment, actor, startedAt: at, ...nothingYet };
    await putValue(tx, keyOf(id), run, addDays(at, KEPT_DAYS));
    const rows = sending.map(({ eventKey, workflow, subscriberId }) => {
      const transactionId = resentId(incidentId, environment, eventKey);
      const recipients = [sealed({ subscriberId, transactionId }, ctx.seal)];
      const row = { id: transactionId, environment, actor, workflow, recipients, claimedAt: at };
      return { ...row, resend: id, incidentId, eventKey, state: 'waiting' as const };
    });
    const setWhere = inArray(triggers.state, CAN_BE_TRIED_AGAIN);
    await tx.insert(triggers).values(rows).onConflictDoUpdate({ target: triggers.id, set: AGAIN, setWhere });
    const [place] = await tx.rows(PlaceRow, PLACE, [incidentId, channel]);
    const to = place ?? { recipient: actor };
    await tx.insert(messages).values({ ...to, kind: 'resend', environment, subject: id, createdAt: at });
    ctx.logger.info({ resend: id, incidentId, environment, events: sending.length }, 'sending again begins');
    return { inThread: place !== undefined };
  });
}

const excluded = (column: string) => sql.raw(`excluded.${column}`);
const AGAIN = {
  ...{ actor: excluded('actor'), recipients: excluded('recipients'), claimedAt: excluded('claimed_at') },
  ...{ resend: excluded('resend'), state: 'waiting' as const, why: null, closedAt: null },
};

const PlaceRow = z.object({ watchId: z.string(), threadOf: z.string() });
const PLACE = `
  SELECT w.id AS watch_id, m.id AS thread_of FROM alerts a JOIN messages m ON m.id = a.message_id JOIN watches w ON w.id = a.watch_id
  WHERE a.incident_id = $1 AND m.state = 'posted' AND w.ended_at IS NULL ORDER BY w.channel = $2 DESC NULLS LAST, a.at DESC LIMIT 1`;

/** What isn't sent yet is not sent. False: nothing of this incident is being sent again. */
export async function stopResends(ctx: ResendCtx, incidentId: number, by: string): Promise<boolean> {
  const open = (await ctx.db.rows(RunRow, OPEN_RUNS)).filter(({ value }) => value.incidentId === incidentId);
  for (const { value: run } of open) if (run.stopped === null) await stop(ctx, run, by);
  return open.length > 0;
}

export async function stop({ db, logger, now }: ResendCtx, run: ResendRun, by: string | null): Promise<void> {
  await note(db, run, { stopped: { by } });
  await redraw(db, run, now());
  logger.warn({ resend: run.id, incidentId: run.incidentId, by }, 'sending again was stopped');
}

export async function redraw(db: Db, { id }: ResendRun, now: Date): Promise<void> {
  await db.write(REDRAW, [id, now]);
}

const REDRAW = `UPDATE messages SET next_at = $2 WHERE kind = 'resend' AND subject = $1 AND state IN ('posting', 'posted')`;

const ProgressRow = z.object({
  state: z.enum(RESENT_STATES),
  why: z.string().nullable(),
  events: Count,
  lastSentAt: z.date(),
});

export async function resendProgress(db: Db, id: string) {
  const rows = await db.rows(ProgressRow, PROGRESS, [id]);
  const counts: { [State in ResentState]?: number } = {};
  for (const { state, events } of rows) counts[state] = (counts[state] ?? 0) + events;
  const { sent = 0, delivered = 0, skipped = 0, failed = 0 } = counts;
  const reasons = rows.flatMap(({ state, why, events }) => (why === null ? [] : [{ state, why, events }]));
  const lastSentAt = max(rows.map((row) => row.lastSentAt));
  return { counts, accepted: sent + delivered + skipped + failed, reasons, lastSentAt };
}

const PROGRESS = `
  SELECT state, why, count(*) AS events, max(claimed_at) AS last_sent_at FROM triggers WHERE resend = $1
  GROUP BY state, why ORDER BY events DESC`;

export function resendRun(db: Db, id: string): Promise<ResendRun | null> {
  return getValue(db, keyOf(id), Run);
}
