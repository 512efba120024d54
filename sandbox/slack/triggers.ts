import { randomUUID } from 'node:crypto';
import { Refusal } from './arguments.ts';

/** The `trigger_id` of each interaction, with which the bot can open one view for the person, within a few seconds. */
export class Triggers {
  readonly #issued = new Map<string, { readonly person: string; readonly issuedAt: number; used: boolean }>();
  readonly #now: () => number;
  readonly #lifeMs: number;

  constructor(now: () => number, lifeMs: number) {
    this.#now = now;
    this.#lifeMs = lifeMs;
  }

  issue(person: string): string {
    const id = `${this.#issued.size + 1}.${randomUUID().replaceAll('-', '')}`;
    this.#issued.set(id, { person, issuedAt: this.#now(), used: false });
    return id;
  }

  /** Returns the ID of the person who caused the interaction. */
  redeem(id: string): string {
    const trigger = this.#issued.get(id);
    if (trigger === undefined) throw new Refusal('invalid_trigger_id');
    if (trigger.used) throw new Refusal('exchanged_trigger_id');
    if (this.#now() - trigger.issuedAt > this.#lifeMs) throw new Refusal('expired_trigger_id');
    trigger.used = true;
    return trigger.person;
  }
}
