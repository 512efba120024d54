import type { IncomingMessage, ServerResponse } from 'node:http';
import { streamTraffic } from '../traffic/stream-traffic.ts';
import type { Traffic } from '../traffic/traffic.ts';
import { sendJson, urlOf } from './exchange.ts';

/** Handles the routes of traffic-protocol.ts, under /page/traffic. */
export function answerTraffic(request: IncomingMessage, response: ServerResponse, traffic: Traffic): void {
  const { pathname, searchParams } = urlOf(request);
  if (pathname === '/page/traffic') streamTraffic(response, traffic);
  else sendEntry(response, traffic.entry(Number(searchParams.get('id'))));
}

function sendEntry(response: ServerResponse, entry: ReturnType<Traffic['entry']>): void {
  if (entry === undefined) sendJson(response, 404, { error: 'not_found' });
  else sendJson(response, 200, entry);
}
