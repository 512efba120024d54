import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isForLocalHost } from '../../local-host.ts';
import type { ResponseUrlApi } from '../response-url-api.ts';
import type { SlackState } from '../state/slack-state.ts';
import type { UploadApi } from '../upload-api.ts';
import type { WebApi } from '../web-api/web-api.ts';
import { answerResponseUrl, answerUpload, answerWebApi } from './api-routes.ts';
import { sendJson, urlOf } from './exchange.ts';
import { answerPage } from './page-api.ts';
import { servePageFile } from './page-files.ts';

/** Handles a request that isn't part of Slack. A rejection is logged and answered with `fatal_error`. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The handlers of HTTP requests. */
export interface Doors {
  readonly webApi: WebApi;
  readonly responseUrls: ResponseUrlApi;
  readonly uploads: UploadApi;
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

async function route(request: IncomingMessage, response: ServerResponse, doors: Doors): Promise<void> {
  const { pathname } = urlOf(request);
  if (!isForLocalHost(request)) return sendJson(response, 403, { ok: false, error: 'foreign_host' });
  if (pathname.startsWith('/api/')) return answerWebApi(request, response, doors.webApi);
  if (pathname.startsWith('/response/')) return answerResponseUrl(request, response, doors.responseUrls);
  if (pathname.startsWith('/upload/v1/')) return answerUpload(request, response, doors.uploads);
  if (pathname.startsWith('/page/')) return answerPage(request, response, doors.slack);
  const [, answer] = [...doors.mounted].find(([beginning]) => pathname.startsWith(beginning)) ?? [];
  if (answer !== undefined) return answer(request, response);
  if (doors.pageFiles !== undefined) return servePageFile(response, doors.pageFiles, pathname);
  return sendJson(response, 404, { ok: false, error: 'not_found' });
}
