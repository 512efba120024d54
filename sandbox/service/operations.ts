import { z } from 'zod';
import { listEvents, retrieveEvent } from './events.ts';
import { listMessages } from './messages.ts';
import { updateCredentials } from './subscribers.ts';
import { listTopicSubscriptions } from './subscriptions.ts';
import { triggerEvents } from './trigger.ts';
import { parse, type Query } from './validation.ts';
import type { World } from './world.ts';

export interface OperationInput {
  path: readonly string[];
  query: Query;
  body: unknown;
}

export interface Operation<Name extends string = OperationName> {
  name: Name;
  status: 200 | 201;
  /** Whether the service wraps the answer into `{"data": …}`; the paged lists aren't wrapped again. */
  isWrapped: boolean;
  answer: Answer;
}

type Answer = (world: World, input: OperationInput) => unknown;

function wrapped<Name extends string>(name: Name, answer: Answer, status: 200 | 201 = 200): Operation<Name> {
  return { name, status, isWrapped: true, answer };
}

function paged<Name extends string>(name: Name, answer: Answer): Operation<Name> {
  return { name, status: 200, isWrapped: false, answer };
}

/** The contract's seven operations, the API's only routes. `:name` matches one path segment. */
const ROUTES = {
  'PATCH /v1/subscribers/:subscriberId/credentials': wrapped('updateCredentials', updateCredentials),
  'GET /v2/topics/:topicKey/subscriptions': paged('listTopicSubscriptions', listTopicSubscriptions),
  'GET /v1/integrations': wrapped('listIntegrations', listIntegrations),
  'GET /v1/messages': paged('listMessages', listMessages),
  'GET /v1/notifications': paged('listEvents', listEvents),
  'POST /v1/events/trigger/bulk': wrapped('triggerEvents', triggerEvents, 201),
  'GET /v1/notifications/:notificationId': wrapped('retrieveEvent', retrieveEvent),
};

export type OperationName = (typeof ROUTES)[keyof typeof ROUTES]['name'];

export function findOperation(
  method: string,
  pathname: string,
): { operation: Operation; path: readonly string[] } | undefined {
  for (const [route, operation] of Object.entries(ROUTES)) {
    const segments = `${method} ${pathname}`.match(new RegExp(`^${route.replace(/:\w+/g, '([^/]+)')}$`));
    if (segments) return { operation, path: segments.slice(1).map(decodeURIComponent) };
  }
  return undefined;
}

/** `GET /v1/integrations`: those of every environment of the organization, with credentials, as in the real service. */
function listIntegrations(world: World, { query }: OperationInput): unknown {
  parse(z.strictObject({}), query);
  return world.integrations;
}
