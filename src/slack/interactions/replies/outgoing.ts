import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { MessageContent } from '../../blocks/blocks.ts';
import type { Drafts } from '../drafts.ts';
import type { LongValues } from './long-values.ts';
import type { Reply } from './reply.ts';

/** How answers go to Slack: whatever is shown goes through here, so that Slack takes it. */
export interface Outgoing {
  readonly client: WebClient;
  readonly values: LongValues;
  readonly drafts: Pick<Drafts, 'opening'>;
  /** Takes a turn in a modal: whether it's still the last says the answer. */
  readonly turnIn: (viewId: string) => () => boolean;
}

/** The same ways to answer, of messages whose values fit. */
export function fitting(reply: Reply, { values }: Pick<Outgoing, 'values'>): Reply {
  const { share } = reply;
  const fitted = (show: (content: MessageContent) => Promise<void>) => async (content: MessageContent) =>
    show(await values.fitted(content));
  return {
    show: fitted(reply.show),
    replace: fitted(reply.replace),
    stillWorking: reply.stillWorking,
    share: share === null ? null : fitted(share),
  };
}

/** A view whose values fit. */
export function fittedView(view: ModalView, { values }: Pick<Outgoing, 'values'>): Promise<ModalView> {
  return values.fitted(view);
}
