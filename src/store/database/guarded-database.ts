import { type StoreTrouble, StoreTroubleError } from '../../domain/health/store-trouble.ts';
import type { Database } from './database.ts';

/**
 * Guards the database with what the watchdog knows: requests to one that doesn't respond reject at once with a `StoreTroubleError` instead
 * of waiting for their bound. What the database refuses because of its state, not because of the statement, rejects with one too.
 */
export function guardedDatabase(database: Database, trouble: () => StoreTrouble | null): Database {
  async function guarded<Result>(run: () => Promise<Result>): Promise<Result> {
    if (trouble() === 'not-answering') throw new StoreTroubleError('not-answering', undefined, { isKnown: true });
    try {
      return await run();
    } catch (error) {
      throw explained(error, trouble());
    }
  }
  return {
    ...database,
    rows: (Row, text, values) => guarded(() => database.rows(Row, text, values)),
    write: (text, values) => guarded(() => database.write(text, values)),
    withTransaction: (work) => guarded(() => database.withTransaction(work)),
    executeSql: (text, values) => guarded(() => database.executeSql(text, values)),
    vacuum: (signal) => guarded(() => database.vacuum(signal)),
  };
}

/** `read_only_sql_transaction`, `disk_full`, and the system's codes for a full disk. */
const NO_WRITES: ReadonlySet<string> = new Set(['25006', '53100', 'ENOSPC', 'EDQUOT']);
/** Class 08 (connection), `query_canceled` (the statement's bound), 57P (shutdown) and `too_many_connections`. */
const AWAY = /^(08\w{3}|57014|57P0[1-5]|53300)$/;

function explained(error: unknown, current: StoreTrouble | null): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const found = troubleIn(code);
  return found === null ? error : new StoreTroubleError(found, error, { isKnown: found === current });
}

function troubleIn(code: string): StoreTrouble | null {
  if (NO_WRITES.has(code)) return 'read-only';
  return AWAY.test(code) ? 'not-answering' : null;
}
