import { ServiceError } from '../../src/domain/errors.ts';
import type { Call } from '../../src/domain/service/query.ts';
import { parseAllowance } from '../../src/notification-service/allowance.ts';
import { type Answer, classify } from '../../src/notification-service/answer.ts';
import type { Operation } from '../../src/notification-service/ask.ts';
import { createServiceClock } from '../../src/notification-service/clock.ts';
import type { ExchangeOutcome } from '../../src/notification-service/exchange.ts';
import * as operations from '../../src/notification-service/operations.ts';
import { walkEventPages } from '../../src/notification-service/paging.ts';
import { retryDelayMs } from '../../src/notification-service/retry.ts';
import type { EventReader } from '../../src/use-cases/polling/record-events.ts';
import type { DifficultService } from './difficult-service.ts';
import type { VirtualTime } from './virtual-time.ts';

/** The response time. */
const ANSWER_MS = 120;
/** As in `ask.ts`: the timeout of a request, of all its tries, and the shortest try. */
const TIMEOUT_MS = 10_000;
const TOTAL_MS = 60_000;
const SHORTEST_TRY_MS = 1_000;

export interface ClientParts {
  readonly service: DifficultService;
  readonly time: VirtualTime;
  readonly environment: string;
  /** The process's own clock. */
  readonly now: () => number;
  /** Aborts when the process ends. */
  readonly life: AbortSignal;
}

/**
 * Creates the client of the Notification Service in virtual time. It uses the real client's addresses, parsing, paging, retries and
 * conversions; only sockets and waiting are replaced.
 */
export function createServiceClient({ service, time, environment, now, life }: ClientParts): EventReader {
  const clock = createServiceClock();
  let heldUntil = 0;

  async function ask<Result>(operation: Operation<Result>, { signal }: Call): Promise<Result | null> {
    const until = signal === undefined ? life : AbortSignal.any([signal, life]);
    const startedAt = now();
    const deadline = startedAt + TOTAL_MS;
    const retries = { limited: 0, others: 0 };
    for (;;) {
      // Another request's 429 can name a later time while this one waits; the real limiter admits nobody before that either.
      while (heldUntil > now()) {
        if (heldUntil > deadline)
          throw new ServiceError(environment, operation.name, { kind: 'busy', waitedMs: TOTAL_MS });
        await time.sleep(heldUntil - now(), until);
      }
      const answer = readAnswer(operation, classify(await send(operation.path, deadline, until), now()));
      if (answer.kind === 'not-found') return null;
      if (answer.kind === 'read') return answer.result;
      const kind = answer.problem.kind === 'rate-limited' ? 'limited' : 'others';
      const waitMs = retryDelayMs({ ...answer, isWrite: false, retries: retries[kind]++ }, () => 0.5);
      if (waitMs === null || now() + waitMs + SHORTEST_TRY_MS > deadline) {
        throw new ServiceError(environment, operation.name, answer.problem);
      }
      await time.sleep(waitMs, until);
    }
  }

  async function send(path: string, deadline: number, signal: AbortSignal): Promise<ExchangeOutcome> {
    const askedAt = now();
    service.sent(time.now());
    await time.sleep(ANSWER_MS / 2, signal);
    const answer = service.answer(path, time.now());
    if (answer.kind === 'hangs') {
      const afterMs = Math.min(TIMEOUT_MS, deadline - askedAt);
      await time.sleep(Math.max(0, afterMs - ANSWER_MS / 2), signal);
      return { kind: 'timed-out', afterMs };
    }
    await time.sleep(ANSWER_MS / 2, signal);
    if (answer.kind === 'refused-connection')
      return { kind: 'disconnected', code: 'ECONNREFUSED', mayHaveArrived: false };
    service.received(answer);
    clock.observe(answer.headers, askedAt, now());
    const { holdPollerMs } = parseAllowance(answer.status, answer.headers, now());
    heldUntil = Math.max(heldUntil, now() + holdPollerMs);
    return answer;
  }

  const listEvents = async (query: Parameters<typeof operations.listEvents>[0], call: Call) => {
    const page = await ask(operations.listEvents(query), call);
    if (page === null) throw new ServiceError(environment, 'listEvents', { kind: 'gateway', status: 404 });
    return page;
  };

  return {
    retrieveEvent: async (id, call) => await ask(operations.retrieveEvent(id), call),
    eventPages: (query, call) => walkEventPages((page) => listEvents(page, call), query, environment),
    clockAheadMs: clock.aheadMs,
  };
}

type Read<Result> = { readonly kind: 'read'; readonly result: Result } | Exclude<Answer, { kind: 'ok' }>;

function readAnswer<Result>(operation: Operation<Result>, answer: Answer): Read<Result> {
  if (answer.kind !== 'ok') return answer;
  const read = operation.read(answer.body);
  if (read.ok) return { kind: 'read', result: read.value };
  return { kind: 'problem', problem: { kind: 'unreadable', status: answer.status, wrong: null }, retryAfterMs: null };
}
