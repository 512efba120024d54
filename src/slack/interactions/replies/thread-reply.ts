import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import type { MessageContent } from '../../blocks/blocks.ts';
import { forEveryone } from '../../blocks/for-everyone.ts';
import { type Reply, STILL_WORKING } from './reply.ts';

/** When no channel or modal is left to answer in. */
export function directReply(userId: string, client: WebClient): Reply {
  return { ...threadReply({ channelId: userId, threadTs: null }, client), stillWorking: async () => {} };
}

/** To everybody: in a thread, or beside the question if it wasn't in one. It replaces its 'Still working …'. */
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
    if (posted === null || !(await isReplaced(posted, content, client))) await post(content);
  };
  const stillWorking = async () => {
    const posting = post(STILL_WORKING);
    // The caller that awaits this handles its failure; the answer is then a separate message.
    waiting = posting.then(postedOf, () => null);
    await posting;
  };
  return { show, replace: show, stillWorking, share: null };
}

/** Ephemeral messages can't be replaced. */
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

/** Its ID begins with D, or it's given by the person's ID. */
function isOnesOwn(channelId: string): boolean {
  return /^[DUW]/.test(channelId);
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

interface Posted {
  readonly channel: string;
  readonly ts: string;
}

function postedOf({ channel, ts }: { readonly channel?: string; readonly ts?: string }): Posted | null {
  return channel === undefined || ts === undefined ? null : { channel, ts };
}
