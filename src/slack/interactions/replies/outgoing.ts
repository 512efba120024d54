import type { WebClient } from '@slack/web-api';
import type { Logger } from '../../../domain/logger.ts';
import type { MessageContent } from '../../blocks/blocks.ts';
import type { Drafts } from '../drafts.ts';
import type { LongValues } from './long-values.ts';
import type { Reply } from './reply.ts';

/** Sends answers to Slack. Everything that is shown goes through here, so that Slack accepts it. */
export interface Outgoing {
  readonly client: WebClient;
  readonly values: LongValues;
  readonly drafts: Pick<Drafts, 'opening'>;
  /** Registers an interaction in a modal; the returned function says whether it's still the latest. */
  readonly turnIn: (viewId: string) => () => boolean;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Wraps a reply so that the values in its messages fit. */
export function fitting(reply: Reply, { values }: Pick<Outgoing, 'values'>): Reply {
  const { share, endWait } = reply;
  const fitted = (show: (content: MessageContent) => Promise<void>) => async (content: MessageContent) =>
    show(await values.fitted(content));
  return {
    show: fitted(reply.show),
    replace: fitted(reply.replace),
    stillWorking: reply.stillWorking,
    endWait: endWait && fitted(endWait),
    share: share === null ? null : fitted(share),
  };
}
