import { ApiError } from './faults.ts';

interface Known {
  body: string;
  /** Undefined while the first request runs. */
  answer?: Answer;
}

export interface Answer {
  status: number;
  body: string;
}

const LONGEST_KEY = 255;

/** Answers a repeated request as its first one was answered, but a refusal with 503: a new attempt needs a new key. The service keeps keys for a day. */
export class Idempotency {
  readonly #known = new Map<string, Known>();

  /** Returns the answer to repeat, or undefined if the request is new. Throws an ApiError if the key can't be used. */
  begin(key: string, body: string): Answer | undefined {
    if (key.length > LONGEST_KEY) {
      const why = `has exceeded the maximum allowed length of ${LONGEST_KEY} characters`;
      throw new ApiError(400, `idempotencyKey "${key}" ${why}`);
    }
    const known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, { body });
    else if (known.body !== body)
      throw new ApiError(422, `Request with key "${key}" is being reused for a different body`);
    else if (known.answer === undefined) {
      const why = 'is currently being processed. Please retry after 1 second';
      throw new ApiError(409, `Request with key "${key}" ${why}`, {}, { 'Retry-After': '1' });
    } else if (known.answer.status >= 400) throw new ApiError(503, 'Service Unavailable');
    return known?.answer;
  }

  /** What was refused before it was looked at uses no key up. */
  end(key: string, answer: Answer): void {
    const known = this.#known.get(key);
    if (answer.status === 401 || answer.status === 429) this.#known.delete(key);
    else if (known) known.answer = answer;
  }
}
