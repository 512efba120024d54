import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import type { Reply } from '../calls.ts';
import { carryOut } from '../interactivity/carry-out.ts';
import { actSchema, type PageActAnswer } from '../page-protocol.ts';
import type { SeedPerson } from '../seed.ts';
import type { SlackState } from '../state.ts';
import type { WebApi } from '../web-api/web-api.ts';
import { fileSeenBy, snapshotFor } from '../workspace/snapshot.ts';
import { hasJson, readFields, readUpload, sendJson, urlOf } from './exchange.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Doors {
  webApi: WebApi;
  slack: SlackState;
  /** The folder of the built page. */
  pageFiles: string | undefined;
  /** Handlers by the beginning of their paths. */
  mounted: ReadonlyMap<string, Answer>;
}

export async function answerRequest(request: IncomingMessage, response: ServerResponse, doors: Doors): Promise<void> {
  try {
    await route(request, response, doors);
  } catch (error) {
    console.error('the local Slack could not answer a request', { path: urlOf(request).pathname, error });
    if (!response.headersSent) sendJson(response, 500, { ok: false, error: 'fatal_error' });
  }
}

async function route(request: IncomingMessage, response: ServerResponse, doors: Doors): Promise<void> {
  const { pathname } = urlOf(request);
  const { webApi, slack, mounted, pageFiles } = doors;
  response.setHeader('date', new Date(slack.now()).toUTCString());
  const [, door = '', rest = ''] = /^(\/api\/|\/response\/|\/upload\/v1\/|\/page\/)(.*)$/.exec(pathname) ?? [];
  if (!isForLocalHost(request)) return sendJson(response, 403, { ok: false, error: 'foreign_host' });
  if (door === '/api/') return sendReply(response, await callWebApi(request, rest, webApi));
  if (door === '/response/') return sendReply(response, webApi.respond(rest, await readFields(request)));
  if (door === '/upload/v1/') return sendReply(response, webApi.upload(rest, await readUpload(request)));
  if (door === '/page/') return answerPage(request, response, slack);
  const [, answer] = [...mounted].find(([beginning]) => pathname.startsWith(beginning)) ?? [];
  if (answer !== undefined) return answer(request, response);
  if (pageFiles !== undefined) return servePageFile(response, pageFiles, pathname);
  return sendJson(response, 404, { ok: false, error: 'not_found' });
}

/** Returns false for a foreign name that points to this machine (DNS rebinding). */
function isForLocalHost({ headers: { host = '' } }: IncomingMessage): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(host.replace(/:\d+$/, ''));
}

async function callWebApi(request: IncomingMessage, method: string, webApi: WebApi): Promise<Reply> {
  const { token, ...args } = { ...Object.fromEntries(urlOf(request).searchParams), ...(await readFields(request)) };
  const bearer = request.headers.authorization?.match(/^Bearer (.+)$/)?.[1];
  return webApi.call(method, bearer ?? (typeof token === 'string' ? token : undefined), args);
}

function sendReply(response: ServerResponse, reply: Reply): void {
  if (reply.kind === 'answer') sendJson(response, reply.status, reply.body, reply.headers);
  else if (reply.kind === 'reset') response.destroy();
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Serves a file of the built page, or the page itself for any other path. Reads nothing outside of the folder. */
async function servePageFile(response: ServerResponse, folder: string, pathname: string): Promise<void> {
  const wanted = normalize(join(folder, decodeURIComponent(pathname)));
  const isInside = wanted.startsWith(normalize(folder) + sep) && extname(wanted) in TYPES;
  const file = isInside ? wanted : join(folder, 'index.html');
  const content = await readFile(file).catch(() => undefined);
  const type = content === undefined ? 'text/plain' : TYPES[extname(file)];
  response.writeHead(content === undefined ? 404 : 200, { 'content-type': type });
  response.end(content ?? 'Not found: the page may not be built yet.');
}

async function answerPage(request: IncomingMessage, response: ServerResponse, slack: SlackState): Promise<void> {
  const { pathname, searchParams } = urlOf(request);
  const as = searchParams.get('as') ?? '';
  const person = slack.person(as);
  if (person === undefined)
    return sendJson(response, 404, { ok: false, error: 'user_not_found', message: `Nobody has the ID ${as}.` });
  switch (`${request.method} ${pathname}`) {
    case 'GET /page/snapshot':
      return sendJson(response, 200, snapshotFor(person, slack));
    case 'GET /page/stream':
      return streamSnapshots(response, person, slack);
    case 'GET /page/file':
      return sendFile(response, person, searchParams.get('id') ?? '', slack);
    case 'POST /page/act':
      return sendJson(response, 200, await answerAct(request, person, slack));
    default:
      return sendJson(response, 404, { ok: false, error: 'not_found', message: `There is no ${pathname}.` });
  }
}

/** A snapshot has all that a person sees: changes that come together are sent as one. */
const AT_MOST_EVERY_MS = 100;

function streamSnapshots(response: ServerResponse, person: SeedPerson, slack: SlackState): void {
  let waiting: NodeJS.Timeout | undefined;
  const send = () => {
    waiting = undefined;
    response.write(`event: snapshot\ndata: ${JSON.stringify(snapshotFor(person, slack))}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  send();
  const unsubscribe = slack.changes.subscribe(() => {
    waiting ??= setTimeout(send, AT_MOST_EVERY_MS);
  });
  response.on('close', () => {
    unsubscribe();
    clearTimeout(waiting);
  });
}

/** Always sends a download, so that no uploaded file is shown or run as a part of the page. */
function sendFile(response: ServerResponse, person: SeedPerson, id: string, slack: SlackState): void {
  const seen = fileSeenBy(person, id, slack);
  if (seen === undefined) {
    sendJson(response, 404, { ok: false, error: 'file_not_found', message: 'There is no such file here.' });
    return;
  }
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(seen.file.name)}`,
    'x-content-type-options': 'nosniff',
  });
  response.end(seen.content);
}

/** Accepts only JSON, which a form on another site can't send unless the browser asks first. */
async function answerAct(request: IncomingMessage, person: SeedPerson, slack: SlackState): Promise<PageActAnswer> {
  if (!hasJson(request)) return { ok: false, error: 'invalid_content_type', message: 'An interaction is JSON.' };
  const act = actSchema.safeParse(await readFields(request));
  if (!act.success) return { ok: false, error: 'invalid_act', message: act.error.message };
  const outcome = await carryOut(person, act.data, slack);
  if (!outcome.ok) return { ok: false, error: outcome.error, message: outcome.message };
  return outcome.options === undefined ? { ok: true } : { ok: true, options: outcome.options };
}
