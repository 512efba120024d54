import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { hostName, isForLocalHost } from '../this-machine.ts';
import { Behavior } from './behavior.ts';
import { FaultOrder, type Faults } from './faults.ts';
import type { RequestLog } from './gate.ts';
import { ApiError, answer, parseJson, readBody, requireJson } from './http.ts';
import { parse } from './validation.ts';
import type { World } from './world.ts';

interface Parts {
  world: World;
  faults: Faults;
  requests: RequestLog;
}

const JsonObject = z.record(z.string(), z.unknown());
const OutageOrder = z.object({ provider: z.string(), share: z.number().min(0).max(1).optional() });

/**
 * Answers the routes for people and the sandbox's page, which the real service doesn't have: `GET /_sandbox/state`, `POST` and `DELETE
 * /_sandbox/faults`, `POST` and `DELETE /_sandbox/outages`, `POST` and `DELETE /_sandbox/behavior`. Each returns the state.
 */
export async function answerSandboxDoor(
  parts: Parts,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  refuseForeignSites(request);
  const body = parseJson(await readBody(request));
  const door = doors[`${request.method} ${url.pathname}`];
  if (!door)
    throw new ApiError(404, `Cannot ${request.method} ${url.pathname}; there are: ${Object.keys(doors).join(', ')}`);
  door(parts, body);
  answer(response, 200, JSON.stringify(stateOf(parts), null, 2));
}

/**
 * Refuses what a page of another site can send: a foreign name that points here (DNS rebinding), and an order that isn't JSON, for which
 * the browser wouldn't ask first.
 */
function refuseForeignSites(request: IncomingMessage): void {
  if (!isForLocalHost(request)) throw new ApiError(403, `Forbidden: ${hostName(request)} isn't this machine`);
  if (request.method === 'POST') requireJson(request);
}

const doors: Record<string, (parts: Parts, body: unknown) => void> = {
  'GET /_sandbox/state': () => {},
  'POST /_sandbox/faults': ({ faults }, body) => {
    const { operation, fault, times } = parse(FaultOrder, body);
    faults.set(operation, fault, { times });
  },
  'DELETE /_sandbox/faults': ({ faults }) => faults.clear(),
  'POST /_sandbox/outages': ({ world }, body) => {
    const { provider, share = 1 } = parse(OutageOrder, body);
    world.startOutage({ provider, share });
  },
  'DELETE /_sandbox/outages': ({ world }) => world.outages.clear(),
  'POST /_sandbox/behavior': ({ world }, body) => {
    world.behavior = parse(Behavior, { ...world.behavior, ...parse(JsonObject, body) });
  },
  'DELETE /_sandbox/behavior': ({ world }) => {
    world.behavior = Behavior.parse({});
  },
};

function stateOf({ world, faults, requests }: Parts): object {
  return {
    now: new Date(world.now()).toISOString(),
    events: world.events.size,
    messages: world.messages.size,
    planned: world.agenda.size,
    outages: [...world.outages.keys()],
    faults: faults.list(),
    behavior: world.behavior,
    requests: requests.length,
    workflows: [...world.workflows.keys()],
    topics: [...world.topics.keys()],
  };
}
