import type { ModalView } from '@slack/types';
import {
  type ChatPostMessageArguments,
  type ChatPostMessageResponse,
  WebAPIPlatformError,
  type WebClient,
} from '@slack/web-api';
import { z } from 'zod';
import { isDirectMessage, isPerson } from '../../lib/workspace.ts';
import type { SlackCtx } from '../ctx.ts';
import { nullIfRefused } from '../slack-errors.ts';
import type { MessageBlock } from './blocks.ts';
import { forEveryone, type PublicContent, withNames } from './for-everyone.ts';
import type { MessageContent } from './message.ts';
import { markedJson } from './store-mark.ts';
import { hasNewerKinds, inOlderForm, textBlocks } from './text-blocks.ts';
import { resultView } from './views.ts';

export type Show = (content: MessageContent) => Promise<void>;

/** Its functions reject with Slack's refusal. */
export interface Place {
  /** Resolves with a function that replaces the post, null where Slack can't. */
  post: (content: MessageContent) => Promise<Show | null>;
  /** Replaces the message with the clicked button. */
  replace?: Show;
  /** Shows the content to everyone there. */
  share?: (content: PublicContent) => Promise<void>;
  /** Whether the place has no room for 'Still working'. */
  skipsProgress?: () => boolean;
}

export interface PostCtx extends Pick<SlackCtx, 'postingClient' | 'logger' | 'storeCode'> {
  workspace: Pick<SlackCtx['workspace'], 'namesOf'>;
}

/** Where Slack takes answers to an interaction: its `response_url`. */
export const AnswerAt = z.object({ url: z.string(), threadTs: z.string().nullable() });
export type AnswerAt = z.output<typeof AnswerAt>;

/** Bolt's own `respond` waits forever. */
const RESPOND_TIMEOUT_MS = 10_000;

const NO_PREVIEWS = { unfurl_links: false, unfurl_media: false } as const;

const inThread = (threadTs: string | null) => (threadTs === null ? {} : { thread_ts: threadTs });

export function responsePlace(
  { url, threadTs }: AnswerAt,
  channelId: string | null,
  { newerKinds, storeCode }: Pick<SlackCtx, 'newerKinds' | 'storeCode'>,
): Place {
  const respond =
    (options: object): Show =>
    ({ text, blocks }) =>
      respondTo(url, { text, blocks: inOlderForm(blocks, newerKinds.refused) }, options, storeCode);
  const beside = { replace_original: false, ...inThread(threadTs) };
  const show = respond({ response_type: 'ephemeral', ...beside });
  return {
    post: (content) => show(content).then(() => null),
    replace: respond({ response_type: 'ephemeral', replace_original: true }),
    ...((channelId === null || !isDirectMessage(channelId)) && {
      share: respond({ response_type: 'in_channel', ...beside }),
    }),
  };
}

/** `channel` can be a person's ID. In a channel, only `asker` is mentioned, if anybody. */
export function channelPlace(channel: string, threadTs: string | null, asker: string | null, out: PostCtx): Place {
  const { postingClient: client } = out;
  const drawn = async (content: MessageContent): Promise<{ text: string; blocks: MessageBlock[] }> => {
    const isDirect = isDirectMessage(channel) || isPerson(channel);
    const { text, blocks } = isDirect
      ? content
      : await withNames(forEveryone(content), out.workspace, asker === null ? [] : [asker]);
    return { text, blocks: [...blocks] };
  };
  return {
    post: async (content) => {
      const message = { channel, ...(await drawn(content)), ...inThread(threadTs) };
      const { channel: shownIn, ts } = await postMessage(out, message);
      if (shownIn === undefined || ts === undefined) return null;
      return async (next) =>
        void (await client.chat.update({ channel: shownIn, ts, ...(await drawn(next)), parse: 'none' }));
    },
  };
}

export async function conversationWith(
  channelOrPerson: string,
  { conversations }: Pick<WebClient, 'conversations'>,
): Promise<string> {
  if (!isPerson(channelOrPerson)) return channelOrPerson;
  const { channel } = await conversations.open({ users: channelOrPerson });
  return channel?.id ?? channelOrPerson;
}

/** Slack posts a reply to a deleted message in the channel: that post is deleted, and `thread_not_found` thrown. */
export async function postMessage(
  { postingClient: { chat }, logger }: Pick<SlackCtx, 'postingClient' | 'logger'>,
  sent: ChatPostMessageArguments,
): Promise<ChatPostMessageResponse> {
  const posted = await chat.postMessage({ ...sent, ...NO_PREVIEWS });
  const { channel, ts, message } = posted;
  if (channel === undefined || ts === undefined || message === undefined) return posted;
  const isReply = 'thread_ts' in sent && sent.thread_ts !== undefined;
  if (!isReply || message.thread_ts !== undefined) return posted;
  await chat
    .delete({ channel, ts })
    .catch((err: unknown) => logger.warn({ err, channel, ts }, "A reply outside of its thread couldn't be deleted"));
  throw new WebAPIPlatformError({ ok: false, error: 'thread_not_found' });
}

export function ephemeralPlace(channel: string, threadTs: string | null, user: string, out: PostCtx): Place {
  return {
    post: async ({ text, blocks }) => {
      await out.postingClient.chat.postEphemeral({ channel, user, text, blocks: [...blocks], ...inThread(threadTs) });
      return null;
    },
    share: async (content) => void (await channelPlace(channel, threadTs, null, out).post(content)),
  };
}

/** Begins the IDs of actions that redraw the Home tab. */
export const HOME_PREFIX = 'home.';

export function homePlace(userId: string, client: WebClient): Place {
  return {
    skipsProgress: () => true,
    post: async ({ blocks }) => {
      await client.views.publish({ user_id: userId, view: { type: 'home', blocks: [...blocks] } });
      return null;
    },
  };
}

export interface Modal {
  update(view: ModalView): Promise<'shown' | 'closed'>;
}

export function modalAt(viewId: string, client: WebClient): Modal {
  return {
    update: async (view) =>
      (await nullIfRefused(['not_found'], client.views.update({ view_id: viewId, view }))) ? 'shown' : 'closed',
  };
}

export function modalPlace(modal: Modal): Place {
  const show: Show = async (content) => void (await modal.update(resultView(content)));
  return { post: (content) => show(content).then(() => show) };
}

/** The first post opens the modal; 'Still working' comes within Slack's three seconds. */
export function newModalPlace(open: (view: ModalView) => Promise<Modal>): Place {
  let place: Place = {
    post: async (content) => {
      place = modalPlace(await open(resultView(content)));
      return async (next) => void (await place.post(next));
    },
  };
  return { post: (content) => place.post(content) };
}

async function respondTo(url: string, content: MessageContent, options: object, storeCode: string): Promise<void> {
  const send = async (sent: MessageContent) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: markedJson({ ...sent, ...options, ...NO_PREVIEWS }, storeCode),
      signal: AbortSignal.timeout(RESPOND_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response;
  };
  const first = await send(content);
  const isWorthAnother = !first.ok && hasNewerKinds(content.blocks);
  const { ok, status } = isWorthAnother ? await send({ ...content, blocks: textBlocks(content.blocks) }) : first;
  if (!ok) throw new Error(`response_url answered ${status}`);
}
