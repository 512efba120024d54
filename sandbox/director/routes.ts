import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { hasJson, readFields, sendJson, urlOf } from '../slack/http/exchange.ts';
import type { Answer } from '../slack/http/routes.ts';
import type { LocalSlack } from '../slack/server.ts';
import { Director, UnknownScenarioError } from './director.ts';
import { type Direction, directionSchema } from './protocol.ts';
import { SCENARIOS, type Stage } from './scenarios.ts';

/**
 * Returns the director's routes for the page: `GET /director/stream`, its state as server-sent events, and `POST
 * /director/scenarios/<name>` with a Direction. Errors are `{message}` with 400, 404 or 415.
 */
export function directorRoutes(director: Director): Answer {
  return async (request, response) => {
    const { pathname } = urlOf(request);
    const name = /^\/director\/scenarios\/([\w-]+)$/.exec(pathname)?.[1];
    if (request.method === 'POST' && name !== undefined) return answerDirection(request, response, director, name);
    if (request.method === 'GET' && pathname === '/director/stream') return streamState(response, director);
    return sendJson(response, 404, { message: `There is no ${pathname}.` });
  };
}

/** Accepts only JSON, which a form on another site can't send unless the browser asks first. */
async function answerDirection(
  request: IncomingMessage,
  response: ServerResponse,
  director: Director,
  name: string,
): Promise<void> {
  if (!hasJson(request)) return sendJson(response, 415, { message: 'A direction is JSON.' });
  const direction = directionSchema.safeParse(await readFields(request));
  if (!direction.success) return sendJson(response, 400, { message: z.prettifyError(direction.error) });
  try {
    await follow(director, name, direction.data);
    sendJson(response, 200, director.state());
  } catch (error) {
    if (!(error instanceof UnknownScenarioError)) throw error;
    sendJson(response, 404, { message: error.message });
  }
}

function follow(director: Director, name: string, direction: Direction): Promise<void> {
  switch (direction.do) {
    case 'start':
      return director.start(name, direction);
    case 'stop':
      return director.stop(name);
    case 'set-speed':
      return director.setSpeed(name, direction.speed);
  }
}

const STATE_EVERY_MS = 250;

/** Sends the state at once and when it has changed, which it does all the time while something is playing, until the browser disconnects. */
function streamState(response: ServerResponse, director: Director): void {
  let sent = '';
  const send = () => {
    const state = JSON.stringify(director.state());
    if (state !== sent) response.write(`event: state\ndata: ${state}\n\n`);
    sent = state;
  };
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  send();
  const ticking = setInterval(send, STATE_EVERY_MS);
  response.on('close', () => clearInterval(ticking));
}

const TICK_MS = 100;

/** Runs a director by the machine's clock. The page reaches it at the local Slack's address. */
export function runDirector(service: Stage['service'], slack: LocalSlack): Pick<Director, 'start' | 'close'> {
  const director = new Director({ scenarios: SCENARIOS, stage: { service, slack }, now: Date.now });
  slack.mount('/director/', directorRoutes(director));
  const ticking = setInterval(() => void director.catchUp().catch(complain), TICK_MS);
  return {
    start: (name, options) => director.start(name, options),
    close: () => {
      clearInterval(ticking);
      return director.close();
    },
  };
}

function complain(error: unknown): void {
  console.error('A scenario could not end what it had begun. Stop the sandbox and start it again.', error);
}
