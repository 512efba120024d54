import type { ModalView } from '@slack/types';
import { sendable } from '../blocks/sendable.ts';
import { resultView } from '../blocks/view.ts';
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
import { ActionBody, CommandBody, HomeOpened, ShortcutBody, SubmissionBody, WrittenMessage } from './payload.ts';
import { modalAt, openView } from './replies/modal-at.ts';
import { orElse } from './replies/or-else.ts';
import { fitting, type Outgoing } from './replies/outgoing.ts';
import {
  answerUrlOf,
  asideOf,
  placeFrom,
  placeOfAction,
  placeOfCommand,
  placeOfMessage,
  placeOfShortcut,
  replyAt,
  threadOfClick,
} from './replies/place.ts';
import { modalReply, type Reply } from './replies/reply.ts';

/** Like the parsers below, throws `ZodError` for a body that differs from Slack's documentation. */
export function commandInteraction(sent: unknown, out: Outgoing): CommandInteraction {
  const body = CommandBody.parse(sent);
  const place = placeOfCommand(body);
  return {
    userId: body.user_id,
    channelId: body.channel_id,
    threadTs: null,
    text: body.text,
    answerUrl: answerUrlOf(place),
    ...waitingUntilOpened(replyAt(place, out), (view) => openModal('open', body.trigger_id, view, out)),
  };
}

export function shortcutInteraction(sent: unknown, out: Outgoing): ShortcutInteraction {
  const body = ShortcutBody.parse(sent);
  const place = placeOfShortcut(body);
  return {
    userId: body.user.id,
    channelId: body.channel?.id ?? null,
    threadTs: place.is === 'response' ? place.threadTs : null,
    messageText: textsIn(body.message),
    answerUrl: answerUrlOf(place),
    ...waitingUntilOpened(replyAt(place, out), (view) => openModal('open', body.trigger_id, view, out)),
  };
}

export function actionInteraction(sent: unknown, out: Outgoing): ActionInteraction {
  const body = ActionBody.parse(sent);
  const place = placeOfAction(body);
  const [action] = body.actions;
  const modal = body.view?.type === 'modal' ? body.view : null;
  const open = (view: ModalView) => openModal(modal === null ? 'open' : 'push', body.trigger_id, view, out);
  return {
    userId: body.user.id,
    channelId: body.channel?.id ?? null,
    threadTs: threadOfClick(body),
    answerUrl: answerUrlOf(place),
    value: action.value ?? action.selected_option?.value ?? '',
    blockId: action.block_id,
    modal: modal && { ...modal, ...modalAt(modal.id, out, { hash: modal.hash, isLatest: out.turnIn(modal.id) }) },
    ...waitingUntilOpened(replyAt(place, out), open),
  };
}

export interface AfterSubmission {
  readonly staysOpen: boolean;
  /** Resolves when Slack shows what the form does next. */
  readonly settled: Promise<void>;
  readonly answerUrl: string | null;
}

/** The modal closes unless it shows something next; then the answer is shown in it. */
export function submissionInteraction(
  sent: unknown,
  { staysOpen, settled, answerUrl }: AfterSubmission,
  out: Outgoing,
): SubmissionInteraction {
  const { user, trigger_id: triggerId, view } = SubmissionBody.parse(sent);
  const open = (next: ModalView) => openModal('open', triggerId, next, out);
  const inNewModal: Pick<Reply, 'show'> = { show: async (content) => void (await open(resultView(content))) };
  const direct = orElse(replyAt({ is: 'direct message', userId: user.id }, out), inNewModal, out.logger);
  const asked = answerUrl === null ? null : replyAt(placeFrom(answerUrl, user.id), out);
  const outside = asked === null ? direct : orElse(asked, direct, out.logger);
  const inModal = fitting(
    orElse(modalReply({ viewId: view.id, result: null }, out.client, outside), outside, out.logger),
  );
  return {
    userId: user.id,
    channelId: null,
    threadTs: null,
    answerUrl: null,
    view,
    modal: after(settled, modalAt(view.id, out)),
    outside,
    reply: staysOpen ? replyAfter(settled, inModal) : outside,
    openModal: open,
  };
}

export interface MessageContext {
  readonly botUserId: string | undefined;
  readonly out: Outgoing;
}

/** A mention is answered in its thread, a direct message beside it. Null for what no person wrote, such as an edit. */
export function messageInteraction(
  sent: unknown,
  how: 'app_mention' | 'message.im',
  { botUserId, out }: MessageContext,
): MessageInteraction | null {
  const written = WrittenMessage.safeParse(sent).data;
  if (written === undefined) return null;
  const { user: userId, channel: channelId } = written;
  const place = placeOfMessage(written, how);
  const reply = replyAt(place, out);
  return {
    userId,
    channelId,
    threadTs: place.threadTs,
    text: written.text.replace(new RegExp(`<@${botUserId}(?:\\|[^<>]*)?>(?:\\s*[:,]+(?=\\s|$))?`, 'g'), ' ').trim(),
    reply,
    aside: how === 'app_mention' ? replyAt(asideOf(written), out) : reply,
  };
}

export function homeInteraction(sent: unknown, out: Outgoing): HomeInteraction {
  const { user: userId, tab } = HomeOpened.parse(sent);
  return { userId, channelId: null, threadTs: null, tab, reply: replyAt({ is: 'home', userId }, out) };
}

async function openModal(how: 'open' | 'push', triggerId: string, view: ModalView, out: Outgoing): Promise<Modal> {
  const viewId = await openView(how, { triggerId, view: sendable(view) }, out.client);
  if (viewId === undefined) throw new NoViewError();
  return modalAt(viewId, out);
}

/** Updates wait until the submission's acknowledgment has arrived. */
function after(settled: Promise<void>, modal: Modal): Modal {
  return {
    update: async (view) => {
      await settled;
      return modal.update(view);
    },
  };
}

function replyAfter(settled: Promise<void>, reply: Reply): Reply {
  const later = (show: Reply['show']) => async (content: Parameters<Reply['show']>[0]) => {
    await settled;
    await show(content);
  };
  return { ...reply, show: later(reply.show), replace: later(reply.replace) };
}

/** Slack reported that it opened a modal, but not which. */
class NoViewError extends Error {
  override readonly name = 'NoViewError';

  constructor() {
    super('the answer to views.open names no view');
  }
}

/** An opened modal says itself that the answer takes longer. */
function waitingUntilOpened(
  reply: Reply,
  open: (view: ModalView) => Promise<Modal>,
): { readonly reply: Reply; readonly openModal: (view: ModalView) => Promise<Modal> } {
  let isOpened = false;
  const stillWorking = async () => {
    if (!isOpened) await reply.stillWorking();
  };
  const openModal = async (view: ModalView) => {
    isOpened = true;
    try {
      return await open(view);
    } catch (error) {
      isOpened = false;
      throw error;
    }
  };
  const { show, replace, endWait, share } = reply;
  return { reply: { show, replace, stillWorking, endWait, share }, openModal };
}
