import { labeled } from '../../../lib/environment.ts';
import { hashOf } from '../../../lib/text/hash.ts';
import { inTime } from '../../../lib/time/waiting.ts';
import { type Channels, isChannel, isPerson } from '../../../lib/workspace.ts';
import type {
  Edited,
  EditOutcome,
  Posting,
  PostOutcome,
  Publisher,
  Refused,
  Unreached,
} from '../../../outbox/kinds.ts';
import type { SlackCtx } from '../../ctx.ts';
import { newsWords } from '../../incident-view/entry-words.ts';
import { type IncidentCtx, incidentMessage } from '../../incident-view/incident-row.ts';
import { forEveryone, type PublicContent, withNames } from '../../kit/for-everyone.ts';
import { type MessageContent, withNote } from '../../kit/message.ts';
import { channelPlace, conversationWith, ephemeralPlace, type PostCtx, postMessage } from '../../kit/places.ts';
import { present } from '../../kit/text.ts';
import type { Content } from './content.ts';
import { digestMessage } from './digest-message.ts';
import { EVENT_TYPE, findMessage, type SearchCtx, sentSince } from './find-sent.ts';
import { lineMessage } from './line-message.ts';
import {
  changesMessage,
  notice,
  renamedMessage,
  titleOf,
  undrawnMessage,
  unreachedMessage,
  watchEndedMessage,
} from './notices.ts';
import { pushText } from './push-text.ts';
import { resendMessage, testMessage } from './sending-message.ts';
import { editFailure, failureOf, failureOn, findFailure, postFailure } from './slack-failures.ts';
import { summaryMessage } from './summary-message.ts';
import { weeklyMessage } from './weekly.ts';

/** How long a post waits for the names of those whom it names. */
const NAMES_WITHIN_MS = 2_000;
const REPEAT_MARK = 'repeat:';
const POSSIBLE_REPEAT = "⚠️ Possible duplicate: this may already have been posted, since Slack's answer to it was lost.";
/** The post is tried at once by the ID that the channel has by now. */
const AT_NEW_ID: Refused = { is: 'refused', reason: 'channel_id_changed', retryAfterMs: 0, fix: null };

type PublisherCtx = PostCtx & IncidentCtx & Pick<SlackCtx, 'sleep'> & { channels: Pick<Channels, 'newId'> };

export function createPublisher(ctx: PublisherCtx): Publisher<Content> {
  const { postingClient: client } = ctx;
  let botId: string | undefined;
  const searchCtx: SearchCtx = {
    ...ctx,
    botId: async () => {
      botId ??= (await client.auth.test()).bot_id;
      return botId;
    },
  };
  return {
    post: (content, posting) => post(ctx, content, posting),
    edit: (content, edited) => edit(ctx, content, edited),
    tellInitiator: (content, unreached) => tellInitiator(ctx, content, unreached),
    sentSince: (place, since) => sentSince(place, since, searchCtx),
    find: (message, since) => findMessage(message, since, searchCtx).catch((error) => findFailure(failureOf(error))),
  };
}

async function post(ctx: PublisherCtx, content: Content, posting: Posting): Promise<PostOutcome> {
  const { threadTs, isPlain, knownBy } = posting;
  const { id, channel } = content;
  const { drawn, hash } = draw(ctx, content, posting.mayRepeat);
  const namesOf = (ids: readonly string[]) =>
    inTime(ctx.workspace.namesOf(ids), NAMES_WITHIN_MS, new Map<string, string>(), ctx.sleep);
  const { text, blocks } = isPerson(channel) ? drawn : await withNames(drawn, { namesOf }, mentionedIn(content));
  const isBroadcast = 'isBroadcast' in content && content.isBroadcast;
  const thread = threadTs === null ? {} : { thread_ts: threadTs, reply_broadcast: isBroadcast };
  try {
    const { ts = '' } = await postMessage(ctx, {
      channel,
      text: pushText(content, text, ctx),
      ...thread,
      ...(isPlain ? {} : { blocks: [...blocks] }),
      metadata: { event_type: EVENT_TYPE, event_payload: { delivery_id: id, store: ctx.storeCode, sent: knownBy } },
    });
    return { is: 'posted', ts, shownHash: hash };
  } catch (error) {
    const failed = await failureOn(channel, error, ctx.postingClient);
    return (await hasNewId(ctx, channel, failed.trouble)) ? AT_NEW_ID : postFailure(failed, channel);
  }
}

