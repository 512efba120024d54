import { z } from 'zod';
import type { AuditContent } from '../../domain/alerting/delivery.ts';
import { EntryRow } from '../changes/audit.ts';
import type { Database, SqlRows, SqlWrite } from '../database/database.ts';

export interface AuditMirror {
  /**
   * Sets the channel that mirrors the audit trail. A new channel gets what was not posted yet; null stops mirroring. Entries recorded
   * without a channel are never mirrored.
   */
  configureMirror(channel: string | null): Promise<void>;
  /** Returns Slack's error code for the last entry that the channel refused; null if there is no channel or the last entry was accepted. */
  mirrorTrouble(): Promise<string | null>;
}

const TroubleRow = z.object({ problem: z.string().nullable() });

export function auditMirror(database: Database): AuditMirror {
  return {
    configureMirror: (channel) =>
      database.withTransaction(async (sql) => {
        if (channel === null) {
          await sql.write('DELETE FROM audit_mirror');
          await sql.write(DROP);
        } else {
          await sql.write(CONFIGURE, [channel]);
          await sql.write(MOVE, [channel]);
        }
      }),
    mirrorTrouble: async () =>
      (await database.rows(TroubleRow, 'SELECT problem FROM audit_mirror'))[0]?.problem ?? null,
  };
}

const CONFIGURE = `
  INSERT INTO audit_mirror (channel) VALUES ($1)
  ON CONFLICT (is_only) DO UPDATE SET channel = EXCLUDED.channel, problem = NULL`;

const DROP = `DELETE FROM messages WHERE kind = 'audit' AND state IN ('waiting', 'posting')`;

/** A message that may already be in its channel stays there. */
const MOVE = `UPDATE messages SET recipient = $1 WHERE kind = 'audit' AND state = 'waiting' AND unresolved_since IS NULL`;

/** Returns the content of a message that mirrors an audit entry. */
export async function auditContent(
  sql: SqlRows,
  { id, destination, entry_id }: { readonly id: string; readonly destination: string; readonly entry_id: string },
): Promise<AuditContent> {
  const [entry] = await sql.rows(EntryRow, 'SELECT * FROM audit_entries WHERE id = $1', [entry_id]);
  if (entry === undefined) throw new Error(`there is no entry ${entry_id} to be mirrored`);
  return { kind: 'audit', id, channel: destination, entry };
}

/** Notes that the audit channel refused a message; doctor reports it until one is accepted. */
export async function noteMirrorTrouble(sql: SqlWrite, channel: string, reason: string): Promise<void> {
  await sql.write('UPDATE audit_mirror SET problem = $2 WHERE channel = $1', [channel, reason]);
}
