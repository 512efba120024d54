import type { WebClient } from '@slack/web-api';
import type { MessageContent } from '../../blocks/blocks.ts';
import { forEveryone } from '../../blocks/for-everyone.ts';
import { type Reply, STILL_WORKING } from './reply.ts';

/** Answers in the direct messages of a person, for what no longer has a channel or a modal. */
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
  let waiting: Promise<Posted | null> = Promise.resolve(null);
  const shown = (content: MessageContent) => (isOnesOwn(channel) ? content : forEveryone(content));
  const post = ({ text, blocks }: MessageContent) =>
    client.chat.postMessage({
      channel,
      text,
      blocks: [...blocks],
      unfurl_links: false,
      unfurl_media: false,
      ...(threadTs === null ? {} : { thread_ts: threadTs }),
    });
  const show = async (made: MessageContent) => {
    const content = shown(made);
    const posted = await waiting;
    if (posted === null) await post(content);
    else await client.chat.update({ ...posted, text: content.text, blocks: [...content.blocks] });
  };
  const stillWorking = async () => {
    const posting = post(STILL_WORKING);
    // The caller that asked them to wait sees a failure; the answer itself is a message of its own then.
    waiting = posting.then(postedOf, () => null);
    await posting;
  };
  return { show, replace: show, stillWorking, share: null };
}

/** Answers one person in a conversation, or its thread, by ephemeral messages, which can't be replaced. */
export function ephemeralReply(
  at: { readonly channelId: string; readonly threadTs: string | null; readonly userId: string },
  client: WebClient,
): Reply {
  const { channelId: channel, threadTs, userId: user } = at;
  const show = async ({ text, blocks }: MessageContent) => {
    const thread = threadTs === null ? {} : { thread_ts: threadTs };
    await client.chat.postEphemeral({ channel, user, text, blocks: [...blocks], ...thread });
  };
  return { show, replace: show, stillWorking: () => show(STILL_WORKING), share: threadReply(at, client).show };
}

/** A conversation of one person with Notif (its id begins with D), or the person, whose conversation it stands for. */
function isOnesOwn(channelId: string): boolean {
  return /^[DUW]/.test(channelId);
}

interface Posted {
  readonly channel: string;
  readonly ts: string;
}

function postedOf({ channel, ts }: { readonly channel?: string; readonly ts?: string }): Posted | null {
  return channel === undefined || ts === undefined ? null : { channel, ts };
}
