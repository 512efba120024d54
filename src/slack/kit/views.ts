import type { ModalView } from '@slack/types';
import type { z } from 'zod';
import { type MessageBlock, section } from './blocks.ts';
import { type Inserted, type Optional, plain, present } from './text.ts';
import { asTextBlocks } from './text-blocks.ts';

export interface Form {
  callbackId: string;
  title: string;
  submit: string;
  blocks: readonly Optional<MessageBlock>[];
  /** What `keptIn` reads again when the form is submitted. */
  kept?: object;
}

/** Slack's limit, in characters. */
const VIEW_TITLE = 24;
const CLOSE = plain('Close', VIEW_TITLE);

/** Blocks of newer kinds become text, since modals don't accept them. */
export function resultView({ blocks }: Pick<Form, 'blocks'>, title = 'Notif'): ModalView {
  const texts = present(blocks).flatMap((block) => asTextBlocks(block, { hasTimeZones: true }));
  return { type: 'modal', title: plain(title, VIEW_TITLE), close: CLOSE, blocks: texts };
}

export const waitingView = (title: string, text: Inserted): ModalView => resultView({ blocks: [section(text)] }, title);

export function formView({ callbackId, title, submit, blocks, kept = {} }: Form): ModalView {
  return {
    ...resultView({ blocks }, title),
    callback_id: callbackId,
    submit: plain(submit, VIEW_TITLE),
    close: plain('Cancel', VIEW_TITLE),
    private_metadata: JSON.stringify(kept),
  };
}

export function keptIn<Kept>(schema: z.ZodType<Kept>, { privateMetadata }: { privateMetadata: string }): Kept {
  return schema.parse(JSON.parse(privateMetadata));
}
