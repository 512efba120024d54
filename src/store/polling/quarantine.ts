import { z } from 'zod';
import { quarantineHash, reasonOf } from '../../domain/polling/quarantine.ts';
import type { QuarantineStore } from '../../use-cases/polling/isolate-refused.ts';
import { type Database, jsonOf } from '../database/database.ts';
import { rowWith } from '../database/row.ts';
import { lockCursor } from './cursors.ts';

const HashRow = z.object({ event_hash: z.string() });

const QuarantinedRow = rowWith({
  environment: z.string(),
  hash: z.string(),
  code: z.string(),
  reason: z.string(),
  createdAt: z.date().nullable(),
  firstSeenAt: z.date(),
  lastTriedAt: z.date(),
  appVersion: z.string(),
  attempts: z.number(),
});

/** Stores the events that could not be recorded: only their hashes and the reasons. */
export function quarantine(database: Database): QuarantineStore {
  return {
    quarantine: (cursor, refused, version, now) =>
      database.withTransaction(async (sql) => {
        await lockCursor(sql, cursor);
        const rows = refused.map(({ eventKey, createdAt, code }) => ({
          hash: quarantineHash(cursor.environment, eventKey),
          created_at: createdAt,
          code,
          reason: reasonOf(code),
        }));
        await sql.write(QUARANTINE, [cursor.environment, jsonOf(rows), version, now]);
      }),
    restingAmong: async (environment, hashes, due) => {
      const resting = await database.rows(HashRow, RESTING, [
        environment,
        jsonOf(hashes),
        due.version,
        due.triedBefore,
      ]);
      return resting.map(({ event_hash }) => event_hash);
    },
    dueQuarantine: (environment, due, limit) =>
      database.rows(
        QuarantinedRow,
        `SELECT *, event_hash AS hash FROM quarantine
         WHERE environment = $1 AND (app_version <> $2 OR last_tried_at <= $3) ORDER BY last_tried_at LIMIT $4`,
        [environment, due.version, due.triedBefore, limit],
      ),
    noteNotFound: async ({ environment, hash }, version, now) => {
      const note = `
        UPDATE quarantine SET app_version = $3, last_tried_at = $4, attempts = attempts + 1
        WHERE environment = $1 AND event_hash = $2`;
      await database.write(note, [environment, hash, version, now]);
    },
    release: async ({ environment, hash }, triedAt) => {
      const release = 'DELETE FROM quarantine WHERE environment = $1 AND event_hash = $2 AND last_tried_at < $3';
      return (await database.write(release, [environment, hash, triedAt])) > 0;
    },
    forgetQuarantine: async (environment, createdBefore) => {
      const forget = 'DELETE FROM quarantine WHERE environment = $1 AND coalesce(created_at, first_seen_at) < $2';
      await database.write(forget, [environment, createdBefore]);
    },
    quarantined: (environment, limit) =>
      database.rows(
        QuarantinedRow,
        'SELECT *, event_hash AS hash FROM quarantine WHERE environment = $1 ORDER BY first_seen_at DESC LIMIT $2',
        [environment, limit],
      ),
  };
}

const QUARANTINE = `
  INSERT INTO quarantine (environment, event_hash, code, reason, created_at, first_seen_at, last_tried_at, app_version, attempts)
  SELECT DISTINCT ON (hash) $1, hash, code, reason, created_at, $4::timestamptz, $4, $3, 1
  FROM jsonb_to_recordset($2::jsonb) AS item (hash text, code text, reason text, created_at timestamptz)
  ORDER BY hash, created_at, code, reason
  ON CONFLICT (environment, event_hash) DO UPDATE SET code = EXCLUDED.code, reason = EXCLUDED.reason,
    last_tried_at = EXCLUDED.last_tried_at, app_version = EXCLUDED.app_version, attempts = quarantine.attempts + 1`;

const RESTING = `
  SELECT event_hash FROM quarantine
  WHERE environment = $1 AND event_hash IN (SELECT jsonb_array_elements_text($2::jsonb))
    AND app_version = $3 AND last_tried_at > $4`;
