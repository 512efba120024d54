import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isJson, parseJson } from '../json.ts';
import type { Json } from '../page-protocol.ts';

/** Accepts any path, also `//`, which is no URL by itself. */
export const urlOf = ({ url = '/' }: IncomingMessage): URL => new URL(`http://localhost${url}`);

export function hasJson({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('application/json') === true;
}

export async function readFields(request: IncomingMessage): Promise<Json> {
  const body = (await readBody(request)).toString('utf8');
  if (!hasJson(request)) return Object.fromEntries(new URLSearchParams(body));
  const parsed = parseJson(body);
  return isJson(parsed) ? parsed : {};
}

export async function readUpload(request: IncomingMessage): Promise<Buffer> {
  const body = await readBody(request);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return body;
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const file = [...form.values()].find((value) => value instanceof Blob);
  return Buffer.from(file === undefined ? new ArrayBuffer() : await file.arrayBuffer());
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}

/** Listens on this machine only and returns the origin, 'http://127.0.0.1:<port>'. Port 0 takes a free one. */
export function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') return reject(new Error('the server has no port'));
      resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}
