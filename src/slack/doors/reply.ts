import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { type MessageContent, message, section } from '../blocks/blocks.ts';
import { mrkdwn } from '../blocks/text.ts';
import { resultView } from '../blocks/view.ts';
import { type ResponseOptions, respondTo } from './response-url.ts';
import { isTooLate } from './too-late.ts';

/** The ways to answer a gesture. Each rejects when Slack did not take the answer. */
export interface Reply {
  /** Shows an answer to the person alone, beside what was acted on. */
  show(content: MessageContent): Promise<void>;
  /** Shows an answer in place of the message or modal that was acted on. */
  replace(content: MessageContent): Promise<void>;
  /** Says that the answer takes longer. */
  stillWorking(): Promise<void>;
  /** Shows something to everybody in the channel; null where nobody else is. */
  readonly share: ((content: MessageContent) => Promise<void>) | null;
}

/** Where a gesture with a response_url came from. */
export interface Origin {
  readonly responseUrl: string;
  /** A button's own message can be replaced; a command has none; what a message shortcut was chosen on is somebody else's (`aside`). */
  readonly kind: 'command' | 'button' | 'aside';
  readonly userId: string;
  readonly channelId: string | null;
}

const STILL_WORKING = message(mrkdwn`Still working …`, [section(mrkdwn`⏳ Still working …`)]);

/**
 * Answers at the response_url, and where Slack refuses that by an ephemeral message. The answer to a command takes the place of its
 * 'Still working …'.
 */
export function responseUrlReply(origin: Origin, client: WebClient): Reply {
  let waiting: Promise<void> | null = null;
  const send = async (content: MessageContent, options: ResponseOptions) => {
    await waiting;
    try {
      await respondTo(origin.responseUrl, content, options);
    } catch (error) {
      await postEphemeral(content, origin, client, error);
    }
  };
  const replaceOriginal = () => origin.kind === 'button' || (origin.kind === 'command' && waiting !== null);
  return {
    show: (content) => send(content, { replaceOriginal: origin.kind === 'command' && waiting !== null }),
    replace: (content) => send(content, { replaceOriginal: replaceOriginal() }),
    stillWorking: () => {
      waiting = send(STILL_WORKING, {});
      return waiting;
    },
    share: isDirect(origin.channelId) ? null : (content) => respondTo(origin.responseUrl, content, { inChannel: true }),
  };
}

/** A conversation of one person with Notif ("Conversations API": its id begins with D): nobody is there to share with. */
function isDirect(channelId: string | null): boolean {
  return channelId?.startsWith('D') === true;
}

async function postEphemeral(content: MessageContent, origin: Origin, client: WebClient, cause: unknown) {
  if (origin.channelId === null) throw cause;
  const { text, blocks } = content;
  await client.chat.postEphemeral({ channel: origin.channelId, user: origin.userId, text, blocks: [...blocks] });
}

/** Answers in the modal that was acted in. It says by itself that it is looking. */
export function modalReply(viewId: string, client: WebClient): Reply {
  const show = async (content: MessageContent) => {
    await client.views.update({ view_id: viewId, view: resultView(content) });
  };
  return { show, replace: show, stillWorking: async () => {}, share: null };
}

/**
 * Answers what comes from no channel, a global shortcut or a click on the Home tab, in a modal; it opens at the latest when the answer takes
 * longer, within Slack's three seconds. Where none can be opened any more, the answer is a direct message.
 */
export function openingReply(triggerId: string, userId: string, client: WebClient): Reply {
  let place: Reply | null = null;
  let waiting: Promise<void> | null = null;
  const open = async (view: ModalView): Promise<Reply | null> => {
    try {
      const { view: opened } = await client.views.open({ trigger_id: triggerId, view });
      return opened?.id === undefined ? null : modalReply(opened.id, client);
    } catch (error) {
      if (isTooLate(error)) return null;
      throw error;
    }
  };
  const show = async (content: MessageContent) => {
    await waiting;
    const modal = place === null ? await open(resultView(content)) : null;
    place ??= modal ?? directReply(userId, client);
    if (place !== modal) await place.show(content);
  };
  const stillWorking = () => {
    waiting = open(resultView(STILL_WORKING)).then((modal) => {
      place = modal ?? directReply(userId, client);
    });
    return waiting;
  };
  return { show, replace: show, stillWorking, share: null };
}

/** Answers in the direct messages of a person, for what has neither channel nor modal any more. */
export function directReply(userId: string, client: WebClient): Reply {
  return { ...threadReply({ channelId: userId, threadTs: null }, client), stillWorking: async () => {} };
}

/**
 * Answers by a message for everybody in a conversation: in a thread, or beside what was written where that is in none. It takes the
 * place of its 'Still working …'.
 */
export function threadReply(
  { channelId: channel, threadTs }: { readonly channelId: string; readonly threadTs: string | null },
  client: WebClient,
): Reply {
  let waiting: { readonly channel: string; readonly ts: string } | null = null;
  const post = ({ text, blocks }: MessageContent) =>
    client.chat.postMessage({
      channel,
      text,
      blocks: [...blocks],
      unfurl_links: false,
      unfurl_media: false,
      ...(threadTs === null ? {} : { thread_ts: threadTs }),
    });
  const show = async (content: MessageContent) => {
    if (waiting === null) await post(content);
    else await client.chat.update({ ...waiting, text: content.text, blocks: [...content.blocks] });
  };
  const stillWorking = async () => {
    const posted = await post(STILL_WORKING);
    if (posted.channel !== undefined && posted.ts !== undefined) waiting = { channel: posted.channel, ts: posted.ts };
  };
  return { show, replace: show, stillWorking, share: null };
}

/** Answers on a person's Home tab. */
export function homeReply(userId: string, client: WebClient): Reply {
  const show = async ({ blocks }: MessageContent) => {
    await client.views.publish({ user_id: userId, view: { type: 'home', blocks: [...blocks] } });
  };
  return { show, replace: show, stillWorking: async () => {}, share: null };
}
