import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ApiError } from './errors.ts';
import { operationNames } from './operation-names.ts';

const Operations = z.enum([...operationNames, 'all']);

/** What can be made to go wrong with an operation. */
export const Fault = z.discriminatedUnion('kind', [
  /** Takes the request and never answers. */
  z.object({ kind: z.literal('hang') }),
  /** Answers as usual, this many milliseconds later. */
  z.object({ kind: z.literal('slow'), ms: z.number().int().min(0) }),
  /** Refuses in the service's own words. A 500 carries an errorId; a 429 and a 409 tell when to come back (1 s by default). */
  z.object({
    kind: z.literal('status'),
    status: z.number().int().min(400).max(599),
    message: z.string().optional(),
    retryAfterSeconds: z.number().int().min(0).optional(),
  }),
  /** A gateway in front answers with a page of HTML (502, 503, 504). */
  z.object({ kind: z.literal('html'), status: z.number().int().min(500).max(599) }),
  /** The right status and not a byte of body. */
  z.object({ kind: z.literal('empty'), status: z.number().int().min(200).max(599).default(200) }),
  /** The right status and a body that is no JSON. */
  z.object({ kind: z.literal('nonsense') }),
  /** JSON, but not what the contract promises. */
  z.object({ kind: z.literal('wrong shape') }),
  /** Answers with these words, whatever they are: a page of somebody else, or more than the service should tell. */
  z.object({
    kind: z.literal('words'),
    status: z.number().int().min(200).max(599),
    body: z.string(),
    contentType: z.string().default('application/json; charset=utf-8'),
  }),
  /** The connection is dropped before the request is carried out. */
  z.object({ kind: z.literal('reset') }),
  /** The request is carried out, then the connection is dropped: the caller cannot know. */
  z.object({ kind: z.literal('lost answer') }),
]);
export type Fault = z.infer<typeof Fault>;
export type FaultyOperation = z.infer<typeof Operations>;

/** The body of `POST /_sandbox/faults`. */
export const FaultOrder = z.object({ operation: Operations, fault: Fault, times: z.number().int().min(1).optional() });

/** What is wrong with the service right now, switched on and off while it runs. */
export class Faults {
  #active: { operation: FaultyOperation; fault: Fault; left: number; page: string | undefined }[] = [];

  /**
   * Makes the next `times` requests of an operation (default: all, until cleared) meet this fault; with `page`, those for that page alone.
   *
   * @returns takes back this fault alone.
   */
  set(
    operation: FaultyOperation,
    fault: z.input<typeof Fault>,
    options: { times?: number | undefined; page?: number | undefined } = {},
  ): () => void {
    const entry = {
      operation,
      fault: Fault.parse(fault),
      left: options.times ?? Number.POSITIVE_INFINITY,
      page: options.page?.toString(),
    };
    this.#active.push(entry);
    return () => {
      this.#active = this.#active.filter((other) => other !== entry);
    };
  }

  /** Ends the faults of an operation, or all of them. */
  clear(operation?: FaultyOperation): void {
    this.#active = operation ? this.#active.filter((entry) => entry.operation !== operation) : [];
  }

  /** The fault that this request meets, if any: the first that was set and is not used up. `page`: which one it asks for. */
  take(operation: FaultyOperation, page?: unknown): Fault | undefined {
    const entry = this.#active.find(
      (one) =>
        (one.operation === operation || one.operation === 'all') && (one.page === undefined || one.page === page),
    );
    if (!entry) return undefined;
    entry.left -= 1;
    this.#active = this.#active.filter(({ left }) => left > 0);
    return entry.fault;
  }

  /** Those in force; `left` is null when only `clear` ends it. */
  list(): { operation: FaultyOperation; fault: Fault; left: number | null }[] {
    return this.#active.map(({ page: _, ...entry }) => ({
      ...entry,
      left: Number.isFinite(entry.left) ? entry.left : null,
    }));
  }
}

/** The refusal of a `status` fault, in the service's own words unless others are given. */
export function refusalOf({ status, message, retryAfterSeconds }: Extract<Fault, { kind: 'status' }>): ApiError {
  const words = message ?? usualMessages[status] ?? 'Error';
  const wait = retryAfterSeconds ?? (status === 429 || status === 409 ? 1 : undefined);
  const headers: Record<string, string> = wait === undefined ? {} : { 'Retry-After': String(wait) };
  return new ApiError(status, words, detailsOf(status), headers);
}

function detailsOf(status: number): ApiError['details'] {
  if (status === 500) return { errorId: randomUUID() };
  if (status === 422)
    return { errors: { general: { messages: ['limit must not be greater than 50'], value: 'No Value Recorded' } } };
  return {};
}

const usualMessages: Record<number, string> = {
  400: 'Bad Request',
  401: 'API Key not found',
  402: 'Your plan keeps 1 day of activity: upgrade to go further back',
  404: 'Not Found',
  409: 'Request with this key is currently being processed. Please retry after 1 second',
  413: 'request entity too large',
  422: 'Validation Error',
  429: 'API rate limit exceeded',
  500: 'Internal server error, contact support and provide them with the errorId',
};
