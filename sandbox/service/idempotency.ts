import { ApiError } from './faults.ts';

export interface Answer {
  status: number;
  body: string;
}

interface Known {
  body: string;
  /** Undefined while the first request runs. */
  answer?: Answer | 'refused';
}

/** Repeats the answer of the first request with a key, but a refusal as a 503: a new attempt needs a new key. Real servers keep keys for a day. */
export class Idempotency {
  readonly #known = new Map<string, Known>();

  async once(key: string, body: string, act: () => Promise<Answer>): Promise<Answer> {
    const known = this.#known.get(key);
    if (known !== undefined) return repeated(key, body, known);
    if (key.length > 255)
      throw new ApiError(400, `idempotencyKey "${key}" has exceeded the maximum allowed length of 255 characters`);
    const first: Known = { body };
    this.#known.set(key, first);
    try {
      first.answer = await act();
      return first.answer;
    } catch (error) {
      first.answer = 'refused';
      // What is refused before it is looked at uses no key up.
      if (error instanceof ApiError && [401, 429].includes(error.status)) this.#known.delete(key);
      throw error;
    }
  }
}

function repeated(key: string, body: string, { answer, ...first }: Known): Answer {
  const request = `Request with key "${key}" is`;
  if (first.body !== body) throw new ApiError(422, `${request} being reused for a different body`);
  if (answer === 'refused') throw new ApiError(503, 'Service Unavailable');
  if (answer !== undefined) return answer;
  const message = `${request} currently being processed. Please retry after 1 second`;
  throw new ApiError(409, message, {}, { 'Retry-After': '1' });
}
