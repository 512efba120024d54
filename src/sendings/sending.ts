import { max } from 'date-fns';
import { and, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { liveThread } from '../alerts/threads.ts';
import { type NewEntry, recordEntry } from '../audit/audit.ts';
import { auditedIncident, noteChanged } from '../incidents/acts.ts';
import { incidentNumbered } from '../incidents/lists.ts';
import { storableId } from '../judging/filter.ts';
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
  type StorableRow,
  stored,
} from '../lib/text/shown-id.ts';
import { enqueue, enqueueDirect, forgetMessages, type NewMessage, redrawOwned } from '../outbox/messages.ts';
import { slackMessages } from '../outbox/tables.ts';
import { Count, type Ctx, type Db, jsonOf, textList } from '../store/db.ts';
import { erasedAmong } from '../store/erased.ts';
import { lockKey } from '../store/kv.ts';
import type { OriginalEvent } from './plan.ts';
import type { TriggerService } from './read-events.ts';
import { BrokenEvent, type Resendable, type ResendChoices, resentId, sentAgainWords } from './resend-plan.ts';
import { CAN_BE_TRIED_AGAIN, SENDING_STATES, type SendingState } from './states.ts';
import { type Recipient, sendings, triggers } from './tables.ts';

export interface SendCtx extends Ctx {
  seal: Seal;
  serviceOf: (environment: string) => TriggerService;
  wakeDelivery: () => Promise<void>;
  newId: () => string;
}

/** A test, or the resending of what an incident broke. */
export interface Sending {
  id: string;
  environment: string;
  actor: string;
  channel: string | null;
  incidentId: number | null;
  choices: ResendChoices | null;
  startedAt: Date;
  refusedInARow: number;
  batchSize: number;
  lastRefusal: string | null;
  stoppedAt: Date | null;
  stoppedBy: string | null;
  endedAt: Date | null;
}

const SENDING = 'sending';

/** The owner of a sending's messages. */
export const messagesOf = (id: string): string => `${SENDING} ${id}`;

export const sendingIn = (owner: string): string => owner.slice(SENDING.length + 1);

export function openSendings(db: Db): Promise<Sending[]> {
  return db.select().from(sendings).where(isNull(sendings.endedAt)).orderBy(sendings.startedAt);
}

export async function sendingOf(db: Db, id: string): Promise<Sending | null> {
  const [sending] = await db.select().from(sendings).where(eq(sendings.id, id));
  return sending ?? null;
}

type Refusals = StorableRow<Pick<Sending, 'refusedInARow' | 'lastRefusal'>> | Pick<Sending, 'batchSize'>;

export async function noteRefusals(db: Db, id: string, refusals: Refusals): Promise<void> {
  await db.update(sendings).set(refusals).where(eq(sendings.id, id));
}

/** Returns false if it had ended. Who follows it in a thread is notified of its end by a direct message. */
export async function noteEnd(tx: Db, { id, actor, channel, environment }: Sending, endedAt: Date): Promise<boolean> {
  const isOpen = and(eq(sendings.id, id), isNull(sendings.endedAt));
  const ended = await tx.update(sendings).set({ endedAt }).where(isOpen).returning({ id: sendings.id });
  if (ended.length === 0) return false;
  const owner = messagesOf(id);
  const isToActor = and(eq(slackMessages.owner, owner), eq(slackMessages.channel, actor));
  // One that Slack refused is tried again.
  const sent = await tx
    .select()
    .from(slackMessages)
    .where(and(isToActor, ne(slackMessages.state, 'gone')))
    .limit(1);
  if (sent.length > 0) return true;
  const initiator = { person: actor, channel };
  const message = { kind: SENDING, owner, subject: 'end', channel: actor, environment, createdAt: endedAt };
  await enqueueDirect(tx, { ...message, initiator });
  return true;
}

