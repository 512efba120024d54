/** An error of the store. `next` says what the person who runs Notif can do. */
abstract class StoreError extends Error {
  readonly next: string;

  constructor(what: string, next: string, cause?: unknown) {
    super(`${what}: ${next}`, { cause });
    this.next = next;
  }
}

/** Another process has the data folder open; two would corrupt it. */
export class DataFolderLockedError extends StoreError {
  override readonly name = 'DataFolderLockedError';
  readonly folder: string;

  constructor(folder: string) {
    super(
      `another process uses the data folder ${folder}`,
      'stop that process, set NOTIF_DATA_DIR to another folder, or set DATABASE_URL to run several replicas',
    );
    this.folder = folder;
  }
}

/** The data folder can't be used: not writable, its path too long, or its files damaged. */
export class DataFolderUnusableError extends StoreError {
  override readonly name = 'DataFolderUnusableError';
  readonly folder: string;

  constructor(folder: string, what: string, next: string, cause?: unknown) {
    super(`the data folder ${folder} ${what}`, next, cause);
    this.folder = folder;
  }
}

/** The PostgreSQL server of `DATABASE_URL` could not be opened. The message omits the address, which may contain a password. */
export class DatabaseUnavailableError extends StoreError {
  override readonly name = 'DatabaseUnavailableError';

  constructor(cause: unknown) {
    super(
      'the PostgreSQL server of DATABASE_URL could not be opened',
      'check that it runs, that the address, user and password are right, and that the user may create tables',
      cause,
    );
  }
}

/** The embedded database's thread has ended, by closing or by an error, which is the cause. Nothing committed is lost. */
export class EmbeddedDatabaseEndedError extends StoreError {
  override readonly name = 'EmbeddedDatabaseEndedError';

  constructor(cause: unknown) {
    super('the embedded database has ended', 'restart Notif: it continues from what was written down', cause);
  }
}

/** Returns whether a database's code is about the given data, so that the same would be refused again and other data accepted. */
export function isAboutData(code: string): boolean {
  return /^(21|22|23|54)[0-9A-Z]{3}$/.test(code);
}
