import type { Environment } from '../../src/lib/environment.ts';
import { silent } from '../../src/lib/logger.testing.ts';
import { aService } from '../../src/service/client.testing.ts';
import type { exchange as realExchange } from '../../src/service/exchange.ts';
import type { Limiter } from '../../src/service/limits.ts';
import { createNotificationService, type NotificationService } from '../../src/service/operations.ts';
import type { Call } from '../../src/service/query.ts';
import type { DifficultService } from './difficult-service.ts';
import type { VirtualTime } from './virtual-time.ts';

/** The response time. */
const ANSWER_MS = 120;

export interface ClientParts {
  service: DifficultService;
  time: VirtualTime;
  environment: Environment;
  /** The process's own clock. */
  now: () => number;
  /** Aborts when the process ends. */
  life: AbortSignal;
  /** Resolves once the process isn't frozen. */
  thawed: () => Promise<void>;
}

interface ServiceClient {
  client: NotificationService;
  /** How long the service's rate limit still asks for a pause. */
  heldForMs: () => number;
}

/** Creates the client of the Notification Service in virtual time: the real one, in which only sockets and waiting are replaced. */
export function createServiceClient({ service, time, environment, now, life, thawed }: ClientParts): ServiceClient {
  const limiter = createPatientLimiter(time);
  const exchange: typeof realExchange = async ({ url, body }, timeoutMs, signal) => {
    service.sent(time.now(), body);
    await time.sleep(ANSWER_MS / 2, signal);
    const answer = service.answer(url, time.now(), body);
    if (answer.kind === 'hangs') {
      await time.sleep(Math.max(0, timeoutMs - ANSWER_MS / 2), signal);
      return { kind: 'timed-out' };
    }
    await time.sleep(ANSWER_MS / 2, signal);
    if (answer.kind === 'refused-connection')
      return { kind: 'disconnected', code: 'ECONNREFUSED', mayHaveArrived: false };
    service.received(answer);
    await thawed();
    return answer;
  };

  const client = createNotificationService({
    environment,
    url: '',
    apiKey: 'simulated',
    logger: silent,
    limiter,
    exchange,
    sleep: async (ms, signal) => await time.sleep(ms, signal ?? life),
    now,
  });
  const during = ({ who, signal }: Call): Call => ({
    who,
    signal: signal === undefined ? life : AbortSignal.any([signal, life]),
  });
  const reader = aService({
    retrieveEvent: async (id, call) => await client.retrieveEvent(id, during(call)),
    eventPages: (query, call) => client.eventPages(query, during(call)),
    listEvents: async (query, call) => await client.listEvents(query, during(call)),
    listMessages: async (query, call) => await client.listMessages(query, during(call)),
    triggerEvents: async (items, options, call) => await client.triggerEvents(items, options, during(call)),
    clockAheadMs: client.clockAheadMs,
  });
  return { client: reader, heldForMs: limiter.heldForMs };
}

/** Admits every request at once, but none while the service's rate limit asks for a pause, by a clock that nobody can set. */
function createPatientLimiter(time: VirtualTime): Limiter {
  let heldUntil = 0;
  return {
    async run({ signal }, waitMs, busy, task) {
      const deadline = time.now() + waitMs;
      // Another request's 429 can name a later time while this one waits.
      while (heldUntil > time.now()) {
        if (heldUntil > deadline) throw busy;
        await time.sleep(heldUntil - time.now(), signal);
      }
      return await task();
    },
    hold: ({ pollerMs }) => {
      heldUntil = Math.max(heldUntil, time.now() + pollerMs);
    },
    heldForMs: () => Math.max(0, heldUntil - time.now()),
  };
}
