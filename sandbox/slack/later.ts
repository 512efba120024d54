/** How often the clock is checked while something is waiting. */
const TICK_MS = 100;

interface Waiting<T> {
  readonly item: T;
  /** Milliseconds by the given clock. */
  readonly dueAt: number;
}

/** Items to begin when a clock reaches their time. Tests choose the clock. */
export class Later<T> {
  readonly #now: () => number;
  readonly #begin: (item: T) => void;
  #waiting: readonly Waiting<T>[] = [];
  #ticking: NodeJS.Timeout | undefined;

  /** @param begin called with each item when its time has come. */
  constructor(now: () => number, begin: (item: T) => void) {
    this.#now = now;
    this.#begin = begin;
  }

  /** Returns the waiting items in the order in which they were added. */
  get waiting(): readonly T[] {
    return this.#waiting.map(({ item }) => item);
  }

  /** Adds an item that begins when the clock reaches `dueAt` (milliseconds), or at once if it already has. */
  put(item: T, dueAt: number): void {
    this.#waiting = [...this.#waiting, { item, dueAt }];
    this.#beginDue();
    this.#ticking ??= setInterval(() => this.#beginDue(), TICK_MS).unref();
  }

  /** Removes items that are `unwanted`. */
  drop(unwanted: (item: T) => boolean): void {
    this.#waiting = this.#waiting.filter(({ item }) => !unwanted(item));
  }

  /** Drops all items; nothing begins afterwards. */
  close(): void {
    this.#waiting = [];
    clearInterval(this.#ticking);
  }

  #beginDue(): void {
    const now = this.#now();
    const due = this.#waiting.filter(({ dueAt }) => dueAt <= now);
    this.#waiting = this.#waiting.filter(({ dueAt }) => dueAt > now);
    for (const { item } of due) this.#begin(item);
  }
}
