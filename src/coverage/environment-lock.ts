import { eq, sql } from 'drizzle-orm';
import type { Db } from '../store/db.ts';
import { type EnvironmentRow, environments } from './tables.ts';

/** Draws a version under the environment's lock: one that was given before its commit could be passed over. */
export async function nextVersion(tx: Db, environment: string): Promise<number> {
  const drawn = await tx
    .update(environments)
    .set({ version: sql`${environments.version} + 1` })
    .where(eq(environments.environment, environment))
    .returning();
  return drawn[0]?.version ?? 0;
}

export async function lockEnvironment(tx: Db, environment: string): Promise<EnvironmentRow | null> {
  const isNamed = eq(environments.environment, environment);
  const [locked] = await tx.select().from(environments).where(isNamed).for('update');
  return locked ?? null;
}
