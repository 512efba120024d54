import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { type MessageContent, message, section } from '../../blocks/blocks.ts';
import { forEveryone } from '../../blocks/for-everyone.ts';
import { MOST_VIEW_BLOCKS } from '../../blocks/limits.ts';
import { mrkdwn } from '../../blocks/text.ts';
import { resultView } from '../../blocks/view.ts';
import { updateModal } from './modal-at.ts';
import { type ResponseOptions, respondTo } from './response-url.ts';

export interface Reply {
  /** Only to the person, beside what was acted on. */
  show(content: MessageContent): Promise<void>;
  replace(content: MessageContent): Promise<void>;
  stillWorking(): Promise<void>;
  /** Replaces that for a person to whom the result is shown elsewhere; does nothing if it wasn't said. */
  readonly endWait?: ((content: MessageContent) => Promise<void>) | undefined;
  /** To everybody in the channel. Null if nobody else is there. */
  readonly share: ((content: MessageContent) => Promise<void>) | null;
}

export interface Origin {
  readonly responseUrl: string;
  /** A button's own message can be replaced. A command has no message, and a message shortcut is used on someone else's (`aside`). */
  readonly kind: 'command' | 'button' | 'aside';
  readonly userId: string;
  readonly channelId: string | null;
  readonly threadTs: string | null;
}

/** Shown to a person who waits. It's still correct if Slack posts the answer below it instead of replacing it. */
export const STILL_WORKING = message(mrkdwn`Still working. The answer follows.`, [
  section(mrkdwn`⏳ Still working. The answer follows.`),
]);

/** If Slack refuses it, by an ephemeral message. The answer to a command replaces its 'Still working …'. */
export function responseUrlReply(origin: Origin, client: WebClient): Reply {
  let waiting: Promise<boolean> = Promise.resolve(false);
  /** Returns whether the response_url took it: an ephemeral message can't be replaced. */
  const send = async (content: MessageContent, options: ResponseOptions): Promise<boolean> => {
    try {
      await respondTo(origin.responseUrl, { to: 'person', content }, { threadTs: origin.threadTs, ...options });
      return true;
    } catch (error) {
      await postEphemeral(content, origin, client, error);
      return false;
    }
  };
  const answer = async (content: MessageContent, replacesButton: boolean) => {
    const isWaitingShown = await waiting;
    await send(content, { replaceOriginal: replacesButton || (origin.kind === 'command' && isWaitingShown) });
  };
  return {
    show: (content) => answer(content, false),
    replace: (content) => answer(content, origin.kind === 'button'),
    stillWorking: async () => {
      const sending = send(STILL_WORKING, {});
      // The caller that awaits this handles its failure; the answer is then a separate message.
      waiting = sending.catch(() => false);
      await sending;
    },
    share: isDirect(origin.channelId)
      ? null
      : (content) =>
          respondTo(
            origin.responseUrl,
            { to: 'everyone', content: forEveryone(content) },
            { threadTs: origin.threadTs },
          ),
  };
}

/** A person's direct messages with Notif ("Conversations API": its ID begins with D): nobody is there to share with. */
export function isDirect(channelId: string | null): boolean {
  return channelId?.startsWith('D') === true;
}

async function postEphemeral(content: MessageContent, origin: Origin, client: WebClient, cause: unknown) {
  if (origin.channelId === null) throw cause;
  const { text, blocks } = content;
  const { userId: user, channelId: channel, threadTs } = origin;
  const thread = threadTs === null ? {} : { thread_ts: threadTs };
  await client.chat.postEphemeral({ channel, user, text, blocks: [...blocks], ...thread });
}

export interface AnsweredModal {
  readonly viewId: string;
  readonly hash?: string | undefined;
  /** What it shows while a person waits. Null for one that already says that it is loading. */
  readonly result: ModalView | null;
}

/** A person who closed it after a click needs no answer; one who submitted it gets it `elsewhere`. */
export function modalReply(
  { viewId, hash, result }: AnsweredModal,
  client: WebClient,
  elsewhere: Pick<Reply, 'show'> | null,
): Reply {
  const stillWorking = async () => {
    if (result === null || result.blocks.length >= MOST_VIEW_BLOCKS) return;
    // With its hash, Slack drops the notice if the answer was faster.
    await updateModal(
      { viewId, hash, view: { ...result, blocks: [...result.blocks, ...STILL_WORKING.blocks] } },
      client,
    );
  };
  const show = async (content: MessageContent) => {
    const { is } = await updateModal({ viewId, view: resultView(content) }, client);
    if (is === 'closed') await elsewhere?.show(content);
  };
  return { show, replace: show, stillWorking, share: null };
}

export function homeReply(userId: string, client: WebClient): Reply {
  const show = async ({ blocks }: MessageContent) => {
    await client.views.publish({ user_id: userId, view: { type: 'home', blocks: [...blocks] } });
  };
  return { show, replace: show, stillWorking: async () => {}, share: null };
}
