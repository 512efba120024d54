import { setTimeout as wait } from 'node:timers/promises';

export class RunningWork {
  readonly #running = new Set<Promise<void>>();

  /** `work` must not reject. */
  add(work: Promise<void>): void {
    this.#running.add(work);
    void work.then(() => this.#running.delete(work));
  }

  /** Returns how much work still runs after `limitMs`. */
  async drain(limitMs: number): Promise<number> {
    await Promise.race([this.#idle(), wait(limitMs, undefined, { ref: false })]);
    return this.#running.size;
  }

  async #idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
