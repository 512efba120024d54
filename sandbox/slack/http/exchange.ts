import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJson, parseJson } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import type { Reply } from '../replies.ts';

/** Returns the request's URL. Its host has no meaning. */
export function urlOf(request: IncomingMessage): URL {
  return new URL(request.url ?? '/', 'http://localhost');
}

/** Returns the fields of a form or JSON body; none if there is no body or it is neither. */
export async function readFields(request: IncomingMessage): Promise<Json> {
  const body = (await readBody(request)).toString('utf8');
  if (!hasJson(request)) return Object.fromEntries(new URLSearchParams(body));
  const parsed = parseJson(body);
  return isJson(parsed) ? parsed : {};
}

/** Returns the bytes of an uploaded file, sent as they are or as the file of a multipart form. */
export async function readFile(request: IncomingMessage): Promise<Buffer> {
  const body = await readBody(request);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return body;
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const file = [...form.values()].find((value) => value instanceof Blob);
  return Buffer.from(file === undefined ? new ArrayBuffer() : await file.arrayBuffer());
}

export function hasJson(request: IncomingMessage): boolean {
  return request.headers['content-type']?.startsWith('application/json') === true;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}

/** Sends the reply. A hanging one stays unanswered, a reset one cuts the connection. */
export function sendReply(response: ServerResponse, reply: Reply): void {
  if (reply.kind === 'answer') sendJson(response, reply.status, reply.body, { ...reply.headers });
  else if (reply.kind === 'reset') response.destroy();
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
