import type { ModalView } from '@slack/types';
import type { Modal } from '../interaction.ts';
import type { Reply } from './reply.ts';

/** An opened modal says itself that the answer takes longer. */
export function waitingUntilOpened(
  reply: Reply,
  open: (view: ModalView) => Promise<Modal>,
): { readonly reply: Reply; readonly openModal: (view: ModalView) => Promise<Modal> } {
  let isOpened = false;
  const stillWorking = async () => {
    if (!isOpened) await reply.stillWorking();
  };
  const openModal = async (view: ModalView) => {
    isOpened = true;
    try {
      return await open(view);
    } catch (error) {
      isOpened = false;
      throw error;
    }
  };
  const { show, replace, endWait, share } = reply;
  return { reply: { show, replace, stillWorking, endWait, share }, openModal };
}
