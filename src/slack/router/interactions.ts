import type {
  BlockAction,
  ButtonAction,
  SlackShortcut,
  SlashCommand,
  StaticSelectAction,
  ViewOutput,
  ViewStateValue,
  ViewSubmitAction,
} from '@slack/bolt';
import { z } from 'zod';
import { sleep } from '../../lib/time/waiting.ts';
import { isDirectMessage } from '../../lib/workspace.ts';
import type {
  ActionInteraction,
  CommandInteraction,
  FilledView,
  Interaction,
  MessageInteraction,
  Requester,
  SubmissionInteraction,
  Submitted,
} from '../kit/interaction.ts';
import * as places from '../kit/places.ts';
import { type Outgoing, replyIn } from '../kit/reply.ts';
import { textsIn } from './message-text.ts';

/** What a person wrote: edits, deletions and apps' messages don't match. */
const WrittenMessage = z.object({
  user: z.string(),
  text: z.string(),
  ts: z.string(),
  thread_ts: z.string().optional(),
  channel: z.string(),
  subtype: z.enum(['thread_broadcast', 'file_share']).optional(),
  bot_id: z.never().optional(),
});

/** A text input, as the form was drawn. */
const DrawnText = z.object({ block_id: z.string(), element: z.object({ initial_value: z.string() }) });

/** Slack draws an acknowledgment over updates that come before it was drawn, so updates wait. */
const ACKNOWLEDGED_MS = 300;

export type Click = BlockAction<ButtonAction | StaticSelectAction>;
type Open = Interaction['openModal'];

export function commandInteraction(body: SlashCommand, out: Outgoing): CommandInteraction {
  const { user_id: userId, channel_id: channelId, text, response_url: url } = body;
  const at = { userId, channelId, answerAt: { url, threadTs: null } };
  return { text, ...interactionAt(at, opener('open', body.trigger_id, out), out) };
}

export function shortcutInteraction(body: SlackShortcut, out: Outgoing): CommandInteraction {
  const { id: userId } = body.user;
  const open = opener('open', body.trigger_id, out);
  if (body.type === 'shortcut')
    return { text: '', ...interactionAt({ userId, channelId: null, answerAt: null }, open, out) };
  const { channel, message, response_url: url } = body;
  const at = { userId, channelId: channel.id, answerAt: { url, threadTs: threadOf(message) } };
  return { text: textsIn(message), ...interactionAt(at, open, out) };
}

export function actionInteraction(body: Click, out: Outgoing): ActionInteraction {
  const { message, container, view, response_url: url } = body;
  const { id: userId } = body.user;
  const channelId = body.channel?.id ?? null;
  const answerAt = view === undefined ? { url, threadTs: threadOf(message) ?? threadOf(container) } : null;
  const modal = view?.type === 'modal' ? places.modalAt(view.id, out.postingClient) : null;
  const open = opener(modal === null ? 'open' : 'push', body.trigger_id, out);
  const [action] = body.actions;
  return {
    value: valuesOf(action)[0] ?? '',
    blockId: action?.block_id ?? '',
    modal: modal && view ? { ...filledView(view), ...modal } : null,
    ...interactionAt({ userId, channelId, answerAt }, open, out, placeOfClick(body, modal, out)),
  };
}

/** Returns where the answer is shown in place of what was clicked in; undefined: beside it, as for any interaction. */
function placeOfClick(
  { user, view, actions: [action] }: Click,
  modal: places.Modal | null,
  { postingClient }: Outgoing,
): places.Place | undefined {
  // A form, which alone has a callback ID, stays open: its buttons answer in a new modal.
  const isForm = view !== undefined && view.callback_id !== '';
  if (modal !== null && !isForm) return places.modalPlace(modal);
  const redrawsHome = action?.action_id.startsWith(places.HOME_PREFIX);
  return redrawsHome ? places.homePlace(user.id, postingClient) : undefined;
}

