import { ApiError } from './api-error.ts';

export interface Answer {
  status: number;
  body: string;
}

interface FirstRequest {
  body: string;
  /** Undefined while the first request runs. */
  answer?: Answer | 'refused';
}

/** Answers a repeated key as at first, but a refused one with a 503, as real servers do: a new attempt needs a new key. */
export class Idempotency {
  readonly #known = new Map<string, FirstRequest>();

  async once(key: string, body: string, act: () => Promise<Answer>): Promise<Answer> {
    const known = this.#known.get(key);
    if (known !== undefined) return repeated(key, body, known);
    if (key.length > 255)
      throw new ApiError(400, `idempotencyKey "${key}" has exceeded the maximum allowed length of 255 characters`);
    const first: FirstRequest = { body };
    this.#known.set(key, first);
    try {
      first.answer = await act();
      return first.answer;
    } catch (error) {
      // A request refused for its API key or rate was never handled, so its key stays free.
      const wasHandled = !(error instanceof ApiError && [401, 429].includes(error.status));
      if (wasHandled) first.answer = 'refused';
      else this.#known.delete(key);
      throw error;
    }
  }
}

function repeated(key: string, body: string, { answer, body: firstBody }: FirstRequest): Answer {
  const request = `Request with key "${key}" is`;
  if (firstBody !== body) throw new ApiError(422, `${request} being reused for a different body`);
  if (answer === 'refused') throw new ApiError(503, 'Service Unavailable');
  if (answer !== undefined) return answer;
  const message = `${request} currently being processed. Please retry after 1 second`;
  throw new ApiError(409, message, {}, { 'Retry-After': '1' });
}
