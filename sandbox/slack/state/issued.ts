import { randomUUID } from 'node:crypto';
import { Refusal } from '../arguments.ts';

interface Trigger {
  readonly person: string;
  readonly issuedAt: number;
  readonly used: boolean;
}

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

const LIFETIME_MS = 30 * 60_000;
const MAX_USES = 5;

/** The person and the place that a response_url answers. `sourceTs` is the message that was acted on; a slash command has none. */
export interface ReplyTarget {
  readonly person: string;
  readonly channel: string;
  readonly sourceTs: string | null;
}

interface Issued {
  readonly target: ReplyTarget;
  readonly issuedAt: number;
  readonly uses: number;
}

/** The URLs at which an interaction can be answered: five times within 30 minutes. */
export class ResponseUrls {
  readonly #byId = new Map<string, Issued>();
  readonly #now: () => number;
  readonly #origin: string;

  constructor(now: () => number, origin: string) {
    this.#now = now;
    this.#origin = origin;
  }

  issue(target: ReplyTarget): string {
    const id = randomUUID();
    this.#byId.set(id, { target, issuedAt: this.#now(), uses: 0 });
    return `${this.#origin}/response/${id}`;
  }

  /** Counts one use and returns the target. Refuses an unknown, used up or expired URL. */
  use(id: string): ReplyTarget {
    const issued = this.#byId.get(id);
    if (issued === undefined) throw new Refusal('invalid_url');
    if (issued.uses >= MAX_USES) throw new Refusal('used_url');
    if (this.#now() - issued.issuedAt > LIFETIME_MS) throw new Refusal('expired_url');
    this.#byId.set(id, { ...issued, uses: issued.uses + 1 });
    return issued.target;
  }
}