export function submissionInteraction(
  body: ViewSubmitAction,
  { next, answerAt = null }: Extract<Submitted, { is: 'accepted' }>,
  out: Outgoing,
): SubmissionInteraction {
  const { id: userId } = body.user;
  const direct = places.channelPlace(userId, null, userId, out);
  const place = answerAt === null ? direct : places.responsePlace(answerAt, null, out);
  const reply = replyIn({ ...place, skipsProgress: () => next !== null }, userId, out);
  const opened = places.modalAt(body.view.id, out.postingClient);
  const settled = sleep(ACKNOWLEDGED_MS);
  const modal: places.Modal = { update: (shown) => settled.then(() => opened.update(shown)) };
  return { userId, channelId: null, modal, reply };
}

export function messageInteraction(
  sent: unknown,
  event: 'app_mention' | 'message.im',
  botUserId: string | undefined,
  out: Outgoing,
): MessageInteraction | null {
  const written = WrittenMessage.safeParse(sent).data;
  if (written === undefined) return null;
  const { user: userId, channel: channelId, thread_ts: parentTs = null } = written;
  const threadTs = parentTs ?? (event === 'app_mention' ? written.ts : null);
  const toEverybody = replyIn(places.channelPlace(channelId, threadTs, userId, out), userId, out);
  // Slack shows no ephemeral messages in a thread without replies.
  const ephemeral = places.ephemeralPlace(channelId, parentTs, userId, out);
  // '<@U0BOT>, failures' is 'failures'; in '<@U0BOT> :wave: failures', the colon is the emoji's.
  const mention = new RegExp(`<@${botUserId}(?:\\|[^<>]*)?>(?:\\s*[:,]+(?=\\s|$))?`, 'g');
  return {
    userId,
    channelId,
    ts: written.ts,
    threadTs: parentTs,
    toEverybody,
    text: written.text.replace(mention, ' ').trim(),
    reply: isDirectMessage(channelId) ? toEverybody : replyIn(ephemeral, userId, out),
  };
}

export function homeInteraction(userId: string, out: Outgoing): Requester {
  return { userId, channelId: null, reply: replyIn(places.homePlace(userId, out.postingClient), userId, out) };
}

export function filledView(view: ViewOutput): FilledView {
  const { private_metadata: privateMetadata, blocks, state } = view;
  const valuesIn = (blockId: string) => valuesOf(Object.values(state.values[blockId] ?? {})[0]);
  const drawn = blocks.flatMap((block) => DrawnText.safeParse(block).data ?? []);
  return {
    privateMetadata,
    valuesIn,
    blockIds: Object.keys(state.values),
    valueIn: (blockId) => valuesIn(blockId)[0] ?? null,
    initialIn: (blockId) => drawn.find((text) => text.block_id === blockId)?.element.initial_value ?? null,
  };
}

/** What is entered or chosen in an element. */
function valuesOf(entry: Partial<ViewStateValue> = {}): string[] {
  const options = entry.selected_options ?? [entry.selected_option];
  const values = [
    entry.value,
    entry.selected_user,
    entry.selected_conversation,
    ...options.map((option) => option?.value),
  ];
  return values.filter((value) => value != null);
}

/** Null outside of threads. `sent` is a message, or the container of an ephemeral one, which Slack describes no further. */
function threadOf(sent: { ts?: string; message_ts?: string; thread_ts?: string } = {}): string | null {
  const { ts, message_ts: messageTs = ts, thread_ts: threadTs } = sent;
  return threadTs === undefined || threadTs === messageTs ? null : threadTs;
}

/** Opens a modal, or pushes it onto the one that was clicked in. */
function opener(how: 'open' | 'push', triggerId: string, { postingClient }: Outgoing): Open {
  return async (view) => {
    const opened = await postingClient.views[how]({ trigger_id: triggerId, view });
    if (opened.view?.id === undefined) throw new Error(`the answer to views.${how} names no view`);
    return places.modalAt(opened.view.id, postingClient);
  };
}

/** `place` is where the answer goes, by default where Slack takes it, else a new modal. */
function interactionAt(
  at: Omit<Interaction, 'reply' | 'openModal'>,
  open: Open,
  out: Outgoing,
  place = at.answerAt === null ? places.newModalPlace(open) : places.responsePlace(at.answerAt, at.channelId, out),
): Interaction {
  // Who sees a modal open needs no word that Notif is still working.
  let isOpened = false;
  return {
    ...at,
    reply: replyIn({ skipsProgress: () => isOpened, ...place }, at.userId, out),
    openModal: (view) => {
      isOpened = true;
      return open(view);
    },
  };
}
