import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { z } from 'zod';
import { sendable } from '../kit/sendable.ts';
import { resultView } from '../kit/view.ts';
import type {
  ActionInteraction,
  CommandInteraction,
  HomeInteraction,
  MessageInteraction,
  Modal,
  ShortcutInteraction,
  SubmissionInteraction,
} from './interaction.ts';
import { textsIn } from './message-text.ts';
import { ActionBody, CommandBody, HomeOpened, ShortcutBody, type SubmissionBody, WrittenMessage } from './payload.ts';
import {
  channelPlace,
  ephemeralPlace,
  homePlace,
  isDirect,
  modalPlace,
  newModalPlace,
  type Open,
  type Outgoing,
  type Place,
  replyIn,
  responsePlace,
  updateView,
} from './reply.ts';

/** Like the parsers below, throws `ZodError` for a body that differs from Slack's documentation. */
export function commandInteraction(sent: unknown, out: Outgoing): CommandInteraction {
  const body = CommandBody.parse(sent);
  const { user_id: userId, channel_id: channelId, text, response_url: answerUrl } = body;
  const place = responsePlace(answerUrl, 'command', channelId, null);
  const open = opener('open', body.trigger_id, out.client);
  return { ...{ userId, channelId, threadTs: null, text, answerUrl }, ...answerable(place, open, userId, out) };
}

export function shortcutInteraction(sent: unknown, out: Outgoing): ShortcutInteraction {
  const { user, channel, response_url: responseUrl, trigger_id: triggerId, message } = ShortcutBody.parse(sent);
  const open = opener('open', triggerId, out.client);
  const channelId = channel?.id ?? null;
  const threadTs = threadOf(message);
  const place =
    responseUrl === undefined
      ? newModalPlace(open, out.client)
      : responsePlace(responseUrl, 'aside', channelId, threadTs);
  return {
    ...{ userId: user.id, channelId, threadTs, messageText: textsIn(message) },
    answerUrl: answerUrlAt(responseUrl, threadTs),
    ...answerable(place, open, user.id, out),
  };
}

export function actionInteraction(sent: unknown, out: Outgoing): ActionInteraction {
  const body = ActionBody.parse(sent);
  const { channel, message, container, view, user, trigger_id: triggerId } = body;
  const [action] = body.actions;
  const channelId = channel?.id ?? null;
  const within = threadOf(message) ?? threadOf(container);
  const isInModal = view?.type === 'modal';
  const open = opener(isInModal ? 'push' : 'open', triggerId, out.client);
  return {
    ...{ userId: user.id, channelId },
    // Slack leaves out an ephemeral message outside of threads, which has no thread below it; the root of a direct
    // message is as good a place as a thread.
    threadTs: within ?? (isDirect(channelId) ? null : (message?.ts ?? null)),
    answerUrl: view === undefined ? answerUrlAt(body.response_url, within) : null,
    value: action.value ?? action.selected_option?.value ?? '',
    blockId: action.block_id,
    modal: isInModal ? { ...view, ...modalAt(view.id, out.client) } : null,
    ...answerable(placeOfClick(body, within, open, out), open, user.id, out),
  };
}

/** Beside its message, in its modal, or in a new modal for one on the Home tab or in a form, which stays. */
function placeOfClick(
  { view, response_url: responseUrl, channel, user }: z.output<typeof ActionBody>,
  threadTs: string | null,
  open: Open,
  { client }: Outgoing,
): Place {
  if (view?.type === 'modal' && view.callbackId === '') return modalPlace(view.id, client);
  if (view !== undefined) return newModalPlace(open, client);
  if (responseUrl === undefined) return channelPlace(user.id, null, client);
  return responsePlace(responseUrl, 'button', channel?.id ?? null, threadTs);
}

/**
 * The modal closes unless it shows something next; then the answer is shown in it. `settled` resolves when Slack shows
 * that: everything waits for it.
 */
