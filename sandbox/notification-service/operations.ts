import type { OperationName } from './faults.ts';
import type { Cost } from './gate.ts';
import { listEvents, retrieveEvent } from './routes/events.ts';
import { listMessages } from './routes/messages.ts';
import { updateCredentials } from './routes/subscribers.ts';
import { listIntegrations, listTopicSubscriptions } from './routes/topics.ts';
import { triggerEvents } from './routes/trigger.ts';
import type { Query } from './validation.ts';
import type { World } from './world.ts';

/** The input of an operation: the path's decoded parameters in order, the query and the parsed body. */
export interface OperationInput {
  path: readonly string[];
  query: Query;
  body: unknown;
}

export interface Operation {
  name: OperationName;
  method: 'GET' | 'POST' | 'PATCH';
  /** `:name` matches one path segment. */
  path: string;
  status: 200 | 201;
  /** Whether the service wraps the answer into `{"data": …}`; the paged lists aren't wrapped again. */
  wrapped: boolean;
  cost: Cost;
  /** Throws `ApiError` for every refusal. */
  answer: (world: World, input: OperationInput) => unknown;
}

const read = { budget: 'global', kind: 'single' } as const;
const configuration = { budget: 'configuration', kind: 'single' } as const;
const bulkTrigger = { budget: 'trigger', kind: 'bulk' } as const;

/** The contract's seven operations, the API's only routes. */
export const operations: readonly Operation[] = [
  {
    name: 'updateCredentials',
    method: 'PATCH',
    path: '/v1/subscribers/:subscriberId/credentials',
    status: 200,
    wrapped: true,
    cost: configuration,
    answer: updateCredentials,
  },
  {
    name: 'listTopicSubscriptions',
    method: 'GET',
    path: '/v2/topics/:topicKey/subscriptions',
    status: 200,
    wrapped: false,
    cost: configuration,
    answer: listTopicSubscriptions,
  },
  {
    name: 'listIntegrations',
    method: 'GET',
    path: '/v1/integrations',
    status: 200,
    wrapped: true,
    cost: configuration,
    answer: listIntegrations,
  },
  {
    name: 'listMessages',
    method: 'GET',
    path: '/v1/messages',
    status: 200,
    wrapped: false,
    cost: read,
    answer: listMessages,
  },
  {
    name: 'listEvents',
    method: 'GET',
    path: '/v1/notifications',
    status: 200,
    wrapped: false,
    cost: read,
    answer: listEvents,
  },
  {
    name: 'triggerEvents',
    method: 'POST',
    path: '/v1/events/trigger/bulk',
    status: 201,
    wrapped: true,
    cost: bulkTrigger,
    answer: triggerEvents,
  },
  {
    name: 'retrieveEvent',
    method: 'GET',
    path: '/v1/notifications/:notificationId',
    status: 200,
    wrapped: true,
    cost: read,
    answer: retrieveEvent,
  },
];

export function findOperation(method: string, pathname: string): { operation: Operation; path: string[] } | undefined {
  for (const operation of operations) {
    const path = operation.method === method ? matchPath(operation.path, pathname) : undefined;
    if (path) return { operation, path };
  }
  return undefined;
}

function matchPath(template: string, pathname: string): string[] | undefined {
  const wanted = template.split('/');
  const given = pathname.split('/');
  const fits =
    wanted.length === given.length && wanted.every((part, index) => part.startsWith(':') || part === given[index]);
  if (!fits) return undefined;
  return given.filter((_, index) => wanted[index]?.startsWith(':')).map(decodeSegment);
}

/** Returns a segment with invalid percent-encoding unchanged. It matches nothing, so the request is answered accordingly. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}
