import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from './errors.ts';

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

/** Sends a body unchanged; status and headers are already decided. */
export function answer(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
  contentType = 'application/json; charset=utf-8',
): void {
  response.writeHead(status, { 'Content-Type': contentType, ...headers }).end(body);
}
