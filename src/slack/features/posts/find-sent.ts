import type { ConversationsHistoryResponse } from '@slack/web-api';
import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { CLOCK_TOLERANCE_MS } from '../../../lib/time/service-clock.ts';
import type { Place, Search, Sent } from '../../../outbox/kinds.ts';
import { conversationWith, type PostCtx } from '../../kit/places.ts';
import { failureOf, findFailure } from './slack-failures.ts';

/** Of the metadata by which messages are found again. */
export const EVENT_TYPE = 'notif_delivery';
const SentPayload = z.object({ delivery_id: z.string(), store: z.string(), sent: z.string() });
/** Of a channel's history, two hundred messages each. */
const MOST_SENT_PAGES = 5;

type Messages = NonNullable<ConversationsHistoryResponse['messages']>;

/** The messages that this store has posted, among the newest thousand of the place; null if Slack can't say now. */
export async function sentSince(place: Place, since: Date, ctx: PostCtx): Promise<readonly Sent[] | null> {
  const { channel } = place;
  try {
    const sentIn = await sentReader(channel, ctx);
    const sent: Sent[] = [];
    let pages = 0;
    for await (const messages of messagesIn(place, since, ctx)) {
      sent.push(...sentIn(messages));
      pages += 1;
      if (pages === MOST_SENT_PAGES) break;
    }
    return sent;
  } catch (err) {
    const search = findFailure(failureOf(err));
    ctx.logger.warn({ err, channel }, "A history couldn't be read for messages that the database may have lost");
    // A history that can never be read, as of a channel that is gone, is like an empty one.
    return search.found === 'no' ? [] : null;
  }
}

/** Looks for a message whose answer was lost. */
export async function findMessage(
  { id, ...place }: Place & { id: string },
  since: Date,
  ctx: PostCtx,
): Promise<Search> {
  const sentIn = await sentReader(place.channel, ctx);
  for await (const messages of messagesIn(place, subMilliseconds(since, CLOCK_TOLERANCE_MS), ctx)) {
    const message = sentIn(messages).find((sent) => sent.id === id);
    if (message !== undefined) return { found: 'yes', ts: message.ts };
  }
  return { found: 'no' };
}

/**
 * Returns a function that picks what this store has posted out of a page.
 * Only what this app itself has posted counts: anybody's message can carry the same metadata.
 */
async function sentReader(
  channel: string,
  { postingClient, storeCode }: PostCtx,
): Promise<(messages: Messages) => readonly Sent[]> {
  const { bot_id: botId } = await postingClient.auth.test();
  return (messages) =>
    messages.flatMap(({ ts, bot_id: bot, metadata }) => {
      const { data } = SentPayload.safeParse(metadata?.event_payload);
      const isOurs = metadata?.event_type === EVENT_TYPE && bot === botId && data?.store === storeCode;
      if (!isOurs || ts === undefined) return [];
      const { delivery_id: id, sent: knownBy } = data;
      return [{ id, channel, ts, postedAt: new Date(Number(ts) * 1000), knownBy }];
    });
}

/** The messages of a channel or thread, page by page. */
async function* messagesIn(
  { channel, threadTs }: Place,
  since: Date,
  { postingClient: client }: PostCtx,
): AsyncGenerator<Messages> {
  const query = {
    channel: await conversationWith(channel, client),
    oldest: String(since.getTime() / 1000),
    include_all_metadata: true,
    limit: 200,
  };
  let cursor: string | undefined;
  do {
    const from = { ...query, ...(cursor && { cursor }) };
    const page = await (threadTs === null
      ? client.conversations.history(from)
      : client.conversations.replies({ ...from, ts: threadTs }));
    yield page.messages ?? [];
    cursor = page.response_metadata?.next_cursor;
  } while (cursor);
}
