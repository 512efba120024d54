import type { ModalView } from '@slack/types';
import type { z } from 'zod';
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
import { ActionBody, CommandBody, HomeOpened, ShortcutBody, SubmissionBody, WrittenMessage } from './payload.ts';
import {
  directReply,
  ephemeralReply,
  homeReply,
  type Origin,
  responseUrlReply,
  threadReply,
} from './replies/conversation.ts';
import { modalAt, modalReply, openingReply, openView } from './replies/modal.ts';
import { fitting, isDirect, mapReply, type Outgoing, orElse, type Reply } from './replies/reply.ts';

/** Like the parsers below, throws `ZodError` for a body that differs from Slack's documentation. */
export function commandInteraction(sent: unknown, out: Outgoing): CommandInteraction {
  const { user_id: userId, channel_id: channelId, text, response_url: responseUrl, ...body } = CommandBody.parse(sent);
  const origin: Origin = { kind: 'command', responseUrl, userId, channelId, threadTs: null };
  const reply = orDirect(responseUrlReply(origin, out.client), userId, out);
  const openable = withModal(reply, 'open', body.trigger_id, out);
  return { userId, channelId, threadTs: null, text, answerUrl: responseUrl, ...openable };
}

export function shortcutInteraction(sent: unknown, out: Outgoing): ShortcutInteraction {
  const body = ShortcutBody.parse(sent);
  const { response_url: responseUrl, trigger_id: triggerId, message } = body;
  const userId = body.user.id;
  const channelId = body.channel?.id ?? null;
  const threadTs = threadOf(message);
  const reply =
    responseUrl === undefined
      ? fitting(openingReply('open', { triggerId, userId }, out))
      : orDirect(
          responseUrlReply({ kind: 'aside', responseUrl, userId, channelId, threadTs }, out.client),
          userId,
          out,
        );
  return {
    ...{ userId, channelId, threadTs, messageText: textsIn(message) },
    answerUrl: answerUrlAt(responseUrl, threadTs),
    ...withModal(reply, 'open', triggerId, out),
  };
}

export function actionInteraction(sent: unknown, out: Outgoing): ActionInteraction {
  const body = ActionBody.parse(sent);
  const [action] = body.actions;
  const { channel, message, container, view } = body;
  const channelId = channel?.id ?? null;
  const within = threadOf(message) ?? threadOf(container);
  const modal = view?.type === 'modal' ? view : null;
  return {
    userId: body.user.id,
    channelId,
    // Slack leaves out an ephemeral message outside of threads, which has no thread below it; the root of a direct
    // message is as good a place as a thread.
    threadTs: within ?? (isDirect(channelId) ? null : (message?.ts ?? null)),
    answerUrl: view === undefined ? answerUrlAt(body.response_url, within) : null,
    value: action.value ?? action.selected_option?.value ?? '',
    blockId: action.block_id,
    modal: modal && {
      ...modal,
      ...modalAt(modal.id, out.client, { hash: modal.hash, isLatest: out.turnIn(modal.id) }),
    },
    ...withModal(replyToClick(body, within, out), modal === null ? 'open' : 'push', body.trigger_id, out),
  };
}

/**
 * In its modal, by an ephemeral message in its channel and thread, or in a new modal for one on the Home tab or in a
 * form, which stays.
 */
function replyToClick(body: z.output<typeof ActionBody>, threadTs: string | null, out: Outgoing): Reply {
  const { response_url: responseUrl, trigger_id: triggerId, user, view, channel } = body;
  const userId = user.id;
  if (view !== undefined) {
    const { id: viewId, hash, result, type } = view;
    if (result === null) return fitting(openingReply(type === 'home' ? 'open' : 'push', { triggerId, userId }, out));
    return orDirect(modalReply({ viewId, hash, result }, out.client, null), userId, out);
  }
  if (responseUrl === undefined) return fitting(directReply(userId, out.client));
  const origin: Origin = { kind: 'button', responseUrl, userId, channelId: channel?.id ?? null, threadTs };
  return orDirect(responseUrlReply(origin, out.client), userId, out);
}

