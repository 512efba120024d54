import { randomUUID } from 'node:crypto';

export type FieldErrors = Record<string, { messages: string[]; value?: unknown }>;

export class ApiError extends Error {
  readonly status: number;
  readonly details: { errors?: FieldErrors; errorId?: string };
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, details: ApiError['details'] = {}, headers: ApiError['headers'] = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.details = details;
    this.headers = headers;
  }
}

export type OperationName =
  | 'updateCredentials'
  | 'listTopicSubscriptions'
  | 'listIntegrations'
  | 'listMessages'
  | 'listEvents'
  | 'triggerEvents'
  | 'retrieveEvent';

export type Fault =
  | { kind: 'hang' }
  | { kind: 'slow'; ms: number }
  /** Refuses in the service's own words. A 500 has an errorId; a 429 has a retry time (1 s by default). */
  | { kind: 'status'; status: number; retryAfterSeconds?: number }
  | { kind: 'html'; status: number }
  /** Answers with this body, whatever it is: another system's page, or more than the service should reveal. */
  | { kind: 'words'; status: number; body: string; contentType?: string }
  | { kind: 'reset' }
  | { kind: 'lost answer' };

interface Planned {
  operation: OperationName | 'all';
  fault: Fault;
  left: number;
}

export class Faults {
  #planned: readonly Planned[] = [];

  /** Gives the next `times` requests (default: all) this fault. The returned function removes only this one. */
  set(operation: OperationName | 'all', fault: Fault, { times = Number.POSITIVE_INFINITY } = {}): () => void {
    const planned = { operation, fault, left: times };
    this.#planned = [...this.#planned, planned];
    return () => {
      this.#planned = this.#planned.filter((other) => other !== planned);
    };
  }

  clear(): void {
    this.#planned = [];
  }

  take(operation: OperationName): Fault | undefined {
    const planned = this.#planned.find((each) => [operation, 'all'].includes(each.operation));
    if (!planned) return undefined;
    planned.left -= 1;
    this.#planned = this.#planned.filter(({ left }) => left > 0);
    return planned.fault;
  }
}

export function refusalOf(status: number, retryAfterSeconds = status === 429 ? 1 : undefined): ApiError {
  const details = {
    ...(status === 422 && { errors: { general: { messages: ['limit must not be greater than 50'] } } }),
    ...(status === 500 && { errorId: randomUUID().replaceAll('-', '') }),
  };
  const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  return new ApiError(status, usualMessages[status] ?? 'Error', details, headers);
}

const usualMessages: Record<number, string> = {
  400: 'Bad Request',
  401: 'API Key not found',
  402: 'Your plan keeps 1 day of activity: upgrade to go further back',
  404: 'Not Found',
  422: 'Validation Error',
  429: 'API rate limit exceeded',
  500: 'Internal server error, contact support and provide them with the errorId',
};
