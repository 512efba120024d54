import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { MessageContent } from '../../blocks/blocks.ts';
import { resultView } from '../../blocks/view.ts';
import { modalReply, type Reply, STILL_WORKING } from './reply.ts';
import { directReply } from './thread-reply.ts';
import { isTooLate } from './too-late.ts';

/**
 * Answers an interaction without a channel, a global shortcut or a click on the Home tab, in a modal. The modal opens at the latest when
 * the answer takes longer, within Slack's three seconds. If none can be opened by then, the answer is a direct message.
 */
export function openingReply(triggerId: string, userId: string, client: WebClient): Reply {
  let place: Reply | null = null;
  // The caller that awaits this handles its failure.
  let waiting: Promise<void> | null = null;
  const open = async (view: ModalView): Promise<Reply | null> => {
    try {
      const { view: opened } = await client.views.open({ trigger_id: triggerId, view });
      return opened?.id === undefined ? null : modalReply(opened.id, client, null);
    } catch (error) {
      if (isTooLate(error)) return null;
      throw error;
    }
  };
  const show = async (content: MessageContent) => {
    await waiting?.catch(() => {});
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