export function submissionInteraction(
  { user, trigger_id: triggerId, view }: z.output<typeof SubmissionBody>,
  next: { readonly staysOpen: boolean; readonly settled: Promise<void>; readonly answerUrl: string | null },
  out: Outgoing,
): SubmissionInteraction {
  const { client } = out;
  const userId = user.id;
  const [responseUrl, threadTs = null] = next.answerUrl?.split('#', 2) ?? [];
  const requestedAt =
    responseUrl === undefined
      ? { ...channelPlace(userId, null, client), isSilent: () => true }
      : responsePlace(responseUrl, 'aside', null, threadTs);
  const outside = replyIn(requestedAt, userId, out);
  const { update } = modalAt(view.id, client);
  const modal: Modal = { update: (shown) => next.settled.then(() => update(shown)) };
  const inModal: Place = {
    isSilent: () => true,
    post: async (content) => {
      if ((await modal.update(resultView(content))) === 'closed') throw new Error('the form was closed');
      return null;
    },
    elsewhere: outside.show,
  };
  const open = opener('open', triggerId, client);
  return {
    ...{ userId, channelId: null, threadTs: null, answerUrl: null, view, modal, outside },
    reply: next.staysOpen ? replyIn(inModal, userId, out) : outside,
    openModal: async (shown) => modalAt(await open(shown), client),
  };
}

/** A mention is answered in its thread, a direct message beside it. Null for what no person wrote, such as an edit. */
export function messageInteraction(
  sent: unknown,
  how: 'app_mention' | 'message.im',
  botUserId: string | undefined,
  out: Outgoing,
): MessageInteraction | null {
  const written = WrittenMessage.safeParse(sent).data;
  if (written === undefined) return null;
  const { user: userId, channel: channelId, thread_ts: within = null } = written;
  const threadTs = within ?? (how === 'app_mention' ? written.ts : null);
  const toEverybody = replyIn(channelPlace(channelId, threadTs, out.client), userId, out);
  // In a thread only if they wrote in it, since Slack doesn't show ephemeral messages in a thread without replies.
  const aside = ephemeralPlace(channelId, within, userId, out.client);
  return {
    ...{ userId, channelId, threadTs, toEverybody },
    text: written.text.replace(new RegExp(`<@${botUserId}(?:\\|[^<>]*)?>(?:\\s*[:,]+(?=\\s|$))?`, 'g'), ' ').trim(),
    reply: isDirect(channelId) ? toEverybody : replyIn(aside, userId, out),
  };
}

export function homeInteraction(sent: unknown, out: Outgoing): HomeInteraction {
  const { user: userId, tab } = HomeOpened.parse(sent);
  return { userId, channelId: null, threadTs: null, tab, reply: replyIn(homePlace(userId, out.client), userId, out) };
}

/** Null for a message at the root, even if it has a thread below it. */
function threadOf(
  sent: { readonly ts?: unknown; readonly message_ts?: unknown; readonly thread_ts?: unknown } | undefined,
): string | null {
  const { ts, message_ts: messageTs = ts, thread_ts: threadTs } = sent ?? {};
  return typeof threadTs === 'string' && threadTs !== messageTs ? threadTs : null;
}

/** For a form: with the thread in the fragment, which is never sent. Null if there is no such place. */
function answerUrlAt(responseUrl: string | undefined, threadTs: string | null): string | null {
  return responseUrl === undefined || threadTs === null ? (responseUrl ?? null) : `${responseUrl}#${threadTs}`;
}

/** The returned function rejects with Slack's errors. */
function opener(how: 'open' | 'push', triggerId: string, { views }: WebClient): Open {
  return async (view) => {
    const opened = await views[how]({ trigger_id: triggerId, view: sendable(view) });
    if (opened.view?.id === undefined) throw new Error('the answer to views.open names no view');
    return opened.view.id;
  };
}

function modalAt(viewId: string, client: WebClient): Modal {
  return { update: (view) => updateView(viewId, sendable(view), client) };
}

/** An opened modal says itself that the answer takes longer. */
function answerable(place: Place, open: Open, userId: string, out: Outgoing) {
  let isOpened = false;
  return {
    reply: replyIn({ ...place, isSilent: () => isOpened }, userId, out),
    openModal: async (view: ModalView): Promise<Modal> => {
      isOpened = true;
      const viewId = await open(view).catch((error: unknown) => {
        isOpened = false;
        throw error;
      });
      return modalAt(viewId, out.client);
    },
  };
}
