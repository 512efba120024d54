import { z } from 'zod';
import type { AuditContent } from '../../domain/alerting/delivery.ts';
import { EntryRow } from '../changes/audit.ts';
import type { Database, Sql } from '../database/database.ts';

export interface AuditMirror {
  /**
   * Names the channel that mirrors the trail from now on. Another one takes over what was not posted yet; null ends it. What was
   * recorded while there was none is not mirrored.
   */
  configureMirror(channel: string | null): Promise<void>;
  /** Slack's word for why that channel took no message when it was tried last; null where there is none, or it did. */
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

/** What may be in its channel already stays there. */
const MOVE = `UPDATE messages SET recipient = $1 WHERE kind = 'audit' AND state = 'waiting' AND unresolved_since IS NULL`;

/** What a message says that mirrors an entry of the trail. */
export async function auditContent(
  sql: Pick<Sql, 'rows'>,
  { id, destination, entry_id }: { readonly id: string; readonly destination: string; readonly entry_id: string },
): Promise<AuditContent> {
  const [entry] = await sql.rows(EntryRow, 'SELECT * FROM audit_entries WHERE id = $1', [entry_id]);
  if (entry === undefined) throw new Error(`there is no entry ${entry_id} to be mirrored`);
  return { kind: 'audit', id, channel: destination, entry };
}

/** The mirror's channel took no message: doctor says so until it does. */
export async function noteMirrorTrouble(sql: Pick<Sql, 'write'>, channel: string, reason: string): Promise<void> {
  await sql.write('UPDATE audit_mirror SET problem = $2 WHERE channel = $1', [channel, reason]);
}
