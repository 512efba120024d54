import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { stored } from '../lib/text/shown-id.ts';
import type { Db } from './db.ts';
import { getValue, putValue } from './kv.ts';

export const ChannelId = z.object({ id: z.string() });
const keyOf = (id: string) => `channel-id:${id}` as const;

/** The ID that Slack has for a channel now, which may be configured by a former one. */
export async function currentChannelId(db: Db, id: string): Promise<string> {
  return (await getValue(db, keyOf(id), ChannelId))?.id ?? id;
}

/**
 * What is stored of a channel follows it to its new ID. The order is that of others, against deadlocks: a pass locks its watch first, an outcome
 * writes messages before the watch's cursor and the watch.
 */
export async function changeChannelId(db: Db, from: string, to: string): Promise<void> {
  await db.transaction(async (tx) => {
    const follow = (table: string) =>
      tx.write(sql`UPDATE ${sql.identifier(table)} SET channel = ${to} WHERE channel = ${from}`);
    await tx.write(sql`SELECT FROM watches WHERE channel = ${from} ORDER BY id FOR UPDATE`);
    for (const table of ['audit', 'followers', 'sendings']) await follow(table);
    await tx.write(sql`LOCK TABLE slack_messages IN SHARE ROW EXCLUSIVE MODE`);
    for (const table of ['slack_messages', 'alert_cursors']) await follow(table);
    // Somebody may have made watches there before the change was known.
    await tx.write(sql`LOCK TABLE watches IN SHARE ROW EXCLUSIVE MODE`);
    await tx.write(sql`
      UPDATE watches
      SET
        channel = ${to},
        number = number + (SELECT coalesce(max(number), 0) FROM watches WHERE channel = ${to})
      WHERE channel = ${from}`);
    await tx.write(sql`
      UPDATE kv
      SET key = ${`channel-environment:${to}`}
      WHERE key = ${`channel-environment:${from}`}
        AND NOT EXISTS (SELECT FROM kv WHERE key = ${`channel-environment:${to}`})`);
    await putValue(tx, keyOf(from), { Value: ChannelId, value: stored({ id: to }) });
  });
}
