import { setTimeout as wait } from 'node:timers/promises';

/** Counts running work, so that stopping can wait for it. */
export class RunningWork {
  readonly #running = new Set<Promise<void>>();

  /** Counts `work`, which must not reject, until it is done. */
  add(work: Promise<void>): void {
    this.#running.add(work);
    void work.then(() => this.#running.delete(work));
  }

  /** Waits up to `limitMs` until no work is running. Returns how much still is. */
  async drain(limitMs: number): Promise<number> {
    await Promise.race([this.#idle(), wait(limitMs, undefined, { ref: false })]);
    return this.#running.size;
  }

  async #idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
