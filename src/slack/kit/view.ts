import type { ModalView } from '@slack/types';
import type { z } from 'zod';
import { textBlocks } from './as-text.ts';
import { type MessageBlock, section } from './blocks.ts';
import type { MessageContent } from './message.ts';
import { type Inserted, type Optional, plain, present } from './text.ts';

const VIEW_TITLE = 24;
const CLOSE = plain('Close', VIEW_TITLE);

export function resultView({ blocks }: Pick<MessageContent, 'blocks'>, title = 'Notif'): ModalView {
  return { type: 'modal', title: plain(title, VIEW_TITLE), close: CLOSE, blocks: textBlocks(blocks) };
}

export const waitingView = (title: string, text: Inserted): ModalView => resultView({ blocks: [section(text)] }, title);

export interface Form {
  callbackId: string;
  title: string;
  submit: string;
  blocks: readonly Optional<MessageBlock>[];
  kept?: object;
}

export function formView({ callbackId, title, submit, blocks, kept = {} }: Form): ModalView {
  const buttons = { submit: plain(submit, VIEW_TITLE), close: plain('Cancel', VIEW_TITLE) };
  const about = { callback_id: callbackId, private_metadata: JSON.stringify(kept) };
  return { ...resultView({ blocks: present(blocks) }, title), ...buttons, ...about };
}

/** Throws if the form was opened by another version of Notif. */
export function keptIn<Kept>(schema: z.ZodType<Kept>, { privateMetadata }: { privateMetadata: string }): Kept {
  return schema.parse(JSON.parse(privateMetadata));
}
