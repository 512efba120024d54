import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJson, parseJson } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import type { Reply } from '../replies.ts';

const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Where the request wants to go; the host in it is of no meaning. */
export function urlOf(request: IncomingMessage): URL {
  return new URL(request.url ?? '/', 'http://localhost');
}

/** True when the browser asked for a local name: a foreign name that points here (DNS rebinding) is not one. */
export function isForLocalHost(request: IncomingMessage): boolean {
  const name = (request.headers.host ?? '').replace(/:\d+$/, '');
  return LOCAL_NAMES.has(name);
}

/** The fields of a form or JSON body; none when there is no body or it is neither. */
export async function readFields(request: IncomingMessage): Promise<Json> {
  const body = (await readBody(request)).toString('utf8');
  if (!hasJson(request)) return Object.fromEntries(new URLSearchParams(body));
  const parsed = parseJson(body);
  return isJson(parsed) ? parsed : {};
}

/** The bytes of an uploaded file, which come as they are or as the file of a multipart form. */
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

/** Sends the reply; a hanging one is left unanswered, a reset one is cut off. */
export function sendReply(response: ServerResponse, reply: Reply): void {
  if (reply.kind === 'answer') sendJson(response, reply.status, reply.body, { ...reply.headers });
  else if (reply.kind === 'reset') response.destroy();
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
