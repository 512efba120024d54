import { randomUUID } from 'node:crypto';

/** The service's messages about each invalid field, and the value that it was given. */
export type FieldErrors = Record<string, { messages: string[]; value?: unknown }>;

/** A refusal in the service's form. `details` are additional members of the error envelope. */
export class ApiError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly details: { ctx?: object; errors?: FieldErrors; errorId?: string };

  constructor(
    status: number,
    message: string,
    details: ApiError['details'] = {},
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.details = details;
    this.headers = headers;
  }
}

/** 422: a parameter or body field breaks the contract. */
export function validationError(errors: FieldErrors): ApiError {
  return new ApiError(422, 'Validation Error', { errors });
}

/** Returns an ID in the form of the service's error tracker: a UUID's hex digits. */
export function newErrorId(): string {
  return randomUUID().replaceAll('-', '');
}

/** 500: the service broke. The ID lets its owners find the error. */
export function internalError(errorId: string): ApiError {
  return new ApiError(500, 'Internal server error, contact support and provide them with the errorId', { errorId });
}

/** Returns the body of an error answer. `path` includes the query string, as the service's does. */
export function errorEnvelope(error: ApiError, path: string, at: number): object {
  return {
    statusCode: error.status,
    timestamp: new Date(at).toISOString(),
    path,
    message: error.message,
    ...error.details,
  };
}

/** Returns the answer of a gateway that can't reach the service. */
export function gatewayPage(status: number): string {
  const reasons = new Map([
    [502, 'Bad Gateway'],
    [503, 'Service Temporarily Unavailable'],
    [504, 'Gateway Time-out'],
  ]);
  const reason = `${status} ${reasons.get(status) ?? 'Error'}`;
  return `<html>\r\n<head><title>${reason}</title></head>\r\n<body>\r\n<center><h1>${reason}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;
}
