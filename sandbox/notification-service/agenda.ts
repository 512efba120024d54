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
    const later = this.#planned.findLastIndex((entry) => entry.at <= at);
    this.#planned.splice(later + 1, 0, { at, act });
  }

  /** Does all that is due by `to`, and what that in turn plans by `to`. */
  runUntil(to: number): void {
    for (let next = this.#planned[0]; next && next.at <= to; next = this.#planned[0]) {
      this.#planned.shift();
      next.act(next.at);
    }
  }
}
