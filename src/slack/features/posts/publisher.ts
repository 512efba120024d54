import type { ConversationsHistoryResponse } from '@slack/web-api';
import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { hashOf } from '../../../lib/text/hash.ts';
import { CLOCK_TOLERANCE_MS } from '../../../lib/time/service-clock.ts';
import { inTime } from '../../../lib/time/waiting.ts';
import { type Channels, isChannel, isPerson } from '../../../lib/workspace.ts';
import type { Place, Publisher, Refused, Search, Sent } from '../../../outbox/kinds.ts';
import type { SlackCtx } from '../../ctx.ts';
import type { IncidentCtx } from '../../incident-view/incident-row.ts';
import { forEveryone, withNames } from '../../kit/for-everyone.ts';
import { type MessageContent, withNote } from '../../kit/message.ts';
import { channelPlace, conversationWith, ephemeralPlace, type PostCtx, postMessage } from '../../kit/places.ts';
import { present } from '../../kit/text.ts';
import type { Content } from './content.ts';
import { contentMessage, undrawnMessage, unreachedMessage } from './content-message.ts';
import { pushText } from './push-text.ts';
import { editFailure, failureOf, failureOn, findFailure, postFailure } from './slack-failures.ts';

const NAMES_WITHIN_MS = 2_000;
const REPEAT_MARK = 'repeat:';
const POSSIBLE_REPEAT = "⚠️ Possible duplicate: this may already have been posted, since Slack's answer to it was lost.";
const EVENT_TYPE = 'notif_delivery';

/** It is tried at once by the ID that the channel has by now. */
const AT_NEW_ID: Refused = { is: 'refused', reason: 'channel_id_changed', retryAfterMs: 0, fix: null };

type PublisherCtx = PostCtx & IncidentCtx & Pick<SlackCtx, 'sleep'> & { channels: Pick<Channels, 'newId'> };

export function createPublisher(ctx: PublisherCtx): Publisher<Content> {
  const { postingClient: client } = ctx;
  const draw = (content: Content, mayRepeat: boolean) => {
    const message = drawnMessage(content, ctx);
    const drawn = forEveryone(mayRepeat ? withNote(message, POSSIBLE_REPEAT) : message);
    const hash = hashOf(JSON.stringify(drawn), 32);
    return { drawn, hash: mayRepeat ? `${REPEAT_MARK}${hash}` : hash };
  };
  const namesOf = (ids: readonly string[]) =>
    inTime(ctx.workspace.namesOf(ids), NAMES_WITHIN_MS, new Map<string, string>(), ctx.sleep);
  const hasNewId = async (channel: string, trouble: string) => {
    if (trouble !== 'channel-unknown' || !isChannel(channel)) return false;
    const newId = await ctx.channels.newId(channel).catch((err: unknown) => {
      ctx.logger.warn({ err, channel }, "Slack didn't say whether a channel has another ID");
      return null;
    });
    return newId !== null;
  };
  return {
    post: async (content, { mayRepeat, threadTs, isPlain, knownBy }) => {
      const { drawn, hash } = draw(content, mayRepeat);
      const { id, channel } = content;
      const { text, blocks } = isPerson(channel) ? drawn : await withNames(drawn, { namesOf }, mentionedIn(content));
      const isBroadcast = 'isBroadcast' in content && content.isBroadcast;
      const thread = threadTs === null ? {} : { thread_ts: threadTs, reply_broadcast: isBroadcast };
      try {
        const { ts = '' } = await postMessage(ctx, {
          channel,
          text: pushText(content, text, ctx),
          ...thread,
          ...(isPlain ? {} : { blocks: [...blocks] }),
          metadata: {
            event_type: EVENT_TYPE,
            event_payload: { delivery_id: id, store: ctx.storeCode, sent: knownBy },
          },
        });
        return { is: 'posted', ts, shownHash: hash };
      } catch (error) {
        const failed = await failureOn(channel, error, client);
        return (await hasNewId(channel, failed.trouble)) ? AT_NEW_ID : postFailure(failed, channel);
      }
    },
    tellInitiator: async (content, { initiator: { person: initiator, channel }, recipient, code }) => {
      const isOwn = initiator === recipient;
      const message = unreachedMessage(draw(content, false).drawn, { isOwn, recipient, code });
      const places = [
        channel !== null && ephemeralPlace(channel, null, initiator, ctx),
        !isOwn && channelPlace(initiator, null, initiator, ctx),
      ];
      for (const place of present(places)) {
        try {
          await place.post(message);
          return { is: 'posted', ts: '', shownHash: '' };
        } catch (error) {
          const outcome = postFailure(await failureOn(initiator, error, client), initiator);
          if (outcome.is !== 'unreachable') return outcome;
        }
      }
      return { is: 'unreachable', reason: code };
    },
    edit: async (content, { channel, ts, shownHash, isPlain }) => {
      const { drawn, hash } = draw(content, (shownHash ?? '').startsWith(REPEAT_MARK));
      if (hash === shownHash) return { is: 'unchanged', shownHash };
      try {
        const place = { channel: await conversationWith(channel, client), ts };
        const blocks = isPlain ? [] : [...drawn.blocks];
        await client.chat.update({ ...place, text: pushText(content, drawn.text, ctx), blocks, parse: 'none' });
        return { is: 'edited', shownHash: hash };
      } catch (error) {
        const failed = await failureOn(channel, error, client);
        return (await hasNewId(channel, failed.trouble)) ? AT_NEW_ID : editFailure(failed);
      }
    },
    sentSince: (place, since) => sentSince(place, since, ctx),
    find: (message, since) => findMessage(message, since, client).catch((error) => findFailure(failureOf(error))),
  };
}

