import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { asText, hasNewerKinds } from '../../kit/as-text.ts';
import type { MessageContent } from '../../kit/blocks.ts';
import { forEveryone } from '../../kit/for-everyone.ts';
import { isDirect, type Reply, STILL_WORKING } from './reply.ts';

export interface Origin {
  readonly responseUrl: string;
  /** A button's own message can be replaced. A command has no message, and a message shortcut is used on someone else's (`aside`). */
  readonly kind: 'command' | 'button' | 'aside';
  readonly userId: string;
  readonly channelId: string | null;
  /** Null at the root of the conversation. */
  readonly threadTs: string | null;
}

/** If Slack refuses it, by an ephemeral message. The answer to a command replaces its 'Still working …'. */
export function responseUrlReply(origin: Origin, client: WebClient): Reply {
  const { responseUrl, kind, userId, channelId, threadTs } = origin;
  let waiting: Promise<boolean> = Promise.resolve(false);
  /** Returns whether the response_url took it: an ephemeral message can't be replaced. */
  const send = async (content: MessageContent, replacesOriginal: boolean): Promise<boolean> => {
    const thread = replacesOriginal ? {} : inThread(threadTs);
    try {
      await respondTo(responseUrl, content, {
        response_type: 'ephemeral',
        replace_original: replacesOriginal,
        ...thread,
      });
      return true;
    } catch (error) {
      if (channelId === null) throw error;
      await ephemeralReply({ channelId, threadTs, userId }, client).show(content);
      return false;
    }
  };
  return {
    show: async (content) => {
      const isWaitingShown = await waiting;
      await send(content, kind === 'command' && isWaitingShown);
    },
    replace: async (content) => {
      const isWaitingShown = await waiting;
      await send(content, kind === 'button' || (kind === 'command' && isWaitingShown));
    },
    stillWorking: async () => {
      const sending = send(STILL_WORKING, false);
      // The caller that awaits this handles its failure; the answer is then a separate message.
      waiting = sending.catch(() => false);
      await sending;
    },
    share: isDirect(channelId)
      ? null
      : (content) =>
          respondTo(responseUrl, content, {
            response_type: 'in_channel',
            replace_original: false,
            ...inThread(threadTs),
          }),
  };
}

/** When no channel or modal is left to answer in. */
export function directReply(userId: string, client: WebClient): Reply {
  return { ...threadReply({ channelId: userId, threadTs: null }, client), stillWorking: async () => {} };
}

interface Thread {
  readonly channelId: string;
  readonly threadTs: string | null;
}

/** To everybody: in a thread, or beside the question if it wasn't in one. It replaces its 'Still working …'. */
export function threadReply({ channelId: channel, threadTs }: Thread, client: WebClient): Reply {
  let waiting: Promise<Posted | null> = Promise.resolve(null);
  const post = ({ text, blocks }: MessageContent) =>
    client.chat.postMessage({ channel, text, blocks: [...blocks], ...NO_PREVIEWS, ...inThread(threadTs) });
  const show = async (made: MessageContent) => {
    // A person's own conversation begins with D, or it's given by the person's ID.
    const content = /^[DUW]/.test(channel) ? made : forEveryone(made);
    const posted = await waiting;
    if (posted === null || !(await isReplaced(posted, content, client))) await post(content);
  };
  const stillWorking = async () => {
    const posting = post(STILL_WORKING);
    // The caller that awaits this handles its failure; the answer is then a separate message.
    waiting = posting.then(
      ({ channel: shownIn, ts }) => (shownIn === undefined || ts === undefined ? null : { channel: shownIn, ts }),
      () => null,
    );
    await posting;
  };
  return { show, replace: show, stillWorking, share: null };
}

/** Ephemeral messages can't be replaced. */
export function ephemeralReply(at: Thread & { readonly userId: string }, client: WebClient): Reply {
  const { channelId: channel, threadTs, userId: user } = at;
  const show = async ({ text, blocks }: MessageContent) => {
    await client.chat.postEphemeral({ channel, user, text, blocks: [...blocks], ...inThread(threadTs) });
  };
  return { show, replace: show, stillWorking: () => show(STILL_WORKING), share: threadReply(at, client).show };
}

export function homeReply(userId: string, client: WebClient): Reply {
  const show = async ({ blocks }: MessageContent) => {
    await client.views.publish({ user_id: userId, view: { type: 'home', blocks: [...blocks] } });
  };
  return { show, replace: show, stillWorking: async () => {}, share: null };
}

const NO_PREVIEWS = { unfurl_links: false, unfurl_media: false } as const;

function inThread(threadTs: string | null): { readonly thread_ts?: string } {
  return threadTs === null ? {} : { thread_ts: threadTs };
}

interface Posted {
  readonly channel: string;
  readonly ts: string;
}

/** False if Slack refused, as for a message that was deleted meanwhile. Rejects if Slack didn't answer. */
async function isReplaced(posted: Posted, { text, blocks }: MessageContent, client: WebClient): Promise<boolean> {
  try {
    await client.chat.update({ ...posted, text, blocks: [...blocks] });
    return true;
  } catch (error) {
    if (error instanceof WebAPIPlatformError) return false;
    throw error;
  }
}

/** Bolt's own `respond` waits forever; Slack responds within a second. */
const TIMEOUT_MS = 10_000;

/**
 * A response_url works at most five times and for thirty minutes. An answer that is refused goes out once more with its
 * newer kinds of blocks as text. Rejects with the refusal, or with fetch's error if Slack can't be reached in time.
 */
async function respondTo(url: string, content: MessageContent, options: object): Promise<void> {
  const send = async (sent: MessageContent) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...sent, ...options, ...NO_PREVIEWS }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response;
  };
  const first = await send(content);
  const again = !first.ok && hasNewerKinds(content.blocks);
  const { ok, status } = again ? await send({ ...content, blocks: asText(content.blocks) }) : first;
  if (!ok) throw new Error(`response_url answered ${status}`);
}
