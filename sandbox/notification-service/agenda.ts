/** Something that will happen in the local service; `at` is its time in milliseconds. */
export type Act = (at: number) => void;

/**
 * The planned events and their times. Time is passed in: nothing happens until `runUntil` gets the current time, so a test can play an hour
 * in a moment, and the same seed plays the same hour.
 */
export class Agenda {
  readonly #planned: { at: number; act: Act }[] = [];

  get size(): number {
    return this.#planned.length;
  }

  /** Plans an act. Acts for the same moment run in the order of planning. */
  plan(at: number, act: Act): void {
    this.#planned.splice(this.#firstAfter(at), 0, { at, act });
  }

  #firstAfter(at: number): number {
    let low = 0;
    let high = this.#planned.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#planned[middle]?.at ?? Number.POSITIVE_INFINITY) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Does everything that is due by `to`, including what those acts plan until then. */
  runUntil(to: number): void {
    for (let next = this.#planned[0]; next && next.at <= to; next = this.#planned[0]) {
      this.#planned.shift();
      next.act(next.at);
    }
  }
}
