import { z } from 'zod';
import type { KeptTexts } from '../../domain/text/kept-texts.ts';
import type { Database } from '../database/database.ts';

const Row = z.object({ sealed: z.string() });

/** Stores sealed texts. Of two written under one key at once, the newer stays, in whichever order they arrive. */
export function keptTexts(database: Database): KeptTexts {
  return {
    keepText: async (key, sealed, until) => {
      await database.write(
        `INSERT INTO kept_texts (key, sealed, until) VALUES ($1, $2, $3)
         ON CONFLICT (key) DO UPDATE SET sealed = EXCLUDED.sealed, until = EXCLUDED.until
         WHERE kept_texts.until <= EXCLUDED.until`,
        [key, sealed, until],
      );
    },
    keptText: async (key, now) => {
      const [row] = await database.rows(Row, 'SELECT sealed FROM kept_texts WHERE key = $1 AND until > $2', [key, now]);
      return row?.sealed ?? null;
    },
  };
}
