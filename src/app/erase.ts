import { addMilliseconds } from 'date-fns';
import { getTableColumns, sql } from 'drizzle-orm';
import { z } from 'zod';
import { record } from '../audit/audit.ts';
import { columnName, describedBy, EXAMINED_TABLES, type StoredTable } from '../health/stored.ts';
import type { Holds, HoldsBy } from '../health/stored-columns.ts';
import { eraseFromFailures, incidentsOnlyOf } from '../incidents/erase.ts';
import { storableId } from '../judging/filter.ts';
import { maskedId, stored } from '../lib/text/shown-id.ts';
import { wholeWord } from '../lib/text/whole-word.ts';
import { eraseRecipients } from '../sendings/sealed-recipients.ts';
import { type Db, jsonOf } from '../store/db.ts';
import { ERASED, noteErased } from '../store/erased.ts';
import { blockRangesOf } from '../store/move.ts';

/** `subscriber:one,"another one"` */
const SUBSCRIBERS = /(?<=(?:^| )subscriber:)(?:"[^"]*"|[^\s"])+/g;
const FILTER_VALUE = /"[^"]*"|[^,"]+/g;

/** Who is erased. */
interface Erasure {
  id: string;
  /** Finds the ID in a sentence. */
  word: RegExp;
  /** Incidents that nobody else has failures in. */
  alone: ReadonlySet<number>;
}

export interface Erased {
  rows: number;
  /** Counts rows that still hold the ID, by table and column. */
  left: Record<string, number>;
}

/** Pages that were read before can still be recorded until the horizon. */
export function eraseSubscriber(db: Db, subscriberId: string, horizonMs: number, now: Date): Promise<Erased> {
  const id = storableId(subscriberId);
  return db.transaction(async (tx) => {
    // A poll locks its environment first.
    await tx.write('SELECT FROM environments FOR UPDATE');
    await noteErased(tx, id, addMilliseconds(now, horizonMs));
    const erasure = { id, word: wholeWord(id), alone: await incidentsOnlyOf(tx, id) };
    const erased: Erased = {
      rows: (await eraseFromFailures(tx, id)) + (await eraseRecipients(tx, maskedId(subscriberId))),
      left: {},
    };
    for (const table of EXAMINED_TABLES) await eraseFrom(tx, table, erasure, erased);
    const act = { actor: 'npm run erase', now };
    await record(tx, act, { channel: null, environment: null, change: stored({ action: 'erased' }) });
    return erased;
  });
}

async function eraseFrom(tx: Db, storedTable: StoredTable, erasure: Erasure, erased: Erased): Promise<void> {
  for await (const { place, row } of holdersIn(tx, storedTable, erasure)) {
    const changed: Record<string, unknown> = {};
    for (const [key, column] of Object.entries(storedTable.columns)) {
      const declared = typeof column === 'string' ? column : describedBy(column, row).holds;
      const holds = isCauseItself(storedTable.name, row, erasure) ? notInSentences(declared) : declared;
      const value = mapTexts(row[key], holds, (text, holdsText) => withoutId(text, holdsText, erasure));
      const name = columnName(storedTable, key);
      if (jsonOf(value) !== jsonOf(row[key])) changed[name] = value;
      const fullName = `${storedTable.name}.${name}`;
      if (mentions(value, holds, erasure)) erased.left[fullName] = (erased.left[fullName] ?? 0) + 1;
    }
    if (Object.keys(changed).length > 0) erased.rows += await changeRow(tx, storedTable, place, changed);
  }
}

/** A row that may hold the ID, by its columns' names in code, and where it is. */
interface Holder {
  place: string;
  row: Record<string, unknown>;
}

const HolderRow = z.object({ place: z.string(), row: z.record(z.string(), z.unknown()) });

