import { attemptsWithoutReason, type FailedAttempt, withMessageReasons } from '../causes/message-reasons.ts';
import { storedFailures } from '../incidents/failure-rows.ts';
import { wordingKeyOf } from '../incidents/keys.ts';
import type { StoredFailure } from '../incidents/reconcile.ts';
import type { Failure } from '../judging/failure.ts';
import { type JudgedEvent, judging } from '../judging/judge.ts';
import { lastSignOf } from '../judging/waits.ts';
import { groupBy } from '../lib/group-by.ts';
import { withPauses } from '../lib/pauses.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import { SECOND_MS } from '../lib/time/durations.ts';
import { eventKey, type TriggeredEvent } from '../service/event.ts';
import type { Message } from '../service/lists.ts';
import { mayBeAboutTheRequest, orServiceError, ServiceError } from '../service/service-error.ts';
import { StatementError } from '../store/errors.ts';
import type { Reading } from './reading.ts';

/** A full page of the list: few events have more messages. */
const MOST_MESSAGES = 100;
/** A service that takes longer isn't asked again before the next poll. */
const SLOW_MS = 2 * SECOND_MS;

interface Unexplained {
  attempts: readonly FailedAttempt[];
  stored: readonly StoredFailure[];
}

/** Reads the messages of what nothing explains, as far as the budget goes. */
export async function withReasonsOfMessages(
  reading: Reading,
  judgedEvents: readonly JudgedEvent[],
): Promise<JudgedEvent[]> {
  const { ctx, environment } = reading;
  const unexplained = new Map<JudgedEvent, readonly FailedAttempt[]>();
  for (const judged of judgedEvents) {
    const attempts = await withPauses(attemptsWithoutReason(judged.judgment, ctx.explainCause));
    if (attempts.length > 0) unexplained.set(judged, attempts);
  }
  const keys = [...unexplained.keys()].map(({ event }) => eventKey(event));
  const rows = keys.length === 0 ? [] : await storedFailures(ctx.db, environment, keys).catch(nothingOfRefused);
  const ofEvent = groupBy(rows, (row) => row.eventKey);
  const read: JudgedEvent[] = [];
  for (const judged of judgedEvents) {
    const attempts = unexplained.get(judged);
    const stored = ofEvent.get(eventKey(judged.event)) ?? [];
    read.push(attempts === undefined ? judged : await withReasons(reading, judged, { attempts, stored }));
  }
  return read;
}

/** An event that the database refuses is counted when it is recorded. */
function nothingOfRefused(error: unknown): StoredFailure[] {
  if (error instanceof StatementError && error.isAboutData) return [];
  throw error;
}

async function withReasons(
  reading: Reading,
  { event, judgment }: JudgedEvent,
  { attempts, stored }: Unexplained,
): Promise<JudgedEvent> {
  const isUnexplained = ({ jobId, provider }: Failure) =>
    attempts.some((attempt) => boundedId(attempt.job.id) === jobId && attempt.provider === provider);
  const otherReasonOf = (failure: Failure) =>
    stored.find((row) => {
      const isSame = row.jobId === failure.jobId && row.provider === (failure.provider ?? '');
      return isSame && !row.isUnexplained && row.wordingKey !== wordingKeyOf(reading.environment, failure);
    });
  const lastSign = lastSignOf(event) ?? new Date(0);
  // Where the store has reasons that are as new as the event, its messages were read before.
  const isReadBefore = judgment.failures.filter(isUnexplained).every((failure) => {
    const row = otherReasonOf(failure);
    return row !== undefined && row.asOf >= lastSign;
  });
  const messages = isReadBefore ? null : await messagesOf(reading, event);
  if (messages !== null) {
    const explained = withMessageReasons(event, attempts, messages);
    return { event: explained, judgment: await withPauses(judging(explained, reading.serviceNow())) };
  }
  // Where messages weren't read, a reason that they gave before stays.
  const failures = judgment.failures.map((failure) =>
    isUnexplained(failure) && otherReasonOf(failure) !== undefined ? { ...failure, isUnexplained: true } : failure,
  );
  return { event, judgment: { ...judgment, failures } };
}

async function messagesOf(
  reading: Reading,
  { transactionId, subscriber }: TriggeredEvent,
): Promise<readonly Message[] | null> {
  if (reading.messageRequestsLeft <= 0) return null;
  reading.messageRequestsLeft -= 1;
  const askedAt = reading.ctx.now().getTime();
  const query = { transactionIds: [transactionId], subscriberId: subscriber?.subscriberId, limit: MOST_MESSAGES };
  const page = await orServiceError(reading.service.listMessages(query, reading.call));
  const isSlow = reading.ctx.now().getTime() - askedAt > SLOW_MS;
  if (isSlow || (page instanceof ServiceError && !mayBeAboutTheRequest(page.problem))) reading.messageRequestsLeft = 0;
  return page instanceof ServiceError ? null : (page?.items ?? []);
}
