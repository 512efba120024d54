import type { SlackTrouble } from '../../domain/health/slack-trouble.ts';
import type { Observer } from '../../domain/observer.ts';

/** Remembers the last failed call, and passes each call on to another observer. */
export class CallRecord {
  readonly #observe: Observer;
  readonly #now: () => number;
  #lastTrouble: SlackTrouble | null = null;

  constructor(observe: Observer, now: () => number) {
    this.#observe = observe;
    this.#now = now;
  }

  readonly observe: Observer = (method) => {
    const observeEnd = this.#observe(method);
    return (outcome) => {
      observeEnd(outcome);
      if (outcome !== 'ok') this.#lastTrouble = { method, word: outcome, at: new Date(this.#now()) };
    };
  };

  lastTrouble(): SlackTrouble | null {
    return this.#lastTrouble;
  }
}
