import { z } from 'zod';
import { ApiError, newErrorId } from './http.ts';

export const operationNames = [
  'updateCredentials',
  'listTopicSubscriptions',
  'listIntegrations',
  'listMessages',
  'listEvents',
  'triggerEvents',
  'retrieveEvent',
] as const;

export type OperationName = (typeof operationNames)[number];

export const Fault = z.discriminatedUnion('kind', [
  /** Accepts the request and never answers. */
  z.object({ kind: z.literal('hang') }),
  /** Answers as usual, this many milliseconds later. */
  z.object({ kind: z.literal('slow'), ms: z.number().int().min(0) }),
  /** Refuses in the service's own words. A 500 has an errorId; a 429 and a 409 have a retry time (1 s by default). */
  z.object({
    kind: z.literal('status'),
    status: z.number().int().min(400).max(599),
    message: z.string().optional(),
    retryAfterSeconds: z.number().int().min(0).optional(),
  }),
  /** A gateway in front answers with an HTML page (502, 503, 504). */
  z.object({ kind: z.literal('html'), status: z.number().int().min(500).max(599) }),
  /** The right status with an empty body. */
  z.object({ kind: z.literal('empty'), status: z.number().int().min(200).max(599).default(200) }),
  /** The right status with a body that isn't JSON. */
  z.object({ kind: z.literal('nonsense') }),
  /** JSON, but not what the contract promises. */
  z.object({ kind: z.literal('wrong shape') }),
  /** Answers with this body, whatever it is: another system's page, or more than the service should reveal. */
  z.object({
    kind: z.literal('words'),
    status: z.number().int().min(200).max(599),
    body: z.string(),
    contentType: z.string().default('application/json; charset=utf-8'),
  }),
  /** Drops the connection before the request is carried out. */
  z.object({ kind: z.literal('reset') }),
  /** Carries the request out, then drops the connection, so the caller can't know the outcome. */
  z.object({ kind: z.literal('lost answer') }),
]);
export type Fault = z.infer<typeof Fault>;
export type FaultyOperation = OperationName | 'all';

export class Faults {
  #active: { operation: FaultyOperation; fault: Fault; left: number; page: string | undefined }[] = [];

  /**
   * Gives the next `times` requests of an operation (default: all, until cleared) this fault. With `page`, only requests for that page.
   *
   * @returns a function that removes only this fault.
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

  clear(operation?: FaultyOperation): void {
    this.#active = operation ? this.#active.filter((entry) => entry.operation !== operation) : [];
  }

  /** Returns the fault of this request, if any: the first one that was set and isn't used up. `page` is the requested page. */
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
}

/** Returns the refusal of a `status` fault, in the service's own words unless others are given. */
export function refusalOf({ status, message, retryAfterSeconds }: Extract<Fault, { kind: 'status' }>): ApiError {
  const words = message ?? usualMessages[status] ?? 'Error';
  const wait = retryAfterSeconds ?? (status === 429 || status === 409 ? 1 : undefined);
  const headers: Record<string, string> = wait === undefined ? {} : { 'Retry-After': String(wait) };
  return new ApiError(status, words, detailsOf(status), headers);
}

function detailsOf(status: number): ApiError['details'] {
  if (status === 500) return { errorId: newErrorId() };
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