/** Locks them. JSON's text escapes some characters, by up to six (`\u00fc`), so some rows don't hold the ID after all. */
async function* holdersIn(tx: Db, storedTable: StoredTable, { id }: Erasure): AsyncGenerator<Holder> {
  const { name, table, columns } = storedTable;
  const nameOf = (key: string) => columnName(storedTable, key);
  const texts = Object.keys(columns).map((key) => sql`t.${sql.identifier(nameOf(key))}::text`);
  const roughId = id.replace(/[^\p{L}\p{N}_]/gu, '.{1,6}');
  for await (const isInRange of blockRangesOf(name, tx)) {
    const holders = await tx.rows(
      HolderRow,
      sql`
        SELECT ctid::text AS place, to_jsonb(t) AS row
        FROM ${sql.identifier(name)} t
        WHERE ${sql.raw(isInRange)}
          AND concat_ws(' ', ${sql.join(texts, sql`, `)}) ~* ${roughId}
        FOR UPDATE`,
    );
    for (const { place, row } of holders) {
      const byKey = Object.keys(getTableColumns(table)).map((key) => [key, row[nameOf(key)]]);
      yield { place, row: Object.fromEntries(byKey) };
    }
  }
}

/** `changed` is by the columns' names in the database. */
function changeRow(tx: Db, { name }: StoredTable, place: string, changed: Record<string, unknown>): Promise<number> {
  const table = sql.identifier(name);
  const assignments = Object.keys(changed).map((column) => {
    return sql`${sql.identifier(column)} = erased.${sql.identifier(column)}`;
  });
  return tx.write(sql`
    UPDATE ${table} t
    SET ${sql.join(assignments, sql`, `)}
    FROM jsonb_populate_record(NULL::${table}, ${jsonOf(changed)}::jsonb) erased
    WHERE t.ctid = ${place}::tid`);
}

const notInSentences = (holds: HoldsBy | null): HoldsBy | null => (holds === 'sentence' ? 'nobody' : holds);

/**
 * Whether the ID is a word of the cause itself, like `550`: then its key has the word, where most that an error quotes is `§`.
 * A quoted name without digits can stand in a key, too: it's the cause's word if others failed by the cause.
 */
function isCauseItself(table: string, row: Readonly<Record<string, unknown>>, { id, word, alone }: Erasure): boolean {
  const { causeKey } = row;
  const incidentId = Number(table === 'wordings' ? row.incidentId : row.id);
  const hasCause = table === 'incidents' || table === 'wordings';
  return hasCause && `${causeKey}`.search(word) >= 0 && (/\p{N}/u.test(id) || !alone.has(incidentId));
}

function mentions(value: unknown, holds: HoldsBy | null, { word }: Erasure): boolean {
  let isFound = false;
  mapTexts(value, holds, (text) => {
    isFound ||= text.search(word) >= 0;
    return text;
  });
  return isFound;
}

function mapTexts(value: unknown, holds: HoldsBy | null, map: (text: string, holds: Holds) => string): unknown {
  if (typeof value === 'string') return typeof holds === 'string' ? map(value, holds) : value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, holds, map));
  if (typeof value !== 'object' || value === null || holds === null) return value;
  const fields = Object.entries(value).map(([key, item]) => {
    return [key, mapTexts(item, holdsInField(holds, key), map)];
  });
  return Object.fromEntries(fields);
}

function holdsInField(holds: Exclude<HoldsBy, null>, key: string): HoldsBy | null {
  if (typeof holds === 'string') return holds;
  return Object.hasOwn(holds, key) ? (holds[key] ?? null) : null;
}

function withoutId(text: string, holds: Holds, { id, word }: Erasure): string {
  switch (holds) {
    case 'nobody':
      return text;
    case 'id':
      return text === id ? ERASED : text;
    case 'sentence':
      return text.replace(word, ERASED);
    case 'filters':
      return text.replace(SUBSCRIBERS, (filter) =>
        filter.replace(FILTER_VALUE, (value) => (value.replaceAll('"', '') === id ? ERASED : value)),
      );
  }
}
