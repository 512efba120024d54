import type { KnownBlock, ModalView } from '@slack/types';
import { type MessageContent, section } from './blocks.ts';
import { VIEW_TITLE } from './limits.ts';
import { type Markup, plain } from './text.ts';

const CLOSE = plain('Close', VIEW_TITLE);

/** Builds a modal that only shows something. */
export function resultView({ blocks }: Pick<MessageContent, 'blocks'>, title = 'Notif'): ModalView {
  return { type: 'modal', title: plain(title, VIEW_TITLE), close: CLOSE, blocks: [...blocks] };
}

/** Builds the modal that is shown while its content loads. */
export function waitingView(title: string, text: Markup): ModalView {
  return resultView({ blocks: [section(text)] }, title);
}

/** The parts of a modal with a form. */
export interface Form {
  readonly callbackId: string;
  readonly title: string;
  readonly submit: string;
  readonly blocks: readonly KnownBlock[];
  /** At most `PRIVATE_METADATA` characters. Slack returns it with the submission. */
  readonly privateMetadata: string;
}

/** Builds a modal with a form. */
export function formView({ callbackId, title, submit, blocks, privateMetadata }: Form): ModalView {
  return {
    ...resultView({ blocks }, title),
    callback_id: callbackId,
    submit: plain(submit, VIEW_TITLE),
    close: plain('Cancel', VIEW_TITLE),
    private_metadata: privateMetadata,
  };
}
