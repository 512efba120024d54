import { and, eq, gt, isNull } from 'drizzle-orm';
import { recordEntry } from '../audit/audit.ts';
import type { AuditEntry } from '../audit/entry.ts';
import type { TriggerResult } from '../service/trigger.ts';
import type { Db } from '../store/db.ts';
import { triggers as rows } from '../store/schema.ts';
import type { KeptTrigger, ProgressMessage, TriggerIntent } from './follow.ts';

function keptOf(row: typeof rows.$inferSelect): KeptTrigger {
  const { id, environment, actor, workflow, recipients, claimedAt, results, progress: message } = row;
  return { intent: { id, environment, actor, workflow, recipients }, claimedAt, results, message };
}

export function triggers(db: Db) {
  const change = async (intentId: string, values: Partial<typeof rows.$inferInsert>) => {
    await db.update(rows).set(values).where(eq(rows.id, intentId));
  };
  return {
    /** Records an intent before anything is sent, with its audit entry. Returns false, writing nothing, if it's there. */
    claimIntent: (intent: TriggerIntent, entry: AuditEntry): Promise<boolean> =>
      db.transaction(async (tx) => {
        const values = { ...intent, claimedAt: entry.at };
        const claimed = await tx.insert(rows).values(values).onConflictDoNothing().returning({ id: rows.id });
        return claimed.length > 0 && recordEntry(tx, entry);
      }),
    noteResults: (intentId: string, results: readonly TriggerResult[]) => change(intentId, { results }),
    noteProgressMessage: (intentId: string, { channel, ts }: ProgressMessage) =>
      change(intentId, { progress: { channel, ts } }),
    closeIntent: (intentId: string, closedAt: Date) => change(intentId, { closedAt }),
    keptTrigger: async (intentId: string): Promise<KeptTrigger | null> => {
      const [kept] = await db.select().from(rows).where(eq(rows.id, intentId));
      return kept === undefined ? null : keptOf(kept);
    },
    unfinishedIntents: async (newerThan: Date): Promise<KeptTrigger[]> => {
      const isOpen = and(isNull(rows.closedAt), gt(rows.claimedAt, newerThan));
      return (await db.select().from(rows).where(isOpen).orderBy(rows.claimedAt, rows.id)).map(keptOf);
    },
  };
}
