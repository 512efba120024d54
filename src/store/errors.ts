import { type StoreTrouble, StoreTroubleError, systemCode } from '../lib/errors.ts';

export class StoreUnusableError extends Error {
  override readonly name = 'StoreUnusableError';
}

export function unusable(problem: string, cause: unknown): StoreUnusableError {
  return cause instanceof StoreUnusableError ? cause : new StoreUnusableError(problem, { cause });
}

/** It lacks the statement's values, which the drivers' errors have. */
export class StatementError extends Error {
  override readonly name = 'StatementError';
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }

  get isAboutData(): boolean {
    return /^(21|22|23|54)/.test(this.code);
  }
}

const TROUBLES: readonly (readonly [StoreTrouble, RegExp])[] = [
  ['not-answering', /^(08...|25P0[34]|57014|57P0[1-5]|53300)$/], // connections, time-outs, shutdown, too many
  ['refused', /^(28...|42501|55000)$/], // login, rights, a database that takes no connections
  ['read-only', /^(25006|53100)$/], // `read_only_sql_transaction`, `disk_full`
  ['damaged', /^(42P01|XX00[12]|58P01|3D000)$/], // a table, file or database is gone, or data corrupted
];

const SQLSTATE = /^[0-9FHPX][0-9A-Z]{4}$/;

/** An error without a code is the connection's. */
export function statementError(error: unknown): StatementError | StoreTroubleError {
  const code = systemCode(error) ?? '';
  if (!(error instanceof Error) || !SQLSTATE.test(code)) return new StoreTroubleError('not-answering', error);
  const trouble = TROUBLES.find(([, codes]) => codes.test(code))?.[0];
  // The log masks what is quoted, but names of tables and files aren't values.
  const refused = new StatementError(trouble === 'damaged' ? error.message.replaceAll('"', '') : error.message, code);
  return trouble === undefined ? refused : new StoreTroubleError(trouble, refused);
}
