import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type {
  ActionGesture,
  CommandGesture,
  HomeGesture,
  MessageGesture,
  Modal,
  ShortcutGesture,
  SubmissionGesture,
} from './gesture.ts';
import { textsIn } from './message-text.ts';
import { modalAt } from './modal-at.ts';
import { ActionBody, CommandBody, HomeOpened, ShortcutBody, SubmissionBody, WrittenMessage } from './payload.ts';
import { answerUrlOf, asideOf, placeFrom, placeOf, replyAt } from './place.ts';

/** Each reads one kind of body that Slack sends, into what somebody did. Throws `ZodError` for one that is not as Slack documents it. */
export function commandGesture(sent: unknown, client: WebClient): CommandGesture {
  const body = CommandBody.parse(sent);
  const place = placeOf({ by: 'command', body });
  return {
    userId: body.user_id,
    channelId: body.channel_id,
    text: body.text,
    answerUrl: answerUrlOf(place),
    reply: replyAt(place, client),
    openModal: (view) => openModal('open', body.trigger_id, view, client),
  };
}

export function shortcutGesture(sent: unknown, client: WebClient): ShortcutGesture {
  const body = ShortcutBody.parse(sent);
  const place = placeOf({ by: 'shortcut', body });
  return {
    userId: body.user.id,
    channelId: body.channel?.id ?? null,
    messageText: textsIn(body.message),
    answerUrl: answerUrlOf(place),
    reply: replyAt(place, client),
    openModal: (view) => openModal('open', body.trigger_id, view, client),
  };
}

export function actionGesture(sent: unknown, client: WebClient): ActionGesture {
  const body = ActionBody.parse(sent);
  const place = placeOf({ by: 'action', body });
  const [action] = body.actions;
  const modal = body.view?.type === 'modal' ? body.view : null;
  return {
    userId: body.user.id,
    channelId: body.channel?.id ?? null,
    answerUrl: answerUrlOf(place),
    value: action.value ?? action.selected_option?.value ?? '',
    blockId: action.block_id,
    modal: modal && { ...modal, ...modalAt(modal.id, client) },
    reply: replyAt(place, client),
    openModal: (view) => openModal(modal === null ? 'open' : 'push', body.trigger_id, view, client),
  };
}

/** A submitted modal closes unless it shows something next; then it is where the answer is shown. */
export function submissionGesture(sent: unknown, staysOpen: boolean, client: WebClient): SubmissionGesture {
  const body = SubmissionBody.parse(sent);
  const { user, trigger_id: triggerId, view } = body;
  return {
    userId: user.id,
    channelId: null,
    answerUrl: null,
    view,
    modal: modalAt(view.id, client),
    replyAt: (answerUrl) => replyAt(placeFrom(answerUrl, user.id), client),
    direct: replyAt({ is: 'direct message', userId: user.id }, client),
    reply: replyAt(placeOf({ by: 'submission', body, staysOpen }), client),
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
  const { user: userId, channel: channelId } = written;
  const place = placeOf({ by: how === 'app_mention' ? 'mention' : 'direct message', body: written });
  return {
    userId,
    channelId,
    text: written.text.replace(new RegExp(`<@${botUserId}(?:\\|[^<>]*)?>`, 'g'), ' ').trim(),
    texts: [textsIn({ text: written.text, blocks: written.blocks }), textsIn(written)],
    reply: replyAt(place, client),
    aside: replyAt(asideOf(written), client),
  };
}

export function homeGesture(sent: unknown, client: WebClient): HomeGesture {
  const { user: userId, tab } = HomeOpened.parse(sent);
  return { userId, channelId: null, tab, reply: replyAt(placeOf({ by: 'home', userId }), client) };
}

async function openModal(how: 'open' | 'push', triggerId: string, view: ModalView, client: WebClient): Promise<Modal> {
  const opened = await client.views[how]({ trigger_id: triggerId, view });
  const viewId = opened.view?.id;
  if (viewId === undefined) throw new NoViewError();
  return modalAt(viewId, client);
}

/** Slack said that it opened a modal, and not which. */
export class NoViewError extends Error {
  override readonly name = 'NoViewError';

  constructor() {
    super('the answer to views.open names no view');
  }
}
