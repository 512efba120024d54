import { and, eq, gt, isNull } from 'drizzle-orm';
import { type AuditEntry, type ChangeOutcome, recordEntry, settleChange } from '../audit/audit.ts';
import { InputError, ServiceError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import type { Seal } from '../lib/seal.ts';
import { MASK } from '../lib/text/mask.ts';
import { isContact } from '../lib/text/shown-id.ts';
import type { TriggerResult } from '../service/trigger.ts';
import type { Db } from '../store/db.ts';
import { triggers } from '../store/schema.ts';

export interface TriggerIntent {
  id: string;
  environment: string;
  actor: string;
  workflow: string;
  recipients: readonly { subscriberId: string; transactionId: string }[];
}

export interface KeptTrigger {
  intent: TriggerIntent;
  claimedAt: Date;
  results: readonly TriggerResult[] | null;
  message: ProgressMessage | null;
}

export interface ProgressMessage {
  channel: string;
  ts: string;
}

/** Recipients whose IDs are contacts are stored sealed. */
export interface IntentCtx {
  db: Db;
  seal: Seal;
}

/** False, writing nothing, if the intent is there. */
export function claimIntent({ db, seal }: IntentCtx, intent: TriggerIntent, entry: AuditEntry): Promise<boolean> {
  const recipients = intent.recipients.map((recipient) => sealed(recipient, seal));
  return db.transaction(async (tx) => {
    const values = { ...intent, recipients, claimedAt: entry.at };
    const claimed = await tx.insert(triggers).values(values).onConflictDoNothing().returning({ id: triggers.id });
    return claimed.length > 0 && recordEntry(tx, entry);
  });
}

export async function noteIntent(
  { db }: Pick<IntentCtx, 'db'>,
  intentId: string,
  news: Partial<typeof triggers.$inferInsert>,
): Promise<void> {
  await db.update(triggers).set(news).where(eq(triggers.id, intentId));
}

export async function unfinishedTriggers(ctx: IntentCtx, newerThan: Date): Promise<KeptTrigger[]> {
  const isOpen = and(isNull(triggers.closedAt), isNull(triggers.resend), gt(triggers.claimedAt, newerThan));
  const rows = await ctx.db.select().from(triggers).where(isOpen).orderBy(triggers.claimedAt, triggers.id);
  return rows.map(({ id, environment, actor, workflow, recipients, claimedAt, results, progress }) => {
    const intent = { id, environment, actor, workflow, recipients: recipients.map((row) => opened(row, ctx.seal)) };
    return { intent, claimedAt, results, message: progress };
  });
}

const SEALED = 'sealed:';

export function sealed<Row extends { subscriberId: string }>(row: Row, seal: Seal): Row {
  const { subscriberId: id } = row;
  return isContact(id) ? { ...row, subscriberId: `${SEALED}${seal.close(id)}` } : row;
}

export function opened<Row extends { subscriberId: string }>(row: Row, seal: Seal): Row {
  if (!row.subscriberId.startsWith(SEALED)) return row;
  return { ...row, subscriberId: seal.open(row.subscriberId.slice(SEALED.length)) ?? MASK };
}

type WriteOutcome<Result> =
  | { is: 'done'; result: Result }
  | { is: 'refused'; error: ServiceError | InputError }
  /** Never sent again by itself. */
  | { is: 'unknown'; error: unknown };

export async function writeOutcome<Result>(write: () => Promise<Result>): Promise<WriteOutcome<Result>> {
  try {
    return { is: 'done', result: await write() };
  } catch (error) {
    const isCertain = error instanceof InputError || (error instanceof ServiceError && !error.outcomeUnknown);
    return isCertain ? { is: 'refused', error } : { is: 'unknown', error };
  }
}

export function outcomeInTrail(outcome: WriteOutcome<unknown>): ChangeOutcome {
  if (outcome.is !== 'refused') return { is: outcome.is };
  return { is: 'refused', why: outcome.error instanceof InputError ? 'refused' : outcome.error.problem.kind };
}

export async function settle(
  { db, logger }: { db: Db; logger: Logger },
  intentId: string,
  outcome: ChangeOutcome,
  andNote: () => Promise<void> = async () => {},
): Promise<void> {
  try {
    await settleChange(db, intentId, outcome);
    await andNote();
  } catch (error) {
    logger.error({ err: error, intent: intentId }, "the outcome of a change couldn't be recorded");
  }
}
