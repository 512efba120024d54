import { readFile } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import type { SlackState } from '../state/slack-state.ts';
import type { AddressApi, WebApi } from '../web-api/web-api.ts';
import { readFields, readUpload, sendJson, sendReply, urlOf } from './exchange.ts';
import { answerPage } from './page-api.ts';

async function answerWebApi(request: IncomingMessage, response: ServerResponse, api: WebApi): Promise<void> {
  const { pathname, searchParams } = urlOf(request);
  const { token, ...args } = { ...Object.fromEntries(searchParams), ...(await readFields(request)) };
  const method = pathname.slice('/api/'.length);
  const tokenInBody = typeof token === 'string' ? token : undefined;
  sendReply(response, api.handle({ method, args, token: bearerOf(request) ?? tokenInBody }));
}

function bearerOf(request: IncomingMessage): string | undefined {
  return request.headers.authorization?.match(/^Bearer (.+)$/)?.[1];
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Serves a file of the built page, or the page itself for any path that isn't a file. Reads nothing outside of the folder. */
async function servePageFile(response: ServerResponse, folder: string, pathname: string): Promise<void> {
  const wanted = fileIn(folder, pathname);
  const file = extname(wanted) in TYPES ? wanted : join(folder, 'index.html');
  try {
    const content = await readFile(file);
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    response.end(content);
  } catch (error) {
    if (!isMissing(error)) throw error;
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
    response.end('Not found: the page may not be built yet.');
  }
}

/** Returns the file at the path inside the folder, or the page itself for a path outside. */
function fileIn(folder: string, pathname: string): string {
  const file = normalize(join(folder, decodeURIComponent(pathname)));
  return file.startsWith(normalize(folder) + sep) ? file : join(folder, 'index.html');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR');
}

/** Handles a request that isn't part of Slack. A rejection is logged and answered with `fatal_error`. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Doors {
  readonly webApi: WebApi;
  readonly addresses: AddressApi;
  readonly slack: SlackState;
  /** The folder of the built page; undefined if there is no page. */
  readonly pageFiles: string | undefined;
  /** Further handlers on this origin, by the beginning of the path: '/director/'. */
  readonly mounted: ReadonlyMap<string, Answer>;
}

/** Handles every request of the server. Unexpected errors are logged and answered with Slack's `fatal_error`. */
export function answerRequests(server: Server, doors: Doors): void {
  server.on('request', (request, response) => {
    route(request, response, doors).catch((error: unknown) => {
      console.error('the local Slack could not answer a request', { path: urlOf(request).pathname, error });
      if (!response.headersSent) sendJson(response, 500, { ok: false, error: 'fatal_error' });
    });
  });
}

/** Returns whether the browser asked for a local name. A foreign name that points here (DNS rebinding) isn't one. */
function isForLocalHost({ headers: { host = '' } }: IncomingMessage): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(host.replace(/:\d+$/, ''));
}

async function route(request: IncomingMessage, response: ServerResponse, doors: Doors): Promise<void> {
  const { pathname } = urlOf(request);
  if (!isForLocalHost(request)) return sendJson(response, 403, { ok: false, error: 'foreign_host' });
  if (pathname.startsWith('/api/')) return answerWebApi(request, response, doors.webApi);
  if (pathname.startsWith('/response/')) {
    const id = pathname.slice('/response/'.length);
    return sendReply(response, doors.addresses.respond(id, await readFields(request)));
  }
  if (pathname.startsWith('/upload/v1/')) {
    const ticket = pathname.slice('/upload/v1/'.length);
    return sendReply(response, doors.addresses.upload(ticket, await readUpload(request)));
  }
  if (pathname.startsWith('/page/')) return answerPage(request, response, doors.slack);
  const [, answer] = [...doors.mounted].find(([beginning]) => pathname.startsWith(beginning)) ?? [];
  if (answer !== undefined) return answer(request, response);
  if (doors.pageFiles !== undefined) return servePageFile(response, doors.pageFiles, pathname);
  return sendJson(response, 404, { ok: false, error: 'not_found' });
}
