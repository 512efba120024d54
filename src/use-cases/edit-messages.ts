import { failuresIn } from '../domain/delivery.ts';
import type { DeliveryParts, PostedMessage } from './deliver-messages.ts';

/** After an edit that failed for now. */
const TRY_AGAIN_MS = 30_000;

/** While somebody has to set the app up anew, edits are tried this seldom. */
const UNTIL_MENDED_MS = 5 * 60_000;

/** Brings posted messages up to date, the most urgent first, until none is left that may be edited now. */
export async function editMessages(parts: DeliveryParts): Promise<void> {
  while (!parts.signal.aborted) {
    const message = await parts.store.claimEdit(parts.now());
    if (message === null) return;
    await edit(message, parts);
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
      const { reason, mend } = outcome;
      logger[mend === null ? 'warn' : 'error']({ ...fields, reason, mend }, 'message not edited, trying again');
      if (mend !== null) await store.pauseEdits(inMs(UNTIL_MENDED_MS));
      return store.noteNotEdited(message, inMs(TRY_AGAIN_MS));
    }
    case 'gone':
      logger.warn(
        { ...fields, reason: outcome.reason },
        'message can not be edited any more, what goes on is told anew',
      );
      return store.noteGone(message);
  }
}
