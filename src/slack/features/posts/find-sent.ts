import type { ConversationsHistoryResponse } from '@slack/web-api';
import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { CLOCK_TOLERANCE_MS } from '../../../lib/time/service-clock.ts';
import type { Place, Search, Sent } from '../../../outbox/kinds.ts';
import { conversationWith, type PostCtx } from '../../kit/places.ts';
import { failureOf, findFailure } from './slack-failures.ts';

/** The type of the metadata by which posts are found again. */
export const EVENT_TYPE = 'notif_delivery';
/** The metadata's payload. Posts of older versions have only the ID. */
const SentPayload = z.object({ delivery_id: z.string(), store: z.string().nullish(), sent: z.string().nullish() });
/** `sentSince` reads so many pages of a history at most, of so many messages each. */
const MOST_SENT_PAGES = 5;
const PAGE_SIZE = 200;

type Messages = NonNullable<ConversationsHistoryResponse['messages']>;

export interface SearchCtx extends PostCtx {
  /** The app's ID on what it posts; undefined if Slack gives it none. */
  botId: () => Promise<string | undefined>;
}

/** The messages that this store has posted, among the newest thousand of the place; null if Slack can't say now. */
export async function sentSince(place: Place, since: Date, ctx: SearchCtx): Promise<readonly Sent[] | null> {
  const { channel } = place;
  try {
    const botId = await ctx.botId();
    const sent: Sent[] = [];
    let pages = 0;
    for await (const messages of messagesIn(place, since, ctx)) {
      for (const { id, ts, store, knownBy } of postsIn(messages, botId))
        if (store === ctx.storeCode && knownBy !== null)
          sent.push({ id, channel, ts, postedAt: new Date(Number(ts) * 1000), knownBy });
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
  ctx: SearchCtx,
): Promise<Search> {
  const botId = await ctx.botId();
  for await (const messages of messagesIn(place, subMilliseconds(since, CLOCK_TOLERANCE_MS), ctx)) {
    const message = postsIn(messages, botId).find(
      (post) => post.id === id && (post.store ?? ctx.storeCode) === ctx.storeCode,
    );
    if (message !== undefined) return { found: 'yes', ts: message.ts };
  }
  return { found: 'no' };
}

interface OwnPost {
  id: string;
  ts: string;
  /** The code of the store that it was posted for; null if its version didn't say. */
  store: string | null;
  knownBy: string | null;
}

/** What this app has posted: anybody's message can carry the same metadata. */
function postsIn(messages: Messages, botId: string | undefined): readonly OwnPost[] {
  return messages.flatMap(({ ts, bot_id: bot, metadata }) => {
    const { data } = SentPayload.safeParse(metadata?.event_payload);
    if (metadata?.event_type !== EVENT_TYPE || bot !== botId || data === undefined || ts === undefined) return [];
    const { delivery_id: id, store = null, sent: knownBy = null } = data;
    return [{ id, ts, store, knownBy }];
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
    limit: PAGE_SIZE,
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
