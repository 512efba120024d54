/** The fields of a row that a collection uses: its ID, its creation time (ms) and its transaction. */
export interface Row {
  readonly id: string;
  readonly at: number;
  readonly transactionId: string;
}

/** A row with its place among those of the same millisecond. */
export interface Entry<R extends Row> {
  readonly row: R;
  readonly place: number;
}

/** Both ends included, in milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Entries by creation time. The newest are added and the oldest removed without moving the others. */
export class RowsInOrder<R extends Row> {
  #entries: Entry<R>[] = [];
  /** The entries before this index were removed. */
  #first = 0;

  get size(): number {
    return this.#entries.length - this.#first;
  }

  add(entry: Entry<R>): void {
    const newest = this.#entries.at(-1);
    if (!newest || compare(newest, entry) < 0) this.#entries.push(entry);
    else this.#entries.splice(this.#indexOf(entry), 0, entry);
  }

  remove(entry: Entry<R>): void {
    const index = this.#indexOf(entry);
    if (this.#entries[index] !== entry) return;
    if (index > this.#first) this.#entries.splice(index, 1);
    else this.#first += 1;
    if (this.#first > this.#entries.length / 2) this.#forgetThoseThatLeft();
  }

  oldest(): Entry<R> | undefined {
    return this.#entries[this.#first];
  }

  /** Yields the entries of the span, newest first, after skipping `skip` of them. */
  *newestFirst({ from, to }: Span, skip = 0): Generator<Entry<R>> {
    const first = this.#indexFrom(({ row }) => row.at >= from);
    const end = this.#indexFrom(({ row }) => row.at > to);
    for (let index = end - 1 - skip; index >= first; index -= 1) {
      const entry = this.#entries[index];
      if (entry) yield entry;
    }
  }

  #indexOf(entry: Entry<R>): number {
    return this.#indexFrom((other) => compare(other, entry) >= 0);
  }

  /** Returns the index of the first entry that matches, given that all after it do, by binary search. */
  #indexFrom(isSo: (entry: Entry<R>) => boolean): number {
    let low = this.#first;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.#entries[middle];
      if (entry && !isSo(entry)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #forgetThoseThatLeft(): void {
    this.#entries = this.#entries.slice(this.#first);
    this.#first = 0;
  }
}

/** Returns a negative number if the first is older. */
function compare<R extends Row>(a: Entry<R>, b: Entry<R>): number {
  return a.row.at - b.row.at || a.place - b.place;
}

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

/** Returns a row's keys, by the name of the filter. */
export type Keys<R extends Row> = Readonly<Record<string, (row: R) => readonly string[]>>;

/** The wanted keys of each filter: rows with any of them match. Undefined doesn't filter. */
export type Wanted = Readonly<Record<string, readonly string[] | undefined>>;

interface Filter<R extends Row> {
  readonly index: RowIndex<R>;
  readonly keys: readonly string[];
  readonly lists: readonly RowsInOrder<R>[];
  /** An upper bound for the number of matching rows. */
  readonly size: number;
}

export const allTime: Span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

const MOST_ROWS = 200_000;

/**
 * Rows in order of creation; the oldest are removed when there are more than `most`. A page of 200,000 rows takes no longer than one of
 * 2,000: every filter of a list has an index. With several filters, the one with the fewest rows leads and the others are checked.
 */
export class Timeline<R extends Row> {
  readonly #most: number;
  readonly #rows = new RowsInOrder<R>();
  readonly #byId = new Map<string, Entry<R>>();
  readonly #indexes: ReadonlyMap<string, RowIndex<R>>;
  #added = 0;

  constructor(keys: Keys<R> = {}, most: number = MOST_ROWS) {
    const all: Keys<R> = { ...keys, transaction: ({ transactionId }) => [transactionId] };
    this.#indexes = new Map(Object.entries(all).map(([name, keysOf]) => [name, new RowIndex(keysOf)]));
    this.#most = most;
  }

  get size(): number {
    return this.#rows.size;
  }

  add(row: R): void {
    const entry = { row, place: this.#added++ };
    this.#rows.add(entry);
    this.#byId.set(row.id, entry);
    for (const index of this.#indexes.values()) index.enter(entry);
    if (this.size > this.#most) this.#dropOldest();
  }

  /** Runs `work`, which can change the keys of a row. */
  change(id: string, work: () => void): void {
    const entry = this.#byId.get(id);
    if (entry) for (const index of this.#indexes.values()) index.leave(entry);
    work();
    if (entry) for (const index of this.#indexes.values()) index.enter(entry);
  }

  byId(id: string): R | undefined {
    return this.#byId.get(id)?.row;
  }

  /** Oldest first. */
  byTransaction(transactionId: string): readonly R[] {
    return this.page(allTime, 0, Number.POSITIVE_INFINITY, { transaction: [transactionId] }).reverse();
  }

  /** Returns `limit` of the wanted rows of the span, newest first, after `skip` of them. Throws for a name without an index. */
  page(span: Span, skip: number, limit: number, wanted: Wanted = {}): R[] {
    const page: R[] = [];
    if (limit > 0) {
      for (const { row } of this.#select(span, skip, this.#filtersOf(wanted))) if (page.push(row) === limit) break;
    }
    return page;
  }

  /** Returns the newest matching row, by checking one after another. */
  newest(isSo: (row: R) => boolean): R | undefined {
    for (const { row } of this.#rows.newestFirst(allTime)) if (isSo(row)) return row;
    return undefined;
  }

  /** Returns the number of wanted rows of all times. */
  count(wanted: Wanted = {}): number {
    const filters = this.#filtersOf(wanted);
    const [rarest, ...others] = filters;
    if (!rarest) return this.size;
    if (others.length === 0 && rarest.lists.length <= 1) return rarest.size;
    return [...this.#select(allTime, 0, filters)].length;
  }

  /** Returns the filters, the one with the fewest rows first. */
  #filtersOf(wanted: Wanted): Filter<R>[] {
    return Object.entries(wanted)
      .flatMap(([name, keys]) => (keys ? [this.#filter(name, keys)] : []))
      .sort((a, b) => a.size - b.size);
  }

  #filter(name: string, keys: readonly string[]): Filter<R> {
    const index = this.#indexes.get(name);
    if (!index) throw new Error(`Rows can't be found by ${name}: only by ${[...this.#indexes.keys()].join(', ')}`);
    const lists = index.under(keys);
    return { index, keys, lists, size: lists.reduce((total, list) => total + list.size, 0) };
  }

  *#select(span: Span, skip: number, [rarest, ...others]: readonly Filter<R>[]): Generator<Entry<R>> {
    const lists = rarest?.lists ?? [this.#rows];
    const [only] = lists;
    if (only && lists.length === 1 && others.length === 0) return yield* only.newestFirst(span, skip);
    let toSkip = skip;
    for (const entry of newestFirst(lists, span)) {
      const fits = others.every(({ index, keys }) => index.has(entry.row, keys));
      if (fits && toSkip === 0) yield entry;
      else if (fits) toSkip -= 1;
    }
  }

  #dropOldest(): void {
    const oldest = this.#rows.oldest();
    if (!oldest) return;
    this.#rows.remove(oldest);
    if (this.#byId.get(oldest.row.id) === oldest) this.#byId.delete(oldest.row.id);
    for (const index of this.#indexes.values()) index.leave(oldest);
  }
}

/** Yields the entries of several lists in one order, each once. */
function* newestFirst<R extends Row>(lists: readonly RowsInOrder<R>[], span: Span): Generator<Entry<R>> {
  const readers = lists.map((list) => list.newestFirst(span));
  const heads = readers.map(nextOf);
  for (let newest = newestOf(heads); newest; newest = newestOf(heads)) {
    yield newest;
    for (const [index, reader] of readers.entries()) if (heads[index] === newest) heads[index] = nextOf(reader);
  }
}

function nextOf<T>(reader: Iterator<T>): T | undefined {
  const { done, value } = reader.next();
  return done ? undefined : value;
}

function newestOf<R extends Row>(heads: readonly (Entry<R> | undefined)[]): Entry<R> | undefined {
  return heads.reduce((newest, head) => (newest && (!head || compare(newest, head) > 0) ? newest : head), undefined);
}
