import { StoreTroubleError } from '../health/store-trouble.ts';

/** Notif can't start with its database. `next` says what the person who runs it can do. */
export class StoreUnusableError extends Error {
  override readonly name = 'StoreUnusableError';
  readonly next: string;

  constructor(what: string, next: string, cause?: unknown) {
    super(`${what}: ${next}`, { cause });
    this.next = next;
  }
}

/** PostgreSQL refused a statement. Has its message and code, and none of the values, which the drivers' own errors have. */
export class StatementError extends Error {
  override readonly name = 'StatementError';
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** `read_only_sql_transaction` and `disk_full`. */
const NO_WRITES: ReadonlySet<string> = new Set(['25006', '53100']);
/** Class 08 (connection), the statement's and the transaction's bounds, 57P (shutdown) and `too_many_connections`. */
const AWAY = /^(08\w{3}|25P0[34]|57014|57P0[1-5]|53300)$/;
/** `undefined_table`, `data_corrupted`, `index_corrupted`, `undefined_file` and `invalid_catalog_name`. */
const DAMAGED: ReadonlySet<string> = new Set(['42P01', 'XX001', 'XX002', '58P01', '3D000']);
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** What a driver threw: anything without PostgreSQL's code means that a connection couldn't be made, broke, or is silent. */
export function statementError(error: unknown): StatementError | StoreTroubleError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!(error instanceof Error) || !SQLSTATE.test(code) || AWAY.test(code))
    return new StoreTroubleError('not-answering', error);
  const refused = new StatementError(error.message, code);
  if (DAMAGED.has(code)) return new StoreTroubleError('damaged', refused);
  return NO_WRITES.has(code) ? new StoreTroubleError('read-only', refused) : refused;
}

/** Returns whether a database's code is about the given data, so that the same would be refused again and other data accepted. */
export function isAboutData(code: string): boolean {
  return /^(21|22|23|54)[0-9A-Z]{3}$/.test(code);
}
