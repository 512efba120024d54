import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { WebSocketServer } from 'ws';
import type { Reply } from '../calls.ts';
import { isJson, parseJson } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import type { SocketMode } from '../socket-mode.ts';

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
export async function readUpload(request: IncomingMessage): Promise<Buffer> {
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

export function sendReply(response: ServerResponse, reply: Reply): void {
  if (reply.kind === 'answer') sendJson(response, reply.status, reply.body, { ...reply.headers });
  else if (reply.kind === 'reset') response.destroy();
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
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

export function acceptSockets(server: Server, sockets: SocketMode): void {
  const upgrades = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const { pathname, searchParams } = urlOf(request);
    const isAdmitted = pathname === '/link/' && sockets.redeemTicket(searchParams.get('ticket') ?? '');
    if (!isAdmitted) socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    else upgrades.handleUpgrade(request, socket, head, (connection) => sockets.accept(connection));
  });
}

export async function stopListening(server: Server, sockets: SocketMode): Promise<void> {
  await sockets.close();
  server.closeAllConnections();
  await new Promise<void>((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
  });
}
