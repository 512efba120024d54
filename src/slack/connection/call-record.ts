import type { SlackTrouble } from '../../domain/health/slack-trouble.ts';
import type { Observer } from '../../domain/observer.ts';

/** Refusals that answer a question: Notif asks so to learn whether a channel is private, a user is gone, or a view has changed or is closed. */
const ANSWERS: ReadonlySet<string> = new Set([
  'conversations.info channel_not_found',
  'users.info user_not_found',
  'views.publish hash_conflict',
  'views.publish not_enabled',
  'views.publish user_not_found',
  'views.update hash_conflict',
  'views.update not_found',
]);

/** A refusal that answers a question is observed as `answered`, so that nobody is alerted to it. */
export class CallRecord {
  readonly #observe: Observer;
  readonly #now: () => number;
  /** By method, the last to fail at the end. */
  readonly #troubles = new Map<string, SlackTrouble>();

  constructor(observe: Observer, now: () => number) {
    this.#observe = observe;
    this.#now = now;
  }

  readonly observe: Observer = (method) => {
    const observeEnd = this.#observe(method);
    return (outcome) => {
      const isAnswer = ANSWERS.has(`${method} ${outcome}`);
      observeEnd(isAnswer ? 'answered' : outcome);
      this.#troubles.delete(method);
      if (outcome === 'ok' || isAnswer) return;
      this.#troubles.set(method, { method, word: outcome, at: new Date(this.#now()) });
    };
  };

  lastTrouble(): SlackTrouble | null {
    return [...this.#troubles.values()].at(-1) ?? null;
  }
}
