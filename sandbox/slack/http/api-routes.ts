import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ResponseUrlApi } from '../response-url-api.ts';
import type { UploadApi } from '../upload-api.ts';
import type { WebApi } from '../web-api/web-api.ts';
import { readFields, readFile, sendReply, urlOf } from './exchange.ts';

/** Handles POST (or GET) /api/<method>. The token is in the header or among the arguments. */
export async function answerWebApi(request: IncomingMessage, response: ServerResponse, api: WebApi): Promise<void> {
  const { pathname, searchParams } = urlOf(request);
  const { token, ...args } = { ...Object.fromEntries(searchParams), ...(await readFields(request)) };
  const method = pathname.slice('/api/'.length);
  const tokenInBody = typeof token === 'string' ? token : undefined;
  sendReply(response, api.handle({ method, args, token: bearerOf(request) ?? tokenInBody }));
}

/** Handles POST /response/<id>. */
export async function answerResponseUrl(
  request: IncomingMessage,
  response: ServerResponse,
  api: ResponseUrlApi,
): Promise<void> {
  const id = urlOf(request).pathname.slice('/response/'.length);
  sendReply(response, api.handle(id, await readFields(request)));
}

/** Handles POST /upload/v1/<ticket>. */
export async function answerUpload(request: IncomingMessage, response: ServerResponse, api: UploadApi): Promise<void> {
  const ticket = urlOf(request).pathname.slice('/upload/v1/'.length);
  sendReply(response, api.handle(ticket, await readFile(request)));
}

function bearerOf(request: IncomingMessage): string | undefined {
  return request.headers.authorization?.match(/^Bearer (.+)$/)?.[1];
}
