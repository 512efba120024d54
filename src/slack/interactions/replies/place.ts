import type { z } from 'zod';
import type { ActionBody, CommandBody, ShortcutBody, WrittenMessage } from '../payload.ts';
import { type OpenedModal, openingReply } from './opening-reply.ts';
import { orElse } from './or-else.ts';
import { fitting, type Outgoing } from './outgoing.ts';
import {
  type AnsweredModal,
  homeReply,
  isDirect,
  modalReply,
  type Origin,
  type Reply,
  responseUrlReply,
} from './reply.ts';
import { directReply, ephemeralReply, threadReply } from './thread-reply.ts';

/** `threadTs` is null at the root of a conversation. */
export type Place =
  | ({ readonly is: 'response' } & Origin)
  /** Where a form was requested. What to do when Slack no longer takes an answer there is the form's decision. */
  | ({ readonly is: 'asked' } & Origin)
  | ({ readonly is: 'modal'; readonly userId: string } & AnsweredModal)
  | ({ readonly is: 'new modal' } & OpenedModal)
  | { readonly is: 'message'; readonly channelId: string; readonly threadTs: string | null; readonly userId: string }
  | { readonly is: 'aside'; readonly channelId: string; readonly threadTs: string | null; readonly userId: string }
  | { readonly is: 'direct message'; readonly userId: string }
  | { readonly is: 'home'; readonly userId: string };

export function placeOfCommand(body: z.output<typeof CommandBody>): Place {
  const { response_url: responseUrl, user_id: userId, channel_id: channelId } = body;
  return { is: 'response', kind: 'command', responseUrl, userId, channelId, threadTs: null };
}

export function placeOfShortcut(body: z.output<typeof ShortcutBody>): Place {
  const { response_url: responseUrl, trigger_id: triggerId, user, channel, message } = body;
  if (responseUrl === undefined) return { is: 'new modal', how: 'open', triggerId, userId: user.id };
  const at = { userId: user.id, channelId: channel?.id ?? null, threadTs: threadOf(message) };
  return { is: 'response', kind: 'aside', responseUrl, ...at };
}

export function placeOfMessage(body: z.output<typeof WrittenMessage>, how: 'app_mention' | 'message.im') {
  const { user: userId, channel: channelId, ts } = body;
  const { thread_ts: threadTs = how === 'app_mention' ? ts : null } = body;
  return { is: 'message', channelId, threadTs, userId } as const;
}

/**
 * In its modal, by an ephemeral message in its channel and thread, or in a new modal for one on the Home tab or in a
 * form, which stays.
 */
export function placeOfAction(body: z.output<typeof ActionBody>): Place {
  const { response_url: responseUrl, trigger_id: triggerId, user, view, channel, container, message } = body;
  if (view?.type === 'home') return { is: 'new modal', how: 'open', triggerId, userId: user.id };
  if (view !== undefined) {
    const { id: viewId, hash, result } = view;
    if (result === null) return { is: 'new modal', how: 'push', triggerId, userId: user.id };
    return { is: 'modal', viewId, hash, result, userId: user.id };
  }
  if (responseUrl === undefined) return { is: 'direct message', userId: user.id };
  const threadTs = threadOf({ ts: container?.message_ts, thread_ts: container?.thread_ts }) ?? threadOf(message);
  return { is: 'response', kind: 'button', responseUrl, userId: user.id, channelId: channel?.id ?? null, threadTs };
}

/**
 * For answers to everybody: the thread that the message is in, else the one below it. Null for an ephemeral message
 * outside of threads, which Slack leaves out and which has no thread below it, and at the root of a direct message,
 * which is as good a place.
 */
export function threadOfClick({ channel, message, container }: z.output<typeof ActionBody>): string | null {
  const within = threadOf(message) ?? threadOf({ ts: container?.message_ts, thread_ts: container?.thread_ts });
  return within ?? (isDirect(channel?.id ?? null) ? null : (message?.ts ?? null));
}

/** Null for a message at the root, even if it has a thread below it. */
function threadOf(message: { readonly ts?: unknown; readonly thread_ts?: unknown } | undefined): string | null {
  const { ts, thread_ts: threadTs } = message ?? {};
  return typeof threadTs === 'string' && threadTs !== ts ? threadTs : null;
}

/** In a thread only if they wrote in it, since Slack doesn't show ephemeral messages in a thread without replies. */
export function asideOf(body: z.output<typeof WrittenMessage>): Place {
  const { user: userId, channel: channelId, thread_ts: threadTs = null } = body;
  return { is: isDirect(channelId) ? 'message' : 'aside', channelId, threadTs, userId };
}

/** If Slack refuses an answer there, the person gets it as a direct message. */
export function replyAt(place: Place, out: Pick<Outgoing, 'client' | 'logger'>): Reply {
  return fitting(rawReplyAt(place, out));
}

function rawReplyAt(place: Place, { client, logger }: Pick<Outgoing, 'client' | 'logger'>): Reply {
  const orDirect = (reply: Reply) => orElse(reply, directReply(place.userId, client), logger);
  switch (place.is) {
    case 'response':
      return orDirect(responseUrlReply(place, client));
    case 'asked':
      return responseUrlReply(place, client);
    case 'modal':
      return orDirect(modalReply(place, client, null));
    case 'new modal':
      return openingReply(place, client, logger);
    case 'message':
      return orDirect(threadReply(place, client));
    case 'aside':
      return orDirect(ephemeralReply(place, client));
    case 'direct message':
      return directReply(place.userId, client);
    case 'home':
      return homeReply(place.userId, client);
  }
}

/**
 * For a form: the response_url with the thread in its fragment, which is never sent. Null if there is no such place.
 */
export function answerUrlOf(place: Place): string | null {
  if (place.is !== 'response') return null;
  return place.threadTs === null ? place.responseUrl : `${place.responseUrl}#${place.threadTs}`;
}

export function placeFrom(answerUrl: string, userId: string): Place {
  const [responseUrl = '', threadTs = null] = answerUrl.split('#', 2);
  return { is: 'asked', kind: 'aside', responseUrl, userId, channelId: null, threadTs };
}
