import type { Message, TriggeredEvent } from './entities.ts';
import type { World } from './world.ts';

interface Row {
  id: string;
  at: number;
  transactionId: string;
}

export interface EventRow extends Row {
  event: TriggeredEvent;
  disguise?: ((event: TriggeredEvent) => unknown) | undefined;
}

export interface MessageRow extends Row {
  message: Message;
}

/** A sandbox can run for days, so the oldest rows are dropped. */
const MOST_ROWS = 50_000;

export class Rows<R extends Row> {
  #rows: R[] = [];
  readonly #byId = new Map<string, R>();

  get size(): number {
    return this.#rows.length;
  }

  get all(): readonly R[] {
    return this.#rows;
  }

  add(row: R): void {
    this.#rows.splice(this.#rows.findLastIndex(({ at }) => at <= row.at) + 1, 0, row);
    this.#byId.set(row.id, row);
    const dropped = this.size > MOST_ROWS ? this.#rows.shift() : undefined;
    if (dropped !== undefined) this.#byId.delete(dropped.id);
  }

  remove(isGone: (row: R) => boolean): void {
    for (const { id } of this.#rows.filter(isGone)) this.#byId.delete(id);
    this.#rows = this.#rows.filter(({ id }) => this.#byId.has(id));
  }

  byId(id: string): R | undefined {
    return this.#byId.get(id);
  }

  byTransaction(transactionId: string): readonly R[] {
    return this.#rows.filter((row) => row.transactionId === transactionId);
  }
}

export function isAmong(wanted: readonly string[] | undefined, ...given: readonly (string | undefined)[]): boolean {
  return wanted === undefined || given.some((key) => key !== undefined && wanted.includes(key));
}

/** Context keys match as a whole, in any order. */
export function hasContext(wanted: readonly string[] | undefined, given: readonly string[]): boolean {
  const sorted = (keys: readonly string[]) => JSON.stringify([...new Set(keys)].sort());
  return wanted === undefined || sorted(wanted) === sorted(given);
}

export function inOrder<R extends Row>(rows: readonly R[], { behavior, random }: World): readonly R[] {
  const isNewestFirst = behavior.order === 'newest first';
  if (behavior.ties === 'stable') return isNewestFirst ? rows.toReversed() : rows;
  const places = new Map(rows.map((row) => [row, random.next()]));
  const sign = isNewestFirst ? -1 : 1;
  return rows.toSorted((a, b) => sign * (a.at - b.at) || (places.get(a) ?? 0) - (places.get(b) ?? 0));
}
