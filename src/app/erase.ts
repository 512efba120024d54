import { toSnakeCase } from 'drizzle-orm/casing';
import { z } from 'zod';
import { record } from '../audit/audit.ts';
import { storableId } from '../failures/filter.ts';
import { eraseFromFailures } from '../incidents/record.ts';
import { type Db, jsonOf } from '../store/db.ts';
import { blockRangesOf } from '../store/move.ts';
import { eraseRecipients } from '../triggers/sending.ts';

export interface Erased {
  rows: number;
  /** Rows that still hold the ID, by table and column. */
  left: Record<string, number>;
}

export function eraseSubscriber(db: Db, subscriberId: string, now: Date): Promise<Erased> {
  const id = storableId(subscriberId);
  return db.transaction(async (tx) => {
    let rows = await eraseFromFailures(tx, id);
    await eraseRecipients(tx);
    const left: Erased['left'] = {};
    for (const table of await tx.rows(TableRow, TABLES)) rows += await eraseFrom(table, id, left, tx);
    const act = { actor: 'npm run erase', now };
    await record(tx, act, { channel: null, environment: null, change: { action: 'erased' } });
    return { rows, left };
  });
}

/** Columns, and keys of their JSON, about no person: an ID is left in them. */
const LEFT = new Set(
  `id key event_key sent_as job_id event_id incident_id message_id watch_id intent_id sending
  environment environments channel channels provider providers integrations identifier
  workflow workflows workflow_name variables aspects service_environment_id
  state verdict verdicts severity severities kind cause announcement reason is action
  actor person owner created_by acknowledged_by assigned_to resolved_by muted_by stopped_by recipient recipients
  thread_of subject ts shown_hash time_zone name@workflows subscriber_id@failures`.split(/\s+/),
);

const TableRow = z.object({ name: z.string(), columns: z.array(z.string()) });
const TABLES = `
  SELECT table_name AS name, jsonb_agg(column_name) AS columns
  FROM information_schema.columns WHERE table_schema = current_schema() AND data_type IN ('text', 'jsonb', 'ARRAY') GROUP BY table_name`;

const HolderRow = z.object({ place: z.string(), row: z.record(z.string(), z.unknown()) });

async function eraseFrom(
  { name, columns }: z.output<typeof TableRow>,
  id: string,
  left: Record<string, number>,
  tx: Db,
) {
  const pattern = new RegExp(`(?<![\\w-])${id.replace(/[^\p{L}\p{N}_]/gu, codePoint)}(?![\\w-])`, 'giu');
  // A row's text escapes some characters.
  const roughly = id.replace(/[^\p{L}\p{N}_]/gu, '.{1,4}');
  let rows = 0;
  for await (const isInRange of blockRangesOf(name, tx)) {
    const holders = `SELECT ctid::text AS place, to_jsonb(t) AS row FROM ${name} t WHERE ${isInRange} AND t::text ~* $1 FOR UPDATE`;
    for (const { place, row } of await tx.rows(HolderRow, holders, [roughly])) {
      const erased: Record<string, unknown> = {};
      for (const column of columns) {
        const isLeft = LEFT.has(column) || LEFT.has(`${column}@${name}`);
        const value = isLeft ? row[column] : without(row[column], pattern);
        if (jsonOf(value) !== jsonOf(row[column])) erased[column] = value;
        const still = `${name}.${column}`;
        if (jsonOf(value).search(pattern) >= 0) left[still] = (left[still] ?? 0) + 1;
      }
      const set = Object.keys(erased).map((column) => `${column} = erased.${column}`);
      const update = `UPDATE ${name} t SET ${set} FROM jsonb_populate_record(NULL::${name}, $2::jsonb) erased WHERE t.ctid = $1::tid`;
      if (set.length > 0) rows += await tx.write(update, [place, jsonOf(erased)]);
    }
  }
  return rows;
}

function without(value: unknown, pattern: RegExp): unknown {
  if (typeof value === 'string') return value.replace(pattern, 'erased');
  if (Array.isArray(value)) return value.map((item) => without(item, pattern));
  if (typeof value !== 'object' || value === null) return value;
  const erased = ([key, item]: [string, unknown]) => [key, LEFT.has(toSnakeCase(key)) ? item : without(item, pattern)];
  return Object.fromEntries(Object.entries(value).map(erased));
}

const codePoint = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;
