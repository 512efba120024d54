import { addMilliseconds } from 'date-fns';
import { failuresIn } from '../../domain/alerting/delivery.ts';
import { BEGIN_WITHIN_MS, LONGEST_RETRY_MS, LOOK_AGAIN_MS, pauseBeforePost } from '../../domain/alerting/pace.ts';
import type { ClaimedMessage, DeliveryParts, HistoryLookup, PostOutcome, ShownMessage } from './deliver-messages.ts';

/** After an exception the message may have been sent: the next attempt looks for it. Rejects only if that can't be recorded either. */
export async function postOrPutOff(message: ClaimedMessage, parts: DeliveryParts): Promise<boolean> {
  try {
    await deliver(message, parts);
    return true;
  } catch (err) {
    const waitMs = pauseBeforePost(message.attempt);
    await parts.store.noteUnresolved(message, waitMs);
    parts.logger.error({ ...fieldsOf(message), err, waitMs }, 'message failed unexpectedly, trying again');
    return false;
  }
}

async function deliver(message: ClaimedMessage, parts: DeliveryParts): Promise<void> {
  if (message.unresolvedSince === null) return post(message, { possibleRepeat: false }, parts);
  const lookup = await parts.publisher.find(message, message.unresolvedSince);
  await settleLookup(message, lookup, parts);
}

/** What is noted of a message found in its channel: nobody knows what it shows, so the next edit is sent whatever that changes. */
const UNKNOWN_SHOWN: ShownMessage = { fingerprint: '', failures: 0 };

async function settleLookup(message: ClaimedMessage, lookup: HistoryLookup, parts: DeliveryParts): Promise<void> {
  const { store, logger, now } = parts;
  const fields = fieldsOf(message);
  switch (lookup.found) {
    case 'yes':
      logger.info(fields, 'message found in its channel after a lost answer');
      return store.notePosted(message.id, { ts: lookup.ts, ...UNKNOWN_SHOWN }, now());
    case 'no':
      return postAfterLookup(message, { possibleRepeat: false }, parts);
    case 'cannot-read':
      logger.warn({ ...fields, reason: lookup.reason }, "channel history can't be read: a message may be repeated");
      return postAfterLookup(message, { possibleRepeat: true }, parts);
    case 'not-now':
      logger.warn({ ...fields, reason: lookup.reason }, 'message could not be looked for, asking again');
      return store.noteUnresolved(message, lookup.retryAfterMs ?? pauseBeforePost(message.attempt));
  }
}

interface PostOptions {
  readonly possibleRepeat: boolean;
}

/** A lookup takes as long as the channel is busy and Slack is slow: the time to begin the post counts from its end. */
async function postAfterLookup(message: ClaimedMessage, options: PostOptions, parts: DeliveryParts): Promise<void> {
  const claimedAt = parts.now();
  if (await parts.store.renewClaim(message)) return post({ ...message, claimedAt }, options, parts);
  parts.logger.warn(fieldsOf(message), 'message was claimed again while it was looked for, leaving it to that claim');
}

async function post(message: ClaimedMessage, options: PostOptions, parts: DeliveryParts): Promise<void> {
  const { store, publisher, logger, now } = parts;
  const content = await store.content(message.id, now());
  if (now() > inMs(message.claimedAt, BEGIN_WITHIN_MS)) {
    const waitMs = pauseBeforePost(message.attempt);
    logger.warn({ ...fieldsOf(message), waitMs }, 'message was claimed too long ago to be posted, trying again');
    return store.noteNotPosted(message, 'it was claimed too long ago', inMs(now(), waitMs));
  }
  const outcome = await publisher.post(content, options);
  if (outcome.outcome !== 'posted') return settle(message, outcome, parts);
  logger.info(fieldsOf(message), 'message posted');
  await store.notePosted(message.id, { ...outcome, failures: failuresIn(content) }, now());
}

async function settle(
  message: ClaimedMessage,
  outcome: Exclude<PostOutcome, { outcome: 'posted' }>,
  parts: DeliveryParts,
): Promise<void> {
  const { store, logger, now } = parts;
  const fields = fieldsOf(message);
  switch (outcome.outcome) {
    case 'rate-limited':
      logger.warn({ ...fields, waitMs: outcome.retryAfterMs }, 'Slack wants a pause before it takes more in a channel');
      return store.noteRateLimited(message, inMs(now(), outcome.retryAfterMs));
    case 'not-posted': {
      const { reason, fix } = outcome;
      const waitMs = pauseBeforePost(message.attempt);
      logger[fix === null ? 'warn' : 'error']({ ...fields, reason, fix, waitMs }, 'message not posted, trying again');
      return store.noteNotPosted(message, reason, inMs(now(), waitMs));
    }
    case 'shut-out':
      return shutOut(message, outcome, parts);
    case 'no-thread':
      logger.warn({ ...fields, reason: outcome.reason }, 'the thread of a message takes no replies, leaving it out');
      return store.noteGivenUp(message, outcome.reason);
    case 'unknown':
      logger.warn(fields, 'answer to a post was lost, looking for the message before it is sent again');
      return store.noteUnresolved(message, LOOK_AGAIN_MS);
  }
}

async function shutOut(
  message: ClaimedMessage,
  { reason, why }: Extract<PostOutcome, { outcome: 'shut-out' }>,
  { store, operators, logger, now }: DeliveryParts,
): Promise<void> {
  const trouble = { reason, operators, retryAt: inMs(now(), LONGEST_RETRY_MS) };
  const consequence = await store.noteShutOut(message, why, trouble, now());
  logger.error({ ...fieldsOf(message), reason, why, consequence }, 'channel takes no messages of Notif');
}

function inMs(now: Date, ms: number): Date {
  return addMilliseconds(now, ms);
}

function fieldsOf({ id, kind, attempt }: ClaimedMessage) {
  return { messageId: id, kind, attempt };
}
