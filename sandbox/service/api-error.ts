import { randomUUID } from 'node:crypto';

type FieldErrors = Record<string, { messages: readonly string[]; value?: unknown }>;

/** How the service refuses a request. */
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

const USUAL_MESSAGES: Record<number, string> = {
  400: 'Bad Request',
  401: 'API Key not found',
  402: 'Your plan keeps 1 day of activity: upgrade to go further back',
  404: 'Not Found',
  429: 'API rate limit exceeded',
  500: 'Internal server error, contact support and provide them with the errorId',
};

/** Refuses in the service's usual words for this status. */
export function usualRefusal(status: number, retryAfterSeconds?: number): ApiError {
  // Any of its own 422s would do: this is its answer to a list's limit of 51.
  if (status === 422) return invalid(['limit must not be greater than 50']);
  const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  const details = status === 500 ? { errorId: randomUUID() } : {};
  return new ApiError(status, USUAL_MESSAGES[status] ?? 'Error', details, headers);
}

/** Refuses a request without naming the field that is wrong, as the service mostly does. */
export function invalid(messages: readonly string[]): ApiError {
  const general = { messages, value: 'No Value Recorded' };
  return new ApiError(422, 'Validation Error', { errors: { general } });
}

export function invalidField(command: string, field: string, value: unknown, ...messages: string[]): ApiError {
  const errors = { [field]: { messages, value } };
  return new ApiError(422, `Validation failed for ${command}: ${field}: ${messages.join(', ')}`, { errors });
}
