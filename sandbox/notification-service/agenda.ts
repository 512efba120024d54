/** Something that will happen in the local service; `at` is the moment it happens, in milliseconds. */
export type Act = (at: number) => void;

/**
 * What is going to happen, and when. Time is handed in: nothing happens until `runUntil` says how late it is, so a
 * test drives an hour in a moment, and the same seed plays the same hour.
 */
export class Agenda {
  readonly #planned: { at: number; act: Act }[] = [];

  get size(): number {
    return this.#planned.length;
  }

  /** What is planned for the same moment happens in the order it was planned. */
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

  /** Does all that is due by `to`, and what that in turn plans by `to`. */
  runUntil(to: number): void {
    for (let next = this.#planned[0]; next && next.at <= to; next = this.#planned[0]) {
      this.#planned.shift();
      next.act(next.at);
    }
  }
}
