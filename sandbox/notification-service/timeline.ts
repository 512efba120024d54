/** The fields of a row that a collection uses: its ID, its creation time (ms) and its transaction. */
export interface Row {
  readonly id: string;
  readonly at: number;
  readonly transactionId: string;
}

/** Both ends included, in milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns a row's keys, by the name of the filter. */
export type Keys<R extends Row> = Readonly<Record<string, (row: R) => readonly string[]>>;

/** The wanted keys of each filter: rows with any of them match. Undefined doesn't filter. */
export type Wanted = Readonly<Record<string, readonly string[] | undefined>>;

export const allTime: Span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

const MOST_ROWS = 200_000;

/** Rows in order of creation; the oldest are removed when there are more than `most`. Only time and transaction have an index. */
export class Timeline<R extends Row> {
  readonly #keys: Keys<R>;
  readonly #most: number;
  /** The oldest first; rows of the same millisecond in the order in which they were added. */
  readonly #rows: R[] = [];
  readonly #byId = new Map<string, R>();
  readonly #byTransaction = new Map<string, R[]>();

  constructor(keys: Keys<R> = {}, most: number = MOST_ROWS) {
    this.#keys = keys;
    this.#most = most;
  }

  get size(): number {
    return this.#rows.length;
  }

  add(row: R): void {
    insert(this.#rows, row);
    this.#byId.set(row.id, row);
    const others = this.#byTransaction.get(row.transactionId) ?? [];
    insert(others, row);
    this.#byTransaction.set(row.transactionId, others);
    if (this.size > this.#most) this.#dropOldest();
  }

  byId(id: string): R | undefined {
    return this.#byId.get(id);
  }

  /** Oldest first. */
  byTransaction(transactionId: string): readonly R[] {
    return this.#byTransaction.get(transactionId) ?? [];
  }

  /** Returns `limit` of the wanted rows of the span, newest first, after `skip` of them. */
  page(span: Span, skip: number, limit: number, { transaction, ...wanted }: Wanted = {}): R[] {
    const rows = transaction === undefined ? this.#rows : this.#ofTransactions(transaction);
    const first = indexOf(rows, ({ at }) => at >= span.from);
    const isWanted = this.#filter(wanted);
    const page: R[] = [];
    let left = isWanted === undefined ? 0 : skip;
    let index = indexOf(rows, ({ at }) => at > span.to) - 1 - (skip - left);
    for (; index >= first && page.length < limit; index -= 1) {
      const row = rows[index];
      if (row === undefined || isWanted?.(row) === false) continue;
      if (left > 0) left -= 1;
      else page.push(row);
    }
    return page;
  }

  /** Returns the newest matching row, by checking one after another. */
  newest(isSo: (row: R) => boolean): R | undefined {
    return this.#rows.findLast(isSo);
  }

  count({ transaction, ...wanted }: Wanted = {}): number {
    const rows = transaction === undefined ? this.#rows : this.#ofTransactions(transaction);
    const isWanted = this.#filter(wanted);
    return isWanted === undefined ? rows.length : rows.filter(isWanted).length;
  }

  #ofTransactions(ids: readonly string[]): readonly R[] {
    const rows = [...new Set(ids)].flatMap((id) => this.byTransaction(id));
    return ids.length === 1 ? rows : this.#rows.filter((row) => rows.includes(row));
  }

  /** Undefined if all rows are wanted. */
  #filter(wanted: Wanted): ((row: R) => boolean) | undefined {
    const filters = Object.entries(wanted).flatMap(([name, keys]) => (keys === undefined ? [] : [{ name, keys }]));
    if (filters.length === 0) return undefined;
    return (row) => filters.every(({ name, keys }) => this.#keys[name]?.(row).some((key) => keys.includes(key)));
  }

  #dropOldest(): void {
    const oldest = this.#rows.shift();
    if (oldest === undefined) return;
    if (this.#byId.get(oldest.id) === oldest) this.#byId.delete(oldest.id);
    const others = this.byTransaction(oldest.transactionId).filter((row) => row !== oldest);
    if (others.length > 0) this.#byTransaction.set(oldest.transactionId, others);
    else this.#byTransaction.delete(oldest.transactionId);
  }
}

function insert<R extends Row>(rows: R[], row: R): void {
  rows.splice(
    indexOf(rows, ({ at }) => at > row.at),
    0,
    row,
  );
}

/** Returns the index of the first row that matches, given that all after it do, by binary search. */
function indexOf<R extends Row>(rows: readonly R[], isSo: (row: R) => boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row !== undefined && !isSo(row)) low = middle + 1;
    else high = middle;
  }
  return low;
}