/**
 * The modal closes unless it shows something next; then the answer is shown in it. `settled` resolves when Slack shows
 * that.
 */
export function submissionInteraction(
  sent: unknown,
  {
    staysOpen,
    settled,
    answerUrl,
  }: { readonly staysOpen: boolean; readonly settled: Promise<void>; readonly answerUrl: string | null },
  out: Outgoing,
): SubmissionInteraction {
  const { user, trigger_id: triggerId, view } = SubmissionBody.parse(sent);
  const { client, logger } = out;
  const userId = user.id;
  const openModal = (next: ModalView) => open('open', triggerId, next, out);
  const inNewModal: Pick<Reply, 'show'> = { show: async (content) => void (await openModal(resultView(content))) };
  const direct = orElse(fitting(directReply(userId, client)), inNewModal, logger);
  const [responseUrl = '', threadTs = null] = (answerUrl ?? '').split('#', 2);
  const origin: Origin = { kind: 'aside', responseUrl, userId, channelId: null, threadTs };
  const outside = answerUrl === null ? direct : orElse(fitting(responseUrlReply(origin, client)), direct, logger);
  const inModal = fitting(orElse(modalReply({ viewId: view.id, result: null }, client, outside), outside, logger));
  const { update } = modalAt(view.id, client);
  // Both wait until the submission's acknowledgment has arrived.
  const modal: Modal = { update: (next) => settled.then(() => update(next)) };
  const reply = mapReply(inModal, (show) => (content) => settled.then(() => show(content)));
  return {
    ...{ userId, channelId: null, threadTs: null, answerUrl: null },
    ...{ view, modal, outside, openModal, reply: staysOpen ? reply : outside },
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
  const reply = orDirect(threadReply({ channelId, threadTs }, out.client), userId, out);
  // In a thread only if they wrote in it, since Slack doesn't show ephemeral messages in a thread without replies.
  const at = { channelId, threadTs: within, userId };
  const aside = isDirect(channelId) ? threadReply(at, out.client) : ephemeralReply(at, out.client);
  return {
    ...{ userId, channelId, threadTs, reply },
    text: written.text.replace(new RegExp(`<@${botUserId}(?:\\|[^<>]*)?>(?:\\s*[:,]+(?=\\s|$))?`, 'g'), ' ').trim(),
    aside: how === 'app_mention' ? orDirect(aside, userId, out) : reply,
  };
}

export function homeInteraction(sent: unknown, out: Outgoing): HomeInteraction {
  const { user: userId, tab } = HomeOpened.parse(sent);
  return { userId, channelId: null, threadTs: null, tab, reply: fitting(homeReply(userId, out.client)) };
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

/** If Slack refuses an answer there, the person gets it as a direct message. */
function orDirect(reply: Reply, userId: string, { client, logger }: Outgoing): Reply {
  return fitting(orElse(reply, directReply(userId, client), logger));
}

async function open(how: 'open' | 'push', triggerId: string, view: ModalView, { client }: Outgoing): Promise<Modal> {
  return modalAt(await openView(how, triggerId, sendable(view), client), client);
}

/** An opened modal says itself that the answer takes longer. */
function withModal(
  reply: Reply,
  how: 'open' | 'push',
  triggerId: string,
  out: Outgoing,
): Pick<Interaction, 'reply' | 'openModal'> {
  let isOpened = false;
  const stillWorking = async () => {
    if (!isOpened) await reply.stillWorking();
  };
  const openModal = async (view: ModalView) => {
    isOpened = true;
    try {
      return await open(how, triggerId, view, out);
    } catch (error) {
      isOpened = false;
      throw error;
    }
  };
  return { reply: { ...reply, stillWorking }, openModal };
}
