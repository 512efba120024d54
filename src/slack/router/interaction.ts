import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { ListPage } from '../kit/buttons.ts';
import type { FilledForm } from '../kit/inputs.ts';
import { resultView } from '../kit/view.ts';
import { textsIn } from './message-text.ts';
import type { Open, Outgoing, Place, Reply } from './reply.ts';
import * as places from './reply.ts';

export interface Requester {
  userId: string;
  channelId: string | null;
  threadTs: string | null;
  reply: Reply;
}

export interface MessageInteraction extends Requester {
  channelId: string;
  /** With Slack's markup, without the mention of Notif. */
  text: string;
  toEverybody: Reply;
}

export interface Interaction extends Requester {
  /** Works for half an hour. Null if there is no channel. */
  answerUrl: string | null;
  /** Once, within three seconds (Slack): before any other I/O. */
  openModal(view: ModalView): Promise<Modal>;
}

export interface Modal {
  update(view: ModalView): Promise<'shown' | 'closed'>;
}

export interface CommandInteraction extends Interaction {
  /** A command's, or that of a shortcut's message. */
  text: string;
  page?: ListPage | undefined;
}

export interface ActionInteraction extends Interaction {
  /** A button's value or the chosen option's. */
  value: string;
  blockId: string;
  modal: (Modal & FilledView) | null;
}

export interface FilledView extends FilledForm {
  id: string;
  callbackId: string;
  privateMetadata: string;
  initialIn(blockId: string): string | null;
}

export interface SubmissionInteraction extends Interaction {
  view: FilledView;
  modal: Modal;
  /** Where the form was requested, else in direct messages. */
  outside: Reply;
}

// What Notif uses of Slack's "Interaction payloads" and slash commands. Parsers throw `ZodError`.

const text = z.string();
const emptyText = text.default('');
const maybe = text.nullish();
const Id = z.object({ id: text }).transform(({ id }) => id);
const Option = z.object({ value: text });

const Entry = z.object({
  value: maybe,
  selected_user: maybe,
  selected_option: Option.nullish(),
  selected_options: z.array(Option).nullish(),
});

const DrawnText = z.object({ block_id: text, element: z.object({ initial_value: text }) });

const View = z
  .object({
    ...{ id: text, callback_id: emptyText, private_metadata: emptyText, blocks: z.array(z.unknown()).default([]) },
    type: z.enum(['modal', 'home']).default('modal'),
    state: z.object({ values: z.record(text, z.record(text, z.unknown())) }).default({ values: {} }),
  })
  .transform(({ id, callback_id: callbackId, type, private_metadata: privateMetadata, blocks, state }) => {
    const drawn = blocks.flatMap((block) => DrawnText.safeParse(block).data ?? []);
    const valuesIn = (blockId: string) => valuesOf(Object.values(state.values[blockId] ?? {})[0]);
    const view: FilledView = {
      ...{ id, callbackId, privateMetadata, valuesIn, blockIds: Object.keys(state.values) },
      valueIn: (blockId) => valuesIn(blockId)[0] ?? null,
      initialIn: (blockId) => drawn.find((text) => text.block_id === blockId)?.element.initial_value ?? null,
    };
    return { ...view, type };
  });

function valuesOf(entry: unknown): readonly string[] {
  const { value, selected_user, ...chosen } = Entry.safeParse(entry).data ?? {};
  const options = chosen.selected_options ?? [chosen.selected_option];
  const all = [value, selected_user, ...options.map((option) => option?.value)];
  return all.filter((item) => item !== null && item !== undefined);
}

const CommandBody = z.object({
  user_id: text,
  channel_id: text,
  text: emptyText,
  trigger_id: text,
  response_url: text,
});

const Posted = z.looseObject({ ts: text.optional(), message_ts: text.optional(), thread_ts: text.optional() });
const Acted = z.object({ value: maybe, selected_option: Option.nullish(), block_id: emptyText });

const ActedBody = z.object({
  ...{ user: Id, trigger_id: text, channel: Id.optional(), response_url: text.optional(), view: View.optional() },
  /** An ephemeral one has only `container`. */
  message: Posted.optional(),
  ...{ container: Posted.optional(), actions: z.array(Acted).default([]) },
});

export const SubmissionBody = z.object({ user: Id, trigger_id: text, view: View });

export const OptionsBody = z.object({ user: Id, value: emptyText, block_id: text });

/** Edits, deletions and apps' messages don't match. */
const WrittenMessage = z.object({
  ...{ user: text, text, ts: text, thread_ts: text.optional(), channel: text },
  ...{ subtype: z.enum(['thread_broadcast', 'file_share']).optional(), bot_id: z.never().optional() },
});

export function commandInteraction(sent: unknown, out: Outgoing): CommandInteraction {
  const body = CommandBody.parse(sent);
  const { user_id: userId, channel_id: channelId, text, response_url: answerUrl } = body;
  const at = { userId, channelId, threadTs: null, answerUrl };
  const place = places.responsePlace(answerUrl, 'command', channelId, null);
  return { text, ...interactionAt(at, place, opener('open', body.trigger_id, out), out) };
}

