import { randomUUID } from 'node:crypto';
import { Refusal } from './arguments.ts';

export interface ReplyTarget {
  person: string;
  channel: string;
  /** The message that was acted on, or null for a command. */
  sourceTs: string | null;
}

/** Slack's limits of a `response_url`: half an hour, and five uses. */
const LIFE_MS = 30 * 60_000;
const USES = 5;

export class ResponseUrls {
  readonly #issued = new Map<string, { readonly target: ReplyTarget; readonly issuedAt: number; uses: number }>();
  readonly #now: () => number;
  readonly #origin: string;

  constructor(now: () => number, origin: string) {
    this.#now = now;
    this.#origin = origin;
  }

  issue(target: ReplyTarget): string {
    const id = randomUUID();
    this.#issued.set(id, { target, issuedAt: this.#now(), uses: 0 });
    return `${this.#origin}/response/${id}`;
  }

  /** Counts a use and returns the target. */
  use(id: string): ReplyTarget {
    const issued = this.#issued.get(id);
    if (issued === undefined) throw new Refusal('invalid_url');
    if (issued.uses >= USES) throw new Refusal('used_url');
    if (this.#now() - issued.issuedAt > LIFE_MS) throw new Refusal('expired_url');
    issued.uses += 1;
    return issued.target;
  }
}
