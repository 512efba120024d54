import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Logger } from '../../../domain/logger.ts';
import type { MessageContent } from '../../blocks/blocks.ts';
import { resultView } from '../../blocks/view.ts';
import { openView } from './modal-at.ts';
import { orElse } from './or-else.ts';
import { modalReply, type Reply, STILL_WORKING } from './reply.ts';
import { directReply } from './thread-reply.ts';
import { isTooLate } from './too-late.ts';

export interface OpenedModal {
  /** `push` opens it on top of the form that was clicked in. */
  readonly how: 'open' | 'push';
  readonly triggerId: string;
  readonly userId: string;
}

/**
 * Answers a global shortcut, a click on the Home tab and a click in a form in a modal, which leaves the form as it's filled in. The modal
 * opens at the latest when the answer takes longer, within Slack's three seconds. If Slack opens none, for whatever reason, the answer is
 * a direct message.
 */
export function openingReply(
  { how, triggerId, userId }: OpenedModal,
  client: WebClient,
  logger: Pick<Logger, 'warn'>,
): Reply {
  let place: Reply | null = null;
  let waiting: Promise<boolean> = Promise.resolve(false);
  const modalOf = (viewId: string) =>
    orElse(modalReply({ viewId, result: null }, client, null), directReply(userId, client), logger);
  const open = async (view: ModalView): Promise<Reply | null> => {
    try {
      const viewId = await openView(how, { triggerId, view }, client);
      return viewId === undefined ? null : modalOf(viewId);
    } catch (error) {
      if (!isTooLate(error)) logger.warn({ err: error }, "a modal couldn't be opened; its answer is a direct message");
      return null;
    }
  };
  const show = async (content: MessageContent) => {
    await waiting;
    const modal = place === null ? await open(resultView(content)) : null;
    place ??= modal ?? directReply(userId, client);
    if (place !== modal) await place.show(content);
  };
  const stillWorking = async () => {
    waiting = open(resultView(STILL_WORKING)).then((modal) => {
      place = modal ?? directReply(userId, client);
      return modal !== null;
    });
    await waiting;
  };
  const endWait = async (content: MessageContent) => {
    if (await waiting) await show(content);
  };
  return { show, replace: show, stillWorking, endWait, share: null };
}