export function shortcutInteraction(sent: unknown, out: Outgoing): CommandInteraction {
  const body = ActedBody.parse(sent);
  const { user: userId, channel: channelId = null, response_url: responseUrl, message } = body;
  const open = opener('open', body.trigger_id, out);
  const threadTs = threadOf(message);
  const at = { userId, channelId, threadTs, answerUrl: responseUrl ?? null };
  const inChannel = responseUrl && places.responsePlace(responseUrl, 'aside', channelId, threadTs);
  const place = inChannel || places.newModalPlace(open, out.deliveryClient);
  return { text: textsIn(message), ...interactionAt(at, place, open, out) };
}

export function actionInteraction(sent: unknown, out: Outgoing): ActionInteraction {
  const body = ActedBody.parse(sent);
  const { user: userId, channel: channelId = null, message, container, view, response_url: responseUrl } = body;
  const [action] = body.actions;
  const { deliveryClient: client } = out;
  const within = threadOf(message) ?? threadOf(container);
  const isInModal = view?.type === 'modal';
  const open = opener(isInModal ? 'push' : 'open', body.trigger_id, out);
  /** A form stays: the answer to its buttons is a new modal. */
  const place = () => {
    if (isInModal && view.callbackId === '') return places.modalPlace(view.id, client);
    if (view !== undefined) return places.newModalPlace(open, client);
    if (responseUrl === undefined) return places.channelPlace(userId, null, client);
    return places.responsePlace(responseUrl, 'button', channelId, within);
  };
  // An ephemeral message has no thread below it.
  const threadTs = within ?? (places.isDirect(channelId) ? null : (message?.ts ?? null));
  const answerUrl = view === undefined ? (responseUrl ?? null) : null;
  return {
    value: action?.value ?? action?.selected_option?.value ?? '',
    blockId: action?.block_id ?? '',
    modal: isInModal ? { ...view, ...modalAt(view.id, out) } : null,
    ...interactionAt({ userId, channelId, threadTs, answerUrl }, place(), open, out),
  };
}

/** Once `settled`, Slack shows the acknowledgment. */
export function submissionInteraction(
  { user: userId, trigger_id: triggerId, view }: z.output<typeof SubmissionBody>,
  next: { staysOpen: boolean; settled: Promise<void>; answerUrl: string | null },
  out: Outgoing,
): SubmissionInteraction {
  const requestedAt =
    next.answerUrl === null
      ? places.channelPlace(userId, null, out.deliveryClient)
      : places.responsePlace(next.answerUrl, 'aside', null, null);
  const outside = places.replyIn(requestedAt, userId, out);
  const modal: Modal = { update: (shown) => next.settled.then(() => modalAt(view.id, out).update(shown)) };
  const inModal: Place = {
    isSilent: () => true,
    post: async (content) => {
      if ((await modal.update(resultView(content))) === 'closed') throw new Error('the form was closed');
      return null;
    },
    elsewhere: outside.show,
  };
  const at = { userId, channelId: null, threadTs: null, answerUrl: null };
  const inForm = interactionAt(at, inModal, opener('open', triggerId, out), out);
  return { ...inForm, view, modal, outside, reply: next.staysOpen ? inForm.reply : outside };
}

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
  const toEverybody = places.replyIn(places.channelPlace(channelId, threadTs, out.deliveryClient), userId, out);
  // Slack shows no ephemeral messages in a thread without replies.
  const aside = places.ephemeralPlace(channelId, within, userId, out.deliveryClient);
  return {
    ...{ userId, channelId, threadTs, toEverybody },
    text: written.text.replace(new RegExp(`<@${botUserId}(?:\\|[^<>]*)?>(?:\\s*[:,]+(?=\\s|$))?`, 'g'), ' ').trim(),
    reply: places.isDirect(channelId) ? toEverybody : places.replyIn(aside, userId, out),
  };
}

export function homeInteraction(userId: string, out: Outgoing): Requester {
  const reply = places.replyIn(places.homePlace(userId, out.deliveryClient), userId, out);
  return { userId, channelId: null, threadTs: null, reply };
}

function threadOf(sent: z.output<typeof Posted> | undefined): string | null {
  const { ts, message_ts: messageTs = ts, thread_ts: threadTs } = sent ?? {};
  return threadTs === undefined || threadTs === messageTs ? null : threadTs;
}

function opener(how: 'open' | 'push', triggerId: string, { deliveryClient }: Outgoing): Open {
  return async (view) => {
    const opened = await deliveryClient.views[how]({ trigger_id: triggerId, view });
    if (opened.view?.id === undefined) throw new Error('the answer to views.open names no view');
    return opened.view.id;
  };
}

function modalAt(viewId: string, { deliveryClient }: Outgoing): Modal {
  return { update: (view) => places.updateView(viewId, view, deliveryClient) };
}

function interactionAt(
  at: Omit<Interaction, 'reply' | 'openModal'>,
  place: Place,
  open: Open,
  out: Outgoing,
): Interaction {
  let isOpened = false;
  return {
    ...at,
    reply: places.replyIn({ isSilent: () => isOpened, ...place }, at.userId, out),
    openModal: async (view) => {
      isOpened = true;
      return modalAt(await open(view), out);
    },
  };
}
