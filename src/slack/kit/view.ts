import type { ModalView } from '@slack/types';
import { asText } from './as-text.ts';
import { type MessageBlock, section } from './blocks.ts';
import type { MessageContent } from './message.ts';
import { type Markup, plain } from './text.ts';

const VIEW_TITLE = 24;
const CLOSE = plain('Close', VIEW_TITLE);

/** Modals have no newer kinds of blocks. */
export function resultView({ blocks }: Pick<MessageContent, 'blocks'>, title = 'Notif'): ModalView {
  return { type: 'modal', title: plain(title, VIEW_TITLE), close: CLOSE, blocks: asText(blocks) };
}

export function waitingView(title: string, text: Markup): ModalView {
  return resultView({ blocks: [section(text)] }, title);
}

export interface Form {
  callbackId: string;
  title: string;
  submit: string;
  blocks: readonly MessageBlock[];
  privateMetadata: string;
}

export function formView({ callbackId, title, submit, blocks, privateMetadata }: Form): ModalView {
  const buttons = { submit: plain(submit, VIEW_TITLE), close: plain('Cancel', VIEW_TITLE) };
  return { ...resultView({ blocks }, title), ...buttons, callback_id: callbackId, private_metadata: privateMetadata };
}
