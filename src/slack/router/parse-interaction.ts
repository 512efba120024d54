import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { z } from 'zod';
import type { Logger } from '../../lib/logger.ts';
import { sendable } from '../kit/sendable.ts';
import { resultView } from '../kit/view.ts';
import type {
  ActionInteraction,
  CommandInteraction,
  HomeInteraction,
  Interaction,
  MessageInteraction,
  Modal,
  ShortcutInteraction,
  SubmissionInteraction,
} from './interaction.ts';
import { textsIn } from './message-text.ts';
import { ActionBody, CommandBody, HomeOpened, ShortcutBody, type SubmissionBody, WrittenMessage } from './payload.ts';
import {
  channelPlace,
  direct,
  ephemeralPlace,
  homePlace,
  isDirect,
  modalPlace,
  newModalPlace,
  type Place,
  replyIn,
  responsePlace,
  updateView,
} from './reply.ts';

export interface Outgoing {
  readonly client: WebClient;
  /** The returned function says whether the interaction is still the latest in its modal. */
  readonly turnIn: (viewId: string) => () => boolean;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Like the parsers below, throws `ZodError` for a body that differs from Slack's documentation. */
export function commandInteraction(sent: unknown, out: Outgoing): CommandInteraction {
  const { user_id: userId, channel_id: channelId, text, response_url: answerUrl, ...body } = CommandBody.parse(sent);
  const place = responsePlace(answerUrl, 'command', channelId, null);
  return {
    userId,
    channelId,
    threadTs: null,
    text,
    answerUrl,
    ...answerable(place, 'open', body.trigger_id, userId, out),
  };
}

export function shortcutInteraction(sent: unknown, out: Outgoing): ShortcutInteraction {
  const { user, channel, response_url: responseUrl, trigger_id: triggerId, message } = ShortcutBody.parse(sent);
  const channelId = channel?.id ?? null;
  const threadTs = threadOf(message);
  const place =
    responseUrl === undefined
      ? newModalPlace((view) => open('open', triggerId, view, out.client), out.client)
      : responsePlace(responseUrl, 'aside', channelId, threadTs);
  return {
    ...{ userId: user.id, channelId, threadTs, messageText: textsIn(message) },
    answerUrl: answerUrlAt(responseUrl, threadTs),
    ...answerable(place, 'open', triggerId, user.id, out),
  };
}

export function actionInteraction(sent: unknown, out: Outgoing): ActionInteraction {
  const body = ActionBody.parse(sent);
  const { channel, message, container, view, user, trigger_id: triggerId } = body;
  const [action] = body.actions;
  const channelId = channel?.id ?? null;
  const within = threadOf(message) ?? threadOf(container);
  const isInModal = view?.type === 'modal';
  const how = isInModal ? 'push' : 'open';
  return {
    ...{ userId: user.id, channelId },
    // Slack leaves out an ephemeral message outside of threads, which has no thread below it; the root of a direct
    // message is as good a place as a thread.
    threadTs: within ?? (isDirect(channelId) ? null : (message?.ts ?? null)),
    answerUrl: view === undefined ? answerUrlAt(body.response_url, within) : null,
    value: action.value ?? action.selected_option?.value ?? '',
    blockId: action.block_id,
    modal: isInModal ? { ...view, ...modalAt(view.id, out, out.turnIn(view.id)) } : null,
    ...answerable(placeOfClick(body, within, how, out), how, triggerId, user.id, out),
  };
}

/** Beside its message, in its modal, or in a new modal for one on the Home tab or in a form, which stays. */
function placeOfClick(
  { view, response_url: responseUrl, channel, user, trigger_id: triggerId }: z.output<typeof ActionBody>,
  threadTs: string | null,
  how: 'open' | 'push',
  { client }: Outgoing,
): Place {
  if (view?.type === 'modal' && view.callbackId === '') return modalPlace(view.id, client);
  if (view !== undefined) return newModalPlace((next) => open(how, triggerId, next, client), client);
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
  const { client, logger } = out;
  const userId = user.id;
  // A form that is drawn again for an earlier choice doesn't replace what comes next.
  out.turnIn(view.id);
  const toPerson = direct(userId, client);
  const [responseUrl = '', threadTs = null] = (next.answerUrl ?? '').split('#', 2);
  const requestedAt =
    next.answerUrl === null ? channelPlace(userId, null, client) : responsePlace(responseUrl, 'aside', 'D', threadTs);
  const outside = replyIn({ ...requestedAt, isSilent: next.answerUrl === null }, toPerson, logger);
  const { update } = modalAt(view.id, out);
  const modal: Modal = { update: (shown) => next.settled.then(() => update(shown)) };
  const inModal: Place = {
    isSilent: true,
    post: async (content) => {
      if ((await modal.update(resultView(content))) === 'closed') throw new Error('the form was closed');
      return null;
    },
  };
  return {
    ...{ userId, channelId: null, threadTs: null, answerUrl: null, view, modal, outside },
    reply: next.staysOpen ? replyIn(inModal, outside.show, logger) : outside,
    openModal: async (shown) => modalAt(await open('open', triggerId, shown, client), out),
  };
}

/** A mention is answered in its thread, a direct message beside it. Null for what no person wrote, such as an edit. */
export function messageInteraction(
  sent: unknown,
  how: 'app_mention' | 'message.im',
  botUserId: string | undefined,
  { client, logger }: Outgoing,
): MessageInteraction | null {
  const written = WrittenMessage.safeParse(sent).data;
  if (written === undefined) return null;
  const { user: userId, channel: channelId, thread_ts: within = null } = written;
  const threadTs = within ?? (how === 'app_mention' ? written.ts : null);
  const toEverybody = replyIn(channelPlace(channelId, threadTs, client), direct(userId, client), logger);
  // In a thread only if they wrote in it, since Slack doesn't show ephemeral messages in a thread without replies.
  const aside = ephemeralPlace(channelId, within, userId, client);
  return {
    ...{ userId, channelId, threadTs, toEverybody },
    text: written.text.replace(new RegExp(`<@${botUserId}(?:\\|[^<>]*)?>(?:\\s*[:,]+(?=\\s|$))?`, 'g'), ' ').trim(),
    reply: isDirect(channelId) ? toEverybody : replyIn(aside, direct(userId, client), logger),
  };
}

export function homeInteraction(sent: unknown, { client, logger }: Outgoing): HomeInteraction {
  const { user: userId, tab } = HomeOpened.parse(sent);
  const reply = replyIn(homePlace(userId, client), direct(userId, client), logger);
  return { userId, channelId: null, threadTs: null, tab, reply };
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

/** Rejects with Slack's errors. */
async function open(how: 'open' | 'push', triggerId: string, view: ModalView, { views }: WebClient): Promise<string> {
  const opened = await views[how]({ trigger_id: triggerId, view: sendable(view) });
  if (opened.view?.id === undefined) throw new Error('the answer to views.open names no view');
  return opened.view.id;
}

/** Only the latest interaction in a modal draws it again. */
function modalAt(viewId: string, { client }: Pick<Outgoing, 'client'>, isLatest = () => true): Modal {
  return { update: async (view) => (isLatest() ? updateView(viewId, sendable(view), client) : 'shown') };
}

/** An opened modal says itself that the answer takes longer. */
function answerable(
  place: Place,
  how: 'open' | 'push',
  triggerId: string,
  userId: string,
  out: Outgoing,
): Pick<Interaction, 'reply' | 'openModal'> {
  const reply = replyIn(place, direct(userId, out.client), out.logger);
  let isOpened = false;
  const openModal = async (view: ModalView) => {
    isOpened = true;
    try {
      return modalAt(await open(how, triggerId, view, out.client), out);
    } catch (error) {
      isOpened = false;
      throw error;
    }
  };
  return { reply: { ...reply, stillWorking: async () => (isOpened ? undefined : reply.stillWorking()) }, openModal };
}
