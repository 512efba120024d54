import { type Entry, type Row, RowsInOrder } from './rows-in-order.ts';

/** Finds rows by shared keys. Under each of its keys, a row is in order. */
export class RowIndex<R extends Row> {
  readonly #keysOf: (row: R) => readonly string[];
  readonly #byKey = new Map<string, RowsInOrder<R>>();

  constructor(keysOf: (row: R) => readonly string[]) {
    this.#keysOf = keysOf;
  }

  enter(entry: Entry<R>): void {
    for (const key of new Set(this.#keysOf(entry.row))) {
      const rows = this.#byKey.get(key) ?? new RowsInOrder<R>();
      this.#byKey.set(key, rows);
      rows.add(entry);
    }
  }

  /** Must be called before the row's keys change. */
  leave(entry: Entry<R>): void {
    for (const key of new Set(this.#keysOf(entry.row))) {
      const rows = this.#byKey.get(key);
      rows?.remove(entry);
      if (rows?.size === 0) this.#byKey.delete(key);
    }
  }

  /** Returns the rows under each of the keys. A row with two of the keys is in both lists. */
  under(keys: readonly string[]): RowsInOrder<R>[] {
    return [...new Set(keys)].flatMap((key) => this.#byKey.get(key) ?? []);
  }

  has(row: R, keys: readonly string[]): boolean {
    return this.#keysOf(row).some((key) => keys.includes(key));
  }
}
