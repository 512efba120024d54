import { anEnvironment } from '../lib/environment.testing.ts';
import { heard, type LogLine } from '../lib/logger.testing.ts';
import { type Served, serve } from '../lib/serve.testing.ts';
import { Payload } from '../lib/text/payload.ts';
import type { ClientOptions } from './client.ts';
import { NO_OPTIONS } from './event.testing.ts';
import { createLimiter } from './limits.ts';
import { createNotificationService, type NotificationService } from './operations.ts';
import { ServiceError } from './service-error.ts';
import type { TriggerItem } from './trigger.ts';

export const PERSON = { who: 'person' } as const;
export const POLLER = { who: 'poller' } as const;

const ENVIRONMENT = anEnvironment();

interface TestClient {
  client: NotificationService;
  log: LogLine[];
  /** The pauses that it made, in milliseconds; none of them took time. */
  waits: number[];
}

export function aClient(url: string, options: Partial<ClientOptions> = {}): TestClient {
  const { logger, log } = heard();
  const waits: number[] = [];
  let ahead = 0;
  const client = createNotificationService({
    environment: ENVIRONMENT,
    url,
    apiKey: 'sandbox-key',
    logger,
    limiter: { ...createLimiter(), hold: () => {} },
    now: () => Date.now() + ahead,
    sleep: async (ms) => {
      waits.push(ms);
      ahead += ms;
    },
    ...options,
  });
  return { client, log, waits };
}

/** A service of which every method but the given ones throws. */
export function aService(given: Partial<NotificationService>): NotificationService {
  const refuse = async (): Promise<never> => {
    throw new Error('this test gives no answer to this');
  };
  const { client } = aClient('http://127.0.0.1');
  const refusing = Object.fromEntries(Object.keys(client).map((name) => [name, refuse]));
  return {
    ...client,
    ...refusing,
    eventPages: async function* () {
      yield await refuse();
    },
    clockAheadMs: () => 0,
    heldForMs: () => 0,
    ...given,
  };
}

export async function answering(status: number, body: string, headers: Record<string, string> = {}): Promise<Served> {
  return await serve((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
}

export async function problemOf(call: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ServiceError) return error;
  throw new Error('The call did not end in a ServiceError.', { cause: error });
}

export function anItem(change: Partial<TriggerItem> = {}): TriggerItem {
  return {
    workflow: 'order-shipped',
    subscriberId: 'user-1',
    transactionId: 't-1',
    payload: new Payload({}),
    profile: null,
    options: NO_OPTIONS,
    ...change,
  };
}
