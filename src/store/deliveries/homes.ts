import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { HOME_EVERY_MS, HOME_FOLLOWED_MS } from '../../domain/health/home.ts';
import type { HomesStore } from '../../use-cases/health/refresh-homes.ts';
import type { Database } from '../database/database.ts';
import { rowWith } from '../database/row.ts';

const HomeRow = rowWith({ userId: z.string(), hash: z.string().nullable() });

/** The Home tabs to refresh, whichever replica their owners reached. */
export function homes(database: Database): HomesStore {
  return {
    noteHomeShown: async (userId, hash, now) => {
      await database.write(SHOWN, [userId, hash, now]);
    },
    noteHomeClicked: async (userId, now) => {
      await database.write('UPDATE homes SET seen_at = $2 WHERE user_id = $1', [userId, now]);
    },
    claimHomes: async (now) => {
      const unseen = subMilliseconds(now, HOME_FOLLOWED_MS);
      await database.write('DELETE FROM homes WHERE seen_at <= $1', [unseen]);
      return database.rows(HomeRow, CLAIM, [now, subMilliseconds(now, HOME_EVERY_MS)]);
    },
    noteHomeRefreshed: async (userId, hash) => {
      await database.write('UPDATE homes SET hash = $2 WHERE user_id = $1', [userId, hash]);
    },
    forgetHome: async (userId) => {
      await database.write('DELETE FROM homes WHERE user_id = $1', [userId]);
    },
  };
}

const SHOWN = `
  INSERT INTO homes (user_id, hash, seen_at, published_at) VALUES ($1, $2, $3, $3)
  ON CONFLICT (user_id) DO UPDATE SET hash = EXCLUDED.hash, seen_at = EXCLUDED.seen_at, published_at = EXCLUDED.published_at`;

/** Claims tabs for a minute, so that nobody else publishes them meanwhile. */
const CLAIM = `
  UPDATE homes SET published_at = $1
  WHERE user_id IN (SELECT user_id FROM homes WHERE published_at <= $2 ORDER BY published_at LIMIT 50 FOR UPDATE SKIP LOCKED)
  RETURNING user_id, hash`;
