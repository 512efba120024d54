import type { IncomingMessage, ServerResponse } from 'node:http';
import { stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import type { ResponseUrlApi } from '../response-url-api.ts';
import type { WebApi } from '../web-api/web-api.ts';
import { readFields, sendReply, urlOf } from './exchange.ts';

/** POST (or GET) /api/<method> */
export async function answerWebApi(request: IncomingMessage, response: ServerResponse, api: WebApi): Promise<void> {
  const { pathname, searchParams } = urlOf(request);
  const { token, ...args } = { ...Object.fromEntries(searchParams), ...(await readFields(request)) };
  const method = pathname.slice('/api/'.length);
  sendReply(response, api.handle({ method, args, token: bearerOf(request) ?? stringIn({ token }, 'token') }));
}

/** POST /response/<id> */
export async function answerResponseUrl(
  request: IncomingMessage,
  response: ServerResponse,
  api: ResponseUrlApi,
): Promise<void> {
  const id = urlOf(request).pathname.slice('/response/'.length);
  const args: Json = await readFields(request);
  sendReply(response, api.handle(id, args));
}

function bearerOf(request: IncomingMessage): string | undefined {
  return request.headers.authorization?.match(/^Bearer (.+)$/)?.[1];
}
