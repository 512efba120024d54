import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

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

const LARGEST_BODY_BYTES = 1_000_000;

/** Returns the request's body as text. Throws the service's 413 if it is too large. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= LARGEST_BODY_BYTES) chunks.push(chunk);
  }
  if (size > LARGEST_BODY_BYTES)
    throw new ApiError(413, `request entity too large: the limit is ${LARGEST_BODY_BYTES} bytes`);
  return Buffer.concat(chunks).toString('utf8');
}

/** Throws the service's 415 for a body whose `Content-Type` isn't `application/json` (contract: "All requests and responses are JSON"). */
export function requireJson({ headers }: IncomingMessage): void {
  const given = headers['content-type'];
  if (given === undefined || !/^application\/json[ \t]*(;|$)/i.test(given))
    throw new ApiError(
      415,
      `Unsupported Media Type: send application/json, not ${given ?? 'a body without a Content-Type'}`,
    );
}

/** Parses a JSON body; undefined if there is none. Throws the service's 400 if it isn't JSON. */
export function parseJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw error instanceof SyntaxError ? new ApiError(400, error.message) : error;
  }
}

export function answer(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
  contentType = 'application/json; charset=utf-8',
): void {
  response.writeHead(status, { 'Content-Type': contentType, ...headers }).end(body);
}
