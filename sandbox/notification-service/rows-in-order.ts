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
export function compare<R extends Row>(a: Entry<R>, b: Entry<R>): number {
  return a.row.at - b.row.at || a.place - b.place;
}
