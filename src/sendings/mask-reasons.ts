import { setImmediate } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { storableEcho } from '../lib/text/shown-id.ts';
import type { StoredTexts } from '../store/masked-texts.ts';

/** Rows are read in pieces: a table of all sendings may not fit into memory. */
const MOST_ROWS = 500;
const Row = z.object({ id: z.string(), said: z.string() });

/** Why the service refused what was sent, stored by a version that masked less. */
const textsIn = (table: 'triggers' | 'sendings', column: 'why' | 'last_refusal'): StoredTexts => {
  const from = sql.identifier(table);
  const text = sql.identifier(column);
  return {
    name: table,
    async maskBelow(db, id) {
      const known = await db.rows(
        Row,
        sql`
          SELECT id, ${text} AS said
          FROM ${from}
          WHERE ${text} IS NOT NULL
            AND (${id}::text IS NULL OR id < ${id})
          ORDER BY id DESC
          LIMIT ${MOST_ROWS}`,
      );
      for (const { id, said } of known) {
        await setImmediate();
        const masked = storableEcho(said);
        if (masked !== said) await db.write(sql`UPDATE ${from} SET ${text} = ${masked} WHERE id = ${id}`);
      }
      return known.length < MOST_ROWS ? null : (known.at(-1)?.id ?? null);
    },
  };
};

export const storedReasons: readonly StoredTexts[] = [textsIn('triggers', 'why'), textsIn('sendings', 'last_refusal')];
