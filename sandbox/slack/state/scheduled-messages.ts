import { randomUUID } from 'node:crypto';
import { Later } from '../later.ts';
import type { Draft } from './messages.ts';

export interface ScheduledMessage {
  readonly id: string;
  readonly draft: Draft;
  /** Seconds since the epoch. */
  readonly postAt: number;
  readonly createdAt: number;
}

/** Messages that are scheduled and not posted. */
export class ScheduledMessages {
  readonly #now: () => number;
  readonly #later: Later<ScheduledMessage>;

  constructor(now: () => number, post: (draft: Draft) => void) {
    this.#now = now;
    this.#later = new Later(now, ({ draft }) => post(draft));
  }

  /** In the order in which they were scheduled. */
  get all(): readonly ScheduledMessage[] {
    return this.#later.waiting;
  }

  add(draft: Draft, postAt: number): ScheduledMessage {
    const id = `Q${randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase()}`;
    const message = { id, draft, postAt, createdAt: Math.floor(this.#now() / 1_000) };
    this.#later.put(message, postAt * 1_000);
    return message;
  }

  remove(id: string): void {
    this.#later.drop((message) => message.id === id);
  }

  close(): void {
    this.#later.close();
  }
}
