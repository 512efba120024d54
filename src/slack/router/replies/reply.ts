import type { WebClient } from '@slack/web-api';
import type { Logger } from '../../../lib/logger.ts';
import { actions, type MessageBlock, type MessageContent, message, section } from '../../kit/blocks.ts';
import type { PublicContent } from '../../kit/for-everyone.ts';
import { sendable } from '../../kit/sendable.ts';
import { mrkdwn } from '../../kit/text.ts';

type Show = (content: MessageContent) => Promise<void>;

export interface Reply {
  /** Only to the person, beside what was acted on. */
  readonly show: Show;
  readonly replace: Show;
  readonly stillWorking: () => Promise<void>;
  /** Replaces that for a person to whom the result is shown elsewhere; does nothing if it wasn't said. */
  readonly endWait?: Show | undefined;
  /** To everybody in the channel. Null if nobody else is there. */
  readonly share: ((content: PublicContent) => Promise<void>) | null;
}

export interface Outgoing {
  readonly client: WebClient;
  /** The returned function says whether the interaction is still the latest in its modal. */
  readonly turnIn: (viewId: string) => () => boolean;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Shown to a person who waits. It's still correct if Slack posts the answer below it instead of replacing it. */
export const STILL_WORKING = message(mrkdwn`Still working. The answer follows.`, [
  section(mrkdwn`⏳ Still working. The answer follows.`),
]);

/** A person's direct messages with Notif ("Conversations API": its ID begins with D): nobody is there to share with. */
export function isDirect(channelId: string | null): boolean {
  return channelId?.startsWith('D') === true;
}

/** Changes each way to answer the person. */
export function mapReply(reply: Reply, change: (show: Show) => Show): Reply {
  const { show, replace, endWait } = reply;
  return { ...reply, show: change(show), replace: change(replace), endWait: endWait && change(endWait) };
}

export function fitting(reply: Reply): Reply {
  const { share } = reply;
  const fitted = (show: Show) => async (content: MessageContent) =>
    show(sendable(share === null ? withoutShare(content) : content));
  return { ...mapReply(reply, fitted), share: share && (async (content) => share(sendable(content))) };
}

/** How the action IDs of buttons that share begin. */
export const SHARES = 'share.';

/** For where nobody is to share with. */
export function withoutShare({ text, blocks }: MessageContent): MessageContent {
  const kept = blocks.flatMap((block): MessageBlock[] => {
    if (block.type !== 'actions') return [block];
    return actions(block.elements.filter(({ action_id: id = '' }) => !id.startsWith(SHARES)));
  });
  return { text, blocks: kept };
}

/** Rejects only with the error of `next`. */
export function orElse(first: Reply, next: Pick<Reply, 'show'>, logger: Outgoing['logger']): Reply {
  return mapReply(first, (show) => async (content) => {
    try {
      await show(content);
    } catch (error) {
      logger.warn({ err: error }, "an answer couldn't be shown where it belongs and goes elsewhere");
      await next.show(content);
    }
  });
}
