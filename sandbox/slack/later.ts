/** How often the clock is looked at while something waits. */
const TICK_MS = 100;

interface Waiting<T> {
  readonly item: T;
  /** Milliseconds of the clock that was handed in. */
  readonly dueAt: number;
}

/** Things to be done when a clock has come so far; whose clock it is, tests decide. */
export class Later<T> {
  readonly #now: () => number;
  readonly #begin: (item: T) => void;
  #waiting: readonly Waiting<T>[] = [];
  #ticking: NodeJS.Timeout | undefined;

  /** @param begin what is done with each when its time has come. */
  constructor(now: () => number, begin: (item: T) => void) {
    this.#now = now;
    this.#begin = begin;
  }

  /** What waits, in the order in which it was put down. */
  get waiting(): readonly T[] {
    return this.#waiting.map(({ item }) => item);
  }

  /** Begins with it when the clock says `dueAt` (milliseconds), at once when it already does. */
  put(item: T, dueAt: number): void {
    this.#waiting = [...this.#waiting, { item, dueAt }];
    this.#beginDue();
    this.#ticking ??= setInterval(() => this.#beginDue(), TICK_MS).unref();
  }

  /** Forgets what is `unwanted`. */
  drop(unwanted: (item: T) => boolean): void {
    this.#waiting = this.#waiting.filter(({ item }) => !unwanted(item));
  }

  /** Nothing is begun from now on. */
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
