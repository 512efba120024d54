import { setTimeout as wait } from 'node:timers/promises';

/** Counts what is under way, so that anyone who stops can wait for it. */
export class RunningWork {
  readonly #running = new Set<Promise<void>>();

  /** Counts `work`, which must not reject, until it is done. */
  add(work: Promise<void>): void {
    this.#running.add(work);
    void work.then(() => this.#running.delete(work));
  }

  /** Waits until nothing is under way, `limitMs` at most, and answers how much still is. */
  async drain(limitMs: number): Promise<number> {
    await Promise.race([this.#idle(), wait(limitMs, undefined, { ref: false })]);
    return this.#running.size;
  }

  async #idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
