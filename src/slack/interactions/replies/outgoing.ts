import type { WebClient } from '@slack/web-api';
import type { Logger } from '../../../domain/logger.ts';
import type { MessageContent } from '../../blocks/blocks.ts';
import { sendable } from '../../blocks/sendable.ts';
import type { Reply } from './reply.ts';

export interface Outgoing {
  readonly client: WebClient;
  /** The returned function says whether the interaction is still the latest in its modal. */
  readonly turnIn: (viewId: string) => () => boolean;
  readonly logger: Pick<Logger, 'warn'>;
}

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