interface Beginning {
  entry: Omit<NewEntry, 'outcome'> & { intentId: string; environment: string };
  message: Pick<NewMessage, 'channel' | 'threadOf' | 'nextAt'>;
  state: 'waiting' | 'sending';
  rows: readonly { id: string; workflow: string; subscriberId: string; eventKey?: string }[];
  choices?: ResendChoices;
}

/**
 * Returns the rows' transaction IDs, and null if this intent was begun before. An event that was tried before keeps its ID, by which the
 * service knows it. Leaves out events that were sent again, whoever sent them; throws if all were.
 */
export async function beginSending(tx: Db, seal: Seal, beginning: Beginning): Promise<readonly string[] | null> {
  const { entry, message, state, rows, choices = null } = beginning;
  const { intentId: id, environment, actor, channel = null, at, incidentId = null } = entry;
  const erased = await erasedAmong(
    tx,
    rows.map(({ subscriberId }) => storableId(subscriberId)),
    at,
  );
  if (!(await recordEntry(tx, { ...entry, outcome: { is: 'begun' } }))) return null;
  const storedChoices = choices && {
    ...choices,
    workflows: choices.workflows.map(boundedId),
    eventKeys: choices.eventKeys.map(boundedId),
    labels: choices.labels.map(boundedId),
  };
  const sending = { id, environment, actor, channel: maybeBoundedId(channel), incidentId, choices: storedChoices };
  await tx.insert(sendings).values({ ...sending, startedAt: at });
  const initiator = { person: actor, channel };
  const first = { ...message, kind: SENDING, owner: messagesOf(id), subject: 'begin', initiator };
  await enqueue(tx, { ...first, environment, createdAt: at });
  const common = { sending: id, incidentId, state, claimedAt: at };
  type Row = StorableRow<typeof triggers.$inferInsert, 'id' | 'sending' | 'environment'>;
  const values = rows.map(({ subscriberId, ...row }, index): Row => {
    const names = { environment, workflow: boundedId(row.workflow), eventKey: maybeBoundedId(row.eventKey ?? null) };
    const isErased = erased.has(storableId(subscriberId));
    const recipients = isErased ? [] : [recipientOf(subscriberId, index + 1, seal)];
    return { ...row, ...names, ...common, recipients };
  });
  // Of two at once, the later one finds the rows of the other.
  await lockKey(tx, `sendings in ${environment}`);
  const set = { ...common, recipients: sql`excluded.recipients`, sentAs: null, why: null, closedAt: null };
  const setWhere = inArray(triggers.state, [...CAN_BE_TRIED_AGAIN]);
  const target = [triggers.environment, triggers.eventKey];
  const insert = tx.insert(triggers).values(values).onConflictDoUpdate({ target, set, setWhere });
  const begun = await insert.returning({ id: triggers.id });
  if (begun.length > 0) return begun.map((row) => row.id);
  throw new InputError('event', 'Somebody else has just sent this again.', null, 'See who did: /notif audit.');
}

/** Throws if it was: each event is sent again once. */
export async function refuseIfSentAgain(db: Db, { environment, eventKey }: OriginalEvent): Promise<void> {
  const isEvent = and(eq(triggers.environment, environment), eq(triggers.eventKey, eventKey));
  const [trigger] = await db.select().from(triggers).where(isEvent);
  if (trigger === undefined || trigger.state === null || CAN_BE_TRIED_AGAIN.includes(trigger.state)) return;
  const verb = trigger.state === 'waiting' || trigger.state === 'sending' ? 'is' : 'was';
  const next = `The new event can be sent again: /notif event ${trigger.id}`;
  throw new InputError('event', `This event ${verb} ${sentAgainWords(trigger.state)}.`, null, next);
}

const SEALED = 'sealed:';

function recipientOf(id: string, row: number, seal: Seal): Recipient {
  return { subscriberId: (isContact(id) ? `${SEALED}${seal.close(id)}` : id) as Storable, shownId: maskedId(id), row };
}

