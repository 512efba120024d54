import { max } from 'date-fns';
import { and, eq, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import { incidents } from '../incidents/tables.ts';
import { fingerprintOf } from '../lib/text/hash.ts';
import type { Plain } from '../lib/text/shown-id.ts';
import type { MessageKind } from '../outbox/kinds.ts';
import { Count, type Db } from '../store/db.ts';
import { type Sending, sendingIdIn, sendingOf } from './sending-rows.ts';
import { type Recipient, type TriggerRow, triggers } from './tables.ts';
import { TRIGGER_STATES, type TriggerState } from './trigger-states.ts';

const ProgressRow = z.object({
  state: z.enum(TRIGGER_STATES),
  why: z.string().nullable(),
  events: Count,
  lastSentAt: z.date(),
});

type Counts = { [State in TriggerState]?: number };

/** How a sending goes. */
export interface Progress {
  /** Events by what became of them. */
  counts: Counts;
  /** How many the service took, whatever came of them. */
  accepted: number;
  reasons: readonly { state: TriggerState; why: string; events: number }[];
  lastSentAt: Date;
  /** Whom a test was sent to; none where an incident's events are sent again. */
  tested: readonly SentTo[];
}

export async function progressOf(db: Db, { id, incidentId }: Pick<Sending, 'id' | 'incidentId'>): Promise<Progress> {
  const rows = await db.rows(
    ProgressRow,
    sql`
      SELECT state, why, count(*) AS events, max(claimed_at) AS last_sent_at
      FROM triggers
      WHERE sending = ${id}
      GROUP BY state, why
      ORDER BY events DESC`,
  );
  const counts: Counts = {};
  for (const { state, events } of rows) counts[state] = (counts[state] ?? 0) + events;
  const { sent = 0, delivered = 0, skipped = 0, failed = 0, 'no-event': noEvent = 0 } = counts;
  const reasons = rows.flatMap(({ state, why, events }) => {
    return why === null || state === 'delivered' ? [] : [{ state, why, events }];
  });
  const lastSentAt = max(rows.map((row) => row.lastSentAt));
  const tested = incidentId === null ? await sentToIn(db, id) : [];
  return { counts, accepted: sent + delivered + skipped + failed + noEvent, reasons, lastSentAt, tested };
}

/** A recipient of a test, or of an event that was sent again, and what became of it. */
export interface SentTo extends Plain<Recipient> {
  transactionId: string;
  workflow: string;
  state: TriggerState;
  why: string | null;
}

async function sentToIn(db: Db, id: string): Promise<SentTo[]> {
  return sentToOf(await db.select().from(triggers).where(eq(triggers.sending, id)));
}

/** Those who didn't get what was sent, by their outcomes. */
export async function restOf(db: Db, id: string, limit: number): Promise<readonly SentTo[]> {
  const isRest = and(eq(triggers.sending, id), ne(triggers.state, 'delivered'));
  return sentToOf(await db.select().from(triggers).where(isRest).orderBy(triggers.state, triggers.id).limit(limit));
}

/** Each event has one recipient, or none once that is erased. */
function sentToOf(rows: readonly TriggerRow[]): SentTo[] {
  return rows.flatMap(({ id: transactionId, recipients: [recipient], workflow, state, why }) => {
    return recipient === undefined || state === null ? [] : [{ ...recipient, transactionId, workflow, state, why }];
  });
}

const ResentRow = z.object({ at: z.date(), delivered: Count });

/** When what an incident broke was sent again, and how many of it were delivered by now. */
export function resendsOf(db: Db, incidentId: number): Promise<readonly z.output<typeof ResentRow>[]> {
  return db.rows(
    ResentRow,
    sql`
      SELECT s.started_at AS at, count(*) FILTER (WHERE t.state = 'delivered') AS delivered
      FROM sendings s
      JOIN triggers t ON t.sending = s.id
      WHERE s.incident_id = ${incidentId}
      GROUP BY s.id, s.started_at`,
  );
}

interface TestContent {
  kind: 'test';
  id: string;
  channel: string;
  sending: Sending;
  tested: readonly SentTo[];
}

interface ResendContent extends Omit<Progress, 'tested'> {
  kind: 'resend';
  id: string;
  channel: string;
  sending: Sending;
  incidentId: number;
  /** Null: the incident is no longer kept. */
  code: string | null;
}

/** A test, or an incident's notifications sent again, and how it goes. */
export type SendingContent = TestContent | ResendContent;

export const sendingKind: MessageKind<SendingContent> = {
  Kept: z.object({}),
  mustArrive: false,
  async draw(db, message) {
    const { id, channel, owner } = message;
    const sending = await sendingOf(db, sendingIdIn(owner ?? ''));
    if (sending === null) return { is: 'untrue', why: 'the sending is no longer kept' };
    const { tested, ...progress } = await progressOf(db, sending);
    const { incidentId } = sending;
    const drawn = { is: 'drawn', said: [], knownBy: fingerprintOf(owner), nextAt: null } as const;
    if (incidentId === null) return { ...drawn, content: { kind: 'test', id, channel, sending, tested } };
    const [incident] = await db.select({ code: incidents.code }).from(incidents).where(eq(incidents.id, incidentId));
    const code = incident?.code ?? null;
    const content: ResendContent = { kind: 'resend', id, channel, sending, incidentId, code, ...progress };
    return { ...drawn, content };
  },
};
