import type { WebClient } from '@slack/web-api';
import type { Logger } from '../../../domain/logger.ts';
import type { MessageContent } from '../../blocks/blocks.ts';
import { sendable } from '../../blocks/sendable.ts';
import type { Reply } from './reply.ts';

/** Sends answers to Slack. */
export interface Outgoing {
  readonly client: WebClient;
  /** Registers an interaction in a modal; the returned function says whether it's still the latest. */
  readonly turnIn: (viewId: string) => () => boolean;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Wraps a reply so that Slack accepts its messages. */
export function fitting(reply: Reply): Reply {
  const { share, endWait } = reply;
  const fitted = (show: (content: MessageContent) => Promise<void>) => async (content: MessageContent) =>
    show(sendable(content));
  return {
    show: fitted(reply.show),
    replace: fitted(reply.replace),
    stillWorking: reply.stillWorking,
    endWait: endWait && fitted(endWait),
    share: share === null ? null : fitted(share),
  };
}