export function unsealed({ subscriberId: id }: Recipient, seal: Seal): string {
  return id.startsWith(SEALED) ? (seal.open(id.slice(SEALED.length)) ?? MASK) : id;
}

export async function forgetSending(db: Db, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.delete(triggers).where(eq(triggers.sending, id));
    await forgetMessages(tx, messagesOf(id));
    await tx.delete(sendings).where(eq(sendings.id, id));
  });
}

export async function stopSending({ db, now }: SendCtx, { id }: Sending, stoppedBy: string | null): Promise<void> {
  const isRunning = and(eq(sendings.id, id), isNull(sendings.stoppedAt));
  await db.update(sendings).set({ stoppedAt: now(), stoppedBy }).where(isRunning);
  await redrawOwned(db, messagesOf(id), now());
}

const ProgressRow = z.object({
  state: z.enum(SENDING_STATES),
  why: z.string().nullable(),
  events: Count,
  lastSentAt: z.date(),
});

export interface Progress {
  counts: { [State in SendingState]?: number };
  accepted: number;
  reasons: readonly { state: SendingState; why: string; events: number }[];
  lastSentAt: Date;
  tested: readonly Tested[];
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

export interface Tested extends Plain<Recipient> {
  transactionId: string;
  workflow: string;
  state: SendingState;
  why: string | null;
}

async function testedIn(db: Db, id: string): Promise<Tested[]> {
  return testedOf(await db.select().from(triggers).where(eq(triggers.sending, id)));
}

/** Those who didn't get what was sent, by their outcomes. */
export async function restOf(db: Db, id: string, limit: number): Promise<readonly Tested[]> {
  const isRest = and(eq(triggers.sending, id), ne(triggers.state, 'delivered'));
  return testedOf(await db.select().from(triggers).where(isRest).orderBy(triggers.state, triggers.id).limit(limit));
}

function testedOf(rows: readonly (typeof triggers.$inferSelect)[]): Tested[] {
  return rows.flatMap(({ id: transactionId, recipients: [recipient], workflow, state, why }) => {
    return recipient === undefined || state === null ? [] : [{ ...recipient, transactionId, workflow, state, why }];
  });
}

/** Returns those who were erased while it ran, as they are shown. */
export async function erasedRecipients(tx: Db, { id }: Pick<Sending, 'id'>, now: Date): Promise<readonly string[]> {
  const rows = await tx.select().from(triggers).where(eq(triggers.sending, id));
  const shown = rows.flatMap(({ recipients }) => recipients.map(({ shownId }) => shownId));
  const erased = await erasedAmong(tx, shown.map(boundedId), now);
  return shown.filter((shownId) => erased.has(boundedId(shownId)));
}

/** Finished sendings don't need them. A contact is found as it is shown, since it's sealed. Returns how many there were. */
export function eraseRecipients(tx: Db, shownId: string): Promise<number> {
  return tx.write(sql`
    UPDATE triggers
    SET recipients = '[]', why = NULL
    WHERE closed_at IS NOT NULL
      AND (
        recipients @> ${jsonOf([{ shownId }])}::jsonb
        OR recipients @> ${jsonOf([{ subscriberId: shownId }])}::jsonb
        OR recipients @? ${SEALED_UNSHOWN}::jsonpath
      )`);
}

/** Older ones don't say how a sealed one is shown. */
const SEALED_UNSHOWN = `$[*] ? (!exists(@.shownId) && @.subscriberId starts with "${SEALED}")`;

export const MOST_BROKEN = 2_000;

/** Returns events with these keys, or the incident's newest up to failure `upTo`. Those sent again before come last. */
export function brokenEvents(
  db: Db,
  incidentId: number,
  upTo: number | null = null,
  keys?: readonly string[],
): Promise<BrokenEvent[]> {
  // By now, events with these keys may be failures of another incident.
  const isWanted = keys === undefined ? sql`f.incident_id = ${incidentId}` : haveKeys(incidentId, keys);
  const statement = sql`
    SELECT
      f.event_key,
      min(f.event_id) AS event_id,
      min(f.transaction_id) AS transaction_id,
      min(f.workflow) AS workflow,
      min(f.subscriber_id) AS subscriber_id,
      min(f.event_created_at) AS created_at,
      max(f.occurred_at) AS failed_at,
      min(f.topics || f.contexts || f.tags) AS labels,
      t.state AS sent_again,
      (
        SELECT max(again.incident_id)
        FROM failures again
        WHERE again.environment = f.environment
          AND again.event_key = t.sent_as
      ) AS failed_again_in
    FROM failures f
    LEFT JOIN triggers t
      ON t.environment = f.environment
      AND t.event_key = f.event_key
      AND NOT ${jsonOf(CAN_BE_TRIED_AGAIN)}::jsonb ? t.state
    WHERE ${isWanted}
      AND f.seq <= coalesce(${upTo}, f.seq)
    GROUP BY f.environment, f.event_key, t.state, t.sent_as
    ORDER BY t.state IS NOT NULL, failed_at DESC
    LIMIT ${MOST_BROKEN}`;
  return db.rows(BrokenEvent, statement);
}

/** Uses the index of events: an outage can have very many. */
const haveKeys = (incidentId: number, keys: readonly string[]): SQL => sql`
  f.environment = (SELECT environment FROM incidents WHERE id = ${incidentId})
  AND f.event_key = ANY (ARRAY(SELECT jsonb_array_elements_text(${jsonOf(keys)}::jsonb)))`;

const NamedRow = z.object({ id: z.string(), eventKey: z.string(), incidentId: Count });

/** Failed events, each with the incidents that it is part of, by their own or their transaction's IDs. */
export function failedNamed(
  db: Db,
  environment: string,
  ids: readonly string[],
): Promise<readonly z.output<typeof NamedRow>[]> {
  return db.rows(
    NamedRow,
    sql`
      SELECT DISTINCT named.id, f.event_key, f.incident_id
      FROM ${textList(ids)} AS named (id)
      JOIN failures f
        ON f.environment = ${environment}
        AND (f.event_key = lower(named.id) OR f.transaction_id = named.id)
      JOIN incidents i ON i.id = f.incident_id
      WHERE i.verdict_class = 'announced'`,
  );
}

interface ResendCommand {
  intent: string;
  actor: string;
  channel: string | null;
  incidentId: number;
  toSend: readonly Resendable[];
  choices: ResendChoices;
}

/** Returns null for an intent that was begun before, else how many it sends: somebody else may be sending the others. */
export async function startResend(
  ctx: SendCtx,
  command: ResendCommand,
): Promise<{ inThread: boolean; events: number } | null> {
  const { intent: id, actor, channel, incidentId, toSend, choices } = command;
  const at = ctx.now();
  return ctx.db.transaction(async (tx) => {
    const incident = await incidentNumbered(tx, { incidentId, code: null }, at);
    const { environment, outbreak } = incident;
    const audited = { notifications: toSend.length, incident: auditedIncident(incident) };
    const change = stored({ action: 'sent-again', ...audited });
    const thread = await liveThread(tx, incidentId, channel);
    const entry = { at, actor, channel, environment, incidentId, outbreak, change, intentId: id };
    await noteChanged(tx, incident);
    const message = thread === null || channel === null ? { channel: actor } : { channel, threadOf: thread };
    const rows = toSend.map((row) => ({ ...row, id: resentId(environment, row.eventKey) }));
    const begun = await beginSending(tx, ctx.seal, { entry, message, state: 'waiting', rows, choices });
    return begun && { inThread: thread !== null, events: begun.length };
  });
}

export async function stopResends(ctx: SendCtx, incidentId: number, actor: string): Promise<boolean> {
  const open = (await openSendings(ctx.db)).filter((sending) => sending.incidentId === incidentId);
  for (const sending of open) await stopSending(ctx, sending, actor);
  return open.length > 0;
}
