import { randomUUID } from 'node:crypto';
import { Refusal } from '../refusal.ts';

interface Trigger {
  readonly person: string;
  readonly issuedAt: number;
  readonly used: boolean;
}

/** The short-lived permissions to open a view, which come with interactions. */
export class Triggers {
  readonly #byId = new Map<string, Trigger>();
  readonly #now: () => number;
  readonly #lifeMs: number;

  constructor(now: () => number, lifeMs: number) {
    this.#now = now;
    this.#lifeMs = lifeMs;
  }

  issue(person: string): string {
    const id = `${this.#byId.size + 1}.${randomUUID().replaceAll('-', '')}`;
    this.#byId.set(id, { person, issuedAt: this.#now(), used: false });
    return id;
  }

  /** Uses up a trigger and returns its person. Refuses as Slack does: unknown, already used, or too old. */
  redeem(id: string): string {
    const trigger = this.#byId.get(id);
    if (trigger === undefined) throw new Refusal('invalid_trigger_id');
    if (trigger.used) throw new Refusal('exchanged_trigger_id');
    if (this.#now() - trigger.issuedAt > this.#lifeMs) throw new Refusal('expired_trigger_id');
    this.#byId.set(id, { ...trigger, used: true });
    return trigger.person;
  }
}
