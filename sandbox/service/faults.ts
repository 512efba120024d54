import { randomUUID } from 'node:crypto';
import { PlannedFaults } from '../planned-faults.ts';
import type { OperationName } from './operations.ts';

export type FieldErrors = Record<string, { messages: readonly string[]; value?: unknown }>;

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

export type Fault =
  | { kind: 'hang' }
  | { kind: 'slow'; ms: number }
  /** Refuses in the service's own words. A 500 has an errorId; a 429 has a retry time: by default 0 seconds, and 2 for a trigger. */
  | { kind: 'status'; status: number; retryAfterSeconds?: number }
  | { kind: 'html'; status: number }
  /** Answers with this body, whatever it is: another system's page, or more than the service should reveal. */
  | { kind: 'body'; status: number; body: string; contentType?: string }
  /** Breaks the connection before the request is handled. */
  | { kind: 'reset' }
  /** Handles the request and breaks the connection instead of answering. */
  | { kind: 'lost answer' };

export class Faults extends PlannedFaults<OperationName | 'all', Fault> {
  /** Gives the next `times` requests (default: all) this fault. The returned function removes only this one. */
  set(operation: OperationName | 'all', fault: Fault, { times = Number.POSITIVE_INFINITY } = {}): () => void {
    return this.plan(operation, fault, times);
  }

  take(operation: OperationName): Fault | undefined {
    return this.takeFor(operation, 'all');
  }
}

export function refusalOf(status: number, retryAfterSeconds?: number, operation?: OperationName): ApiError {
  if (status === 422) return invalid(['limit must not be greater than 50']);
  const usual = status === 429 ? (operation === 'triggerEvents' ? 2 : 0) : undefined;
  const seconds = retryAfterSeconds ?? usual;
  const headers = seconds === undefined ? {} : { 'Retry-After': String(seconds) };
  const details = status === 500 ? { errorId: randomUUID() } : {};
  return new ApiError(status, usualMessages[status] ?? 'Error', details, headers);
}

/** The service seldom says which field it means. */
export function invalid(messages: readonly string[]): ApiError {
  const general = { messages, value: 'No Value Recorded' };
  return new ApiError(422, 'Validation Error', { errors: { general } });
}

export function invalidField(command: string, field: string, value: unknown, ...messages: string[]): ApiError {
  const errors = { [field]: { messages, value } };
  return new ApiError(422, `Validation failed for ${command}: ${field}: ${messages.join(', ')}`, { errors });
}

const usualMessages: Record<number, string> = {
  400: 'Bad Request',
  401: 'API Key not found',
  402: 'Your plan keeps 1 day of activity: upgrade to go further back',
  404: 'Not Found',
  429: 'API rate limit exceeded',
  500: 'Internal server error, contact support and provide them with the errorId',
};