function mentionedIn(content: Content): readonly string[] {
  const whom = 'mention' in content ? content.mention : null;
  if (whom === null) return [];
  return whom.kind === 'people' ? whom.ids : [whom.id];
}

function drawnMessage(content: Content, ctx: PostCtx & IncidentCtx): MessageContent {
  try {
    return contentMessage(content, ctx);
  } catch (err) {
    const { id: messageId, kind } = content;
    ctx.logger.error({ messageId, kind, err }, "A message couldn't be drawn, sending what it is about");
    return undrawnMessage(content);
  }
}

const SentPayload = z.object({ delivery_id: z.string(), store: z.string(), sent: z.string() });
const MOST_SENT_PAGES = 5;

/** Only what this app itself has posted counts: anybody's message can carry the same words. */
async function sentSince(
  place: Place,
  since: Date,
  { postingClient: client, storeCode, logger }: PostCtx,
): Promise<readonly Sent[] | null> {
  const { channel } = place;
  try {
    const { bot_id: botId } = await client.auth.test();
    const sent: Sent[] = [];
    let pages = 0;
    for await (const messages of messagesIn(place, since, client)) {
      for (const { ts, bot_id: bot, metadata } of messages) {
        const { data } = SentPayload.safeParse(metadata?.event_payload);
        const isOurs = metadata?.event_type === EVENT_TYPE && bot === botId && data?.store === storeCode;
        if (!isOurs || ts === undefined) continue;
        const { delivery_id: id, sent: knownBy } = data;
        sent.push({ id, channel, ts, postedAt: new Date(Number(ts) * 1000), knownBy });
      }
      pages += 1;
      if (pages === MOST_SENT_PAGES) break;
    }
    return sent;
  } catch (err) {
    const search = findFailure(failureOf(err));
    logger.warn({ err, channel }, "A history couldn't be read for messages that the database may have lost");
    return search.found === 'no' ? [] : null;
  }
}

async function findMessage(
  { id, ...place }: Place & { id: string },
  since: Date,
  client: PostCtx['postingClient'],
): Promise<Search> {
  for await (const messages of messagesIn(place, subMilliseconds(since, CLOCK_TOLERANCE_MS), client)) {
    const message = messages.find(
      ({ metadata }) =>
        metadata?.event_type === EVENT_TYPE && Reflect.get(metadata.event_payload ?? {}, 'delivery_id') === id,
    );
    if (message?.ts !== undefined) return { found: 'yes', ts: message.ts };
  }
  return { found: 'no' };
}

type Messages = NonNullable<ConversationsHistoryResponse['messages']>;

/** Page by page. */
async function* messagesIn(
  { channel, threadTs }: Place,
  since: Date,
  client: PostCtx['postingClient'],
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