async function edit(ctx: PublisherCtx, content: Content, edited: Edited): Promise<EditOutcome> {
  const { channel, ts, shownHash, isPlain } = edited;
  const { postingClient: client } = ctx;
  const { drawn, hash } = draw(ctx, content, (shownHash ?? '').startsWith(REPEAT_MARK));
  if (hash === shownHash) return { is: 'unchanged', shownHash };
  try {
    const place = { channel: await conversationWith(channel, client), ts };
    const blocks = isPlain ? [] : [...drawn.blocks];
    await client.chat.update({ ...place, text: pushText(content, drawn.text, ctx), blocks, parse: 'none' });
    return { is: 'edited', shownHash: hash };
  } catch (error) {
    const failed = await failureOn(channel, error, client);
    return (await hasNewId(ctx, channel, failed.trouble)) ? AT_NEW_ID : editFailure(failed);
  }
}

async function tellInitiator(ctx: PublisherCtx, content: Content, unreached: Unreached): Promise<PostOutcome> {
  const { recipient, code } = unreached;
  const { person: initiator, channel } = unreached.initiator;
  const isOwn = initiator === recipient;
  const message = unreachedMessage(draw(ctx, content, false).drawn, { isOwn, recipient, code });
  const places = [
    channel !== null && ephemeralPlace(channel, null, initiator, ctx),
    !isOwn && channelPlace(initiator, null, initiator, ctx),
  ];
  for (const place of present(places)) {
    try {
      await place.post(message);
      return { is: 'posted', ts: '', shownHash: '' };
    } catch (error) {
      const outcome = postFailure(await failureOn(initiator, error, ctx.postingClient), initiator);
      if (outcome.is !== 'unreachable') return outcome;
    }
  }
  return { is: 'unreachable', reason: code };
}

/** The hash is of what is shown, and marks a message that may be a repeat. */
function draw(ctx: PublisherCtx, content: Content, mayRepeat: boolean): { drawn: PublicContent; hash: string } {
  const message = drawnMessage(content, ctx);
  const drawn = forEveryone(mayRepeat ? withNote(message, POSSIBLE_REPEAT) : message);
  const hash = hashOf(JSON.stringify(drawn), 32);
  return { drawn, hash: mayRepeat ? `${REPEAT_MARK}${hash}` : hash };
}

/** Whether a channel that Slack doesn't know has another ID by now, which is stored then. */
async function hasNewId({ channels, logger }: PublisherCtx, channel: string, trouble: string): Promise<boolean> {
  if (trouble !== 'channel-unknown' || !isChannel(channel)) return false;
  const newId = await channels.newId(channel).catch((err: unknown) => {
    logger.warn({ err, channel }, "Slack didn't say whether a channel has another ID");
    return null;
  });
  return newId !== null;
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

export function contentMessage(content: Content, options: IncidentCtx): MessageContent {
  const { environments } = options;
  switch (content.kind) {
    case 'digest':
      return digestMessage(content, options);
    case 'summary':
      return summaryMessage(content, environments);
    case 'weekly':
      return weeklyMessage(content, environments);
    case 'line':
      return lineMessage(content);
    case 'personal': {
      const words = newsWords(content.news, content.at);
      return content.incident === null
        ? notice([words, titleOf(content.title)])
        : incidentMessage(options, content.incident, { words });
    }
    case 'test':
      return testMessage(content, labeled(content.sending.environment, environments).label);
    case 'resend':
      return resendMessage(content, labeled(content.sending.environment, environments).label);
    case 'changes':
      return changesMessage(content, environments);
    case 'renamed':
      return renamedMessage(content, environments);
    case 'watch-ended':
      return watchEndedMessage(content, environments);
  }
}
