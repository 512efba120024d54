import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { z } from 'zod';
import type {
  ActionGesture,
  CommandGesture,
  HomeGesture,
  MessageGesture,
  Modal,
  ShortcutGesture,
  SubmissionGesture,
} from './gesture.ts';
import { openingReply } from './opening-reply.ts';
import {
  ActionBody,
  CommandBody,
  HomeOpened,
  ShortcutBody,
  SubmissionBody,
  textsIn,
  WrittenMessage,
} from './payload.ts';
import { homeReply, modalReply, type Origin, type Reply, responseUrlReply } from './reply.ts';
import { directReply, threadReply } from './thread-reply.ts';

/** Each reads one kind of body that Slack sends, into what somebody did. Throws `ZodError` for one that is not as Slack documents it. */
export function commandGesture(sent: unknown, client: WebClient): CommandGesture {
  const body = CommandBody.parse(sent);
  const origin = { userId: body.user_id, channelId: body.channel_id };
  return {
    ...origin,
    text: body.text,
    answerUrl: body.response_url,
    reply: responseUrlReply({ ...origin, responseUrl: body.response_url, kind: 'command' }, client),
    openModal: (view) => openModal('open', body.trigger_id, view, client),
  };
}

export function shortcutGesture(sent: unknown, client: WebClient): ShortcutGesture {
  const body = ShortcutBody.parse(sent);
  const origin = { userId: body.user.id, channelId: body.channel?.id ?? null };
  return {
    ...origin,
    messageText: textsIn(body.message),
    answerUrl: body.response_url ?? null,
    reply:
      body.response_url === undefined
        ? openingReply(body.trigger_id, body.user.id, client)
        : responseUrlReply({ ...origin, responseUrl: body.response_url, kind: 'aside' }, client),
    openModal: (view) => openModal('open', body.trigger_id, view, client),
  };
}

export function actionGesture(sent: unknown, client: WebClient): ActionGesture {
  const body = ActionBody.parse(sent);
  const origin = { userId: body.user.id, channelId: body.channel?.id ?? null };
  const [action] = body.actions;
  const modal = body.view?.type === 'modal' ? body.view : null;
  return {
    ...origin,
    answerUrl: body.response_url ?? null,
    value: action.value ?? action.selected_option?.value ?? '',
    blockId: action.block_id,
    modal: modal && { ...modal, ...modalWith(modal.id, client) },
    reply: actionReply(body, origin, client),
    openModal: (view) => openModal(modal === null ? 'open' : 'push', body.trigger_id, view, client),
  };
}

function actionReply(
  { response_url: responseUrl, view, trigger_id: triggerId }: z.output<typeof ActionBody>,
  origin: Pick<Origin, 'userId' | 'channelId'>,
  client: WebClient,
): Reply {
  if (view?.type === 'home') return openingReply(triggerId, origin.userId, client);
  if (view !== undefined) return modalReply(view.id, client);
  if (responseUrl === undefined) return directReply(origin.userId, client);
  return responseUrlReply({ ...origin, responseUrl, kind: 'button' }, client);
}

/** A submitted modal closes unless it shows something next; then it is where the answer is shown. */
export function submissionGesture(sent: unknown, staysOpen: boolean, client: WebClient): SubmissionGesture {
  const { user, trigger_id: triggerId, view } = SubmissionBody.parse(sent);
  return {
    userId: user.id,
    channelId: null,
    answerUrl: null,
    view,
    modal: modalWith(view.id, client),
    replyAt: (responseUrl) =>
      responseUrlReply({ userId: user.id, channelId: null, responseUrl, kind: 'aside' }, client),
    direct: directReply(user.id, client),
    reply: staysOpen ? modalReply(view.id, client) : directReply(user.id, client),
    openModal: (next) => openModal('open', triggerId, next, client),
  };
}

/** Whom a message was written to, and by what it is answered. */
export interface Hearer {
  readonly botUserId: string | undefined;
  readonly client: WebClient;
}

/** A mention is answered in its thread, a direct message beside it. Null for what nobody wrote, such as an edit. */
export function messageGesture(
  sent: unknown,
  how: 'app_mention' | 'message.im',
  { botUserId, client }: Hearer,
): MessageGesture | null {
  const written = WrittenMessage.safeParse(sent).data;
  if (written === undefined) return null;
  const { user: userId, channel: channelId, ts, thread_ts: threadTs = how === 'app_mention' ? ts : null } = written;
  return {
    userId,
    channelId,
    text: written.text.replace(new RegExp(`<@${botUserId}(?:\\|[^<>]*)?>`, 'g'), ' ').trim(),
    reply: threadReply({ channelId, threadTs }, client),
  };
}

export function homeGesture(sent: unknown, client: WebClient): HomeGesture {
  const { user: userId, tab } = HomeOpened.parse(sent);
  return { userId, channelId: null, tab, reply: homeReply(userId, client) };
}

async function openModal(how: 'open' | 'push', triggerId: string, view: ModalView, client: WebClient): Promise<Modal> {
  const opened = await client.views[how]({ trigger_id: triggerId, view });
  const viewId = opened.view?.id;
  if (viewId === undefined) throw new NoViewError();
  return modalWith(viewId, client);
}

function modalWith(viewId: string, client: WebClient): Modal {
  return {
    update: async (view) => {
      await client.views.update({ view_id: viewId, view });
    },
  };
}

/** Slack said that it opened a modal, and not which. */
export class NoViewError extends Error {
  override readonly name = 'NoViewError';

  constructor() {
    super('the answer to views.open names no view');
  }
}
