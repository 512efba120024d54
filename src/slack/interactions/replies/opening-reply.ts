import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Logger } from '../../../domain/logger.ts';
import type { MessageContent } from '../../blocks/blocks.ts';
import { resultView } from '../../blocks/view.ts';
import { orElse } from './or-else.ts';
import { modalReply, type Reply, STILL_WORKING } from './reply.ts';
import { directReply } from './thread-reply.ts';
import { isTooLate } from './too-late.ts';

/**
 * Answers an interaction without a channel, a global shortcut or a click on the Home tab, in a modal. The modal opens at the latest when
 * the answer takes longer, within Slack's three seconds. If Slack opens none, for whatever reason, the answer is a direct message.
 */
export function openingReply(
  triggerId: string,
  userId: string,
  client: WebClient,
  logger: Pick<Logger, 'warn'>,
): Reply {
  let place: Reply | null = null;
  let waiting: Promise<void> | null = null;
  const modalOf = (viewId: string) =>
    orElse(modalReply({ viewId, result: null }, client, null), directReply(userId, client), logger);
  const open = async (view: ModalView): Promise<Reply | null> => {
    try {
      const { view: opened } = await client.views.open({ trigger_id: triggerId, view });
      return opened?.id === undefined ? null : modalOf(opened.id);
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
  const stillWorking = () => {
    waiting = open(resultView(STILL_WORKING)).then((modal) => {
      place = modal ?? directReply(userId, client);
    });
    return waiting;
  };
  const endWait = async (content: MessageContent) => {
    if (waiting !== null) await show(content);
  };
  return { show, replace: show, stillWorking, endWait, share: null };
}
