import { type StoreTrouble, StoreTroubleError } from '../../domain/health/store-trouble.ts';
import type { Database, Sql } from './database.ts';

/**
 * Guards the database with what the watchdog knows: requests to one that doesn't respond reject at once with a `StoreTroubleError` instead
 * of waiting for their bound, and so do writes when there is no space. What the database refuses because of its state, not because of the
 * statement, rejects with a `StoreTroubleError` too.
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
  /** Without space for writes, runs each statement in a read-only PostgreSQL transaction. */
  function inRoom<Result>(run: (on: Pick<Database, 'rows' | 'write' | 'withTransaction'>) => Promise<Result>) {
    return guarded(() => run(trouble() === 'disk-almost-full' ? readOnly(database) : database));
  }
  return {
    ...database,
    rows: (Row, text, values) => inRoom((on) => on.rows(Row, text, values)),
    write: (text, values) => inRoom((on) => on.write(text, values)),
    withTransaction: (work) => inRoom((on) => on.withTransaction(work)),
    // The job queue's few rows, which it deletes again, are always written; otherwise nothing would run.
    executeSql: (text, values) => guarded(() => database.executeSql(text, values)),
    vacuum: (signal) => guarded(() => database.vacuum(signal)),
  };
}

function readOnly(database: Database): Pick<Database, 'rows' | 'write' | 'withTransaction'> {
  const withTransaction = <Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> =>
    database.withTransaction(async (sql) => {
      await sql.write('SET TRANSACTION READ ONLY');
      return work(sql);
    });
  return {
    rows: (Row, text, values) => withTransaction((sql) => sql.rows(Row, text, values)),
    write: (text, values) => withTransaction((sql) => sql.write(text, values)),
    withTransaction,
  };
}

/** PostgreSQL's `read_only_sql_transaction`. */
const READ_ONLY = '25006';
/** `disk_full`, and the system's codes for it. */
const NO_ROOM: ReadonlySet<string> = new Set(['53100', 'ENOSPC', 'EDQUOT']);
/** Class 08 (connection), `query_canceled` (the statement's bound), 57P (shutdown) and `too_many_connections`. */
const AWAY = /^(08\w{3}|57014|57P0[1-5]|53300)$/;

function explained(error: unknown, current: StoreTrouble | null): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const found = troubleIn(code, current);
  return found === null ? error : new StoreTroubleError(found, error, { isKnown: found === current });
}

function troubleIn(code: string, current: StoreTrouble | null): StoreTrouble | null {
  if (code === READ_ONLY) return current === 'disk-almost-full' ? current : 'read-only';
  if (NO_ROOM.has(code)) return 'disk-almost-full';
  return AWAY.test(code) ? 'not-answering' : null;
}
