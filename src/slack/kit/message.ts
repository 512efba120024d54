import type { KnownBlock, ModalView } from '@slack/types';
import type { z } from 'zod';
import { textBlocks, textOf } from './as-text.ts';
import { context, type Lines, type MessageBlock, section, TEXT_WITH_NAMES } from './blocks.ts';
import { tableLength } from './data-table.ts';
import {
  cutMarkup,
  type Inserted,
  joined,
  type Markup,
  markupIn,
  mrkdwn,
  type Optional,
  plain,
  present,
} from './text.ts';

/** `text` is what screen readers and notifications say. */
export interface MessageContent {
  text: string;
  blocks: readonly MessageBlock[];
}

export function message(all: readonly Optional<MessageBlock>[]): MessageContent {
  const blocks = present(all);
  const text = joined(textBlocks(blocks).flatMap(textsOf), '\n');
  return { text: `${cutMarkup(text, TEXT_WITH_NAMES)}`, blocks };
}

function textsOf(block: KnownBlock): Markup[] {
  switch (block.type) {
    case 'header':
      return [mrkdwn`${block.text.text}`];
    case 'section':
      return present([block.text ?? null]).map(markupIn);
    case 'context':
      return block.elements.flatMap((element) => (element.type === 'image' ? [] : [markupIn(element)]));
    default:
      return [];
  }
}

export function sentence(lines: Lines, below: readonly MessageBlock[] = []): MessageContent {
  return message([section(lines), ...below]);
}

export function withNote({ blocks }: MessageContent, note: Inserted): MessageContent {
  return message([...blocks, context(note)]);
}

const MOST_MESSAGE_BLOCKS = 50;
/** `msg_blocks_too_long` occurs from about 13,200 with Slack's IDs (slackapi/bolt-js #2509). */
const BLOCKS_JSON = 12_400;
/** In all cells of a table; Slack's pages say 10,000 or 20,000. */
const DATA_TABLE_TEXT = 9_000;

export function rowsMessage(
  head: readonly Optional<MessageBlock>[],
  rows: readonly (readonly Optional<MessageBlock>[])[],
  foot: readonly Optional<MessageBlock>[],
  folded: (left: number) => Inserted,
): MessageContent {
  return fittingMessage(rows.length, (shown) => {
    const left = rows.length - shown;
    return [...head, ...rows.slice(0, shown).flat(), left > 0 && context(folded(left)), ...foot];
  });
}

/** Shows as many of `count` as fit a message, at least one. */
export function fittingMessage(
  count: number,
  blocksFor: (shown: number) => readonly Optional<MessageBlock>[],
): MessageContent {
  let fitting = Math.min(1, count);
  let tooMany = count + 1;
  const isFitting = (shown: number) => fits(present(blocksFor(shown)));
  if (isFitting(count)) fitting = count;
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (isFitting(middle)) fitting = middle;
    else tooMany = middle;
  }
  return message(blocksFor(fitting));
}

export function fits(blocks: readonly MessageBlock[]): boolean {
  if (blocks.some((block) => block.type === 'data_table' && tableLength(block) > DATA_TABLE_TEXT)) return false;
  const texts = blocks.flatMap((block): MessageBlock[] => (block.type === 'data_table' ? textOf(block) : [block]));
  return texts.length <= MOST_MESSAGE_BLOCKS && JSON.stringify(texts).length <= BLOCKS_JSON;
}

const VIEW_TITLE = 24;
const CLOSE = plain('Close', VIEW_TITLE);

export function resultView({ blocks }: Pick<Form, 'blocks'>, title = 'Notif'): ModalView {
  return { type: 'modal', title: plain(title, VIEW_TITLE), close: CLOSE, blocks: textBlocks(present(blocks)) };
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
  return { ...resultView({ blocks }, title), ...buttons, ...about };
}

/** Throws if the form was opened by another version of Notif. */
export function keptIn<Kept>(schema: z.ZodType<Kept>, { privateMetadata }: { privateMetadata: string }): Kept {
  return schema.parse(JSON.parse(privateMetadata));
}
