import { failuresIn } from '../../domain/alerting/delivery.ts';
import { pauseBeforeEdit, RETRY_EDIT_MS, UNTIL_FIXED_MS } from '../../domain/alerting/pace.ts';
import type { DeliveryParts, PostedMessage } from './deliver-messages.ts';

/** Returns whether all went as expected. Rejects only if the next attempt can't be recorded either. */
export async function editOrPutOff(message: PostedMessage, parts: DeliveryParts): Promise<boolean> {
  try {
    await edit(message, parts);
    return true;
  } catch (err) {
    const waitMs = pauseBeforeEdit(message.attempt);
    await parts.store.noteNotEdited(message, new Date(parts.now().getTime() + waitMs));
    const fields = { messageId: message.id, attempt: message.attempt, err, waitMs };
    parts.logger.error(fields, 'edit failed unexpectedly, trying again');
    return false;
  }
}

async function edit(message: PostedMessage, { store, publisher, logger, now }: DeliveryParts): Promise<void> {
  const content = await store.content(message.id, now());
  const outcome = await publisher.edit(content, message);
  const fields = { messageId: message.id, kind: content.kind };
  const inMs = (ms: number) => new Date(now().getTime() + ms);
  switch (outcome.outcome) {
    case 'edited':
    case 'unchanged':
      return store.noteEdited(message, { fingerprint: outcome.fingerprint, failures: failuresIn(content) });
    case 'rate-limited':
      logger.warn({ ...fields, waitMs: outcome.retryAfterMs }, 'Slack wants a pause before it takes more edits');
      await store.pauseEdits(inMs(outcome.retryAfterMs));
      return store.noteNotEdited(message, inMs(outcome.retryAfterMs));
    case 'later': {
      const { reason, fix } = outcome;
      logger[fix === null ? 'warn' : 'error']({ ...fields, reason, fix }, 'message not edited, trying again');
      if (fix !== null) await store.pauseEdits(inMs(UNTIL_FIXED_MS));
      return store.noteNotEdited(message, inMs(RETRY_EDIT_MS));
    }
    case 'deleted':
      logger.warn({ ...fields, reason: outcome.reason }, 'message was deleted, what goes on is announced again');
      return store.noteDeleted(message);
    case 'frozen': {
      const { reason, scope } = outcome;
      logger.warn({ ...fields, reason, scope }, "message can't be edited, its counts stay as they are");
      return store.noteFrozen(message, { reason, scope }, now());
    }
  }
}
