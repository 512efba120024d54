import type { KnownBlock } from '@slack/types';
import { context, type Lines, type MessageBlock, section, TEXT_WITH_NAMES } from './blocks.ts';
import { tableLength } from './data-table.ts';
import { cutMarkup, type Inserted, joined, type Markup, markupIn, type Optional, present } from './text.ts';
import { inOlderForm, textBlocks } from './text-blocks.ts';

const MOST_MESSAGE_BLOCKS = 50;
/** In characters of JSON: `msg_blocks_too_long` occurs from about 13,200 with Slack's IDs (slackapi/bolt-js #2509). */
const BLOCKS_JSON = 12_400;
/** In characters, for all cells of a table; Slack's pages say 10,000 or 20,000. */
const DATA_TABLE_TEXT = 9_000;

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
  if (block.type === 'context')
    return block.elements.flatMap((element) => (element.type === 'image' ? [] : [markupIn(element)]));
  const isTitleOrText = block.type === 'header' || block.type === 'section';
  return isTitleOrText && block.text ? [markupIn(block.text)] : [];
}

export function asMessage(lines: Lines, below: readonly MessageBlock[] = []): MessageContent {
  return message([section(lines), ...below]);
}

export function withNote({ blocks }: MessageContent, note: Inserted): MessageContent {
  return message([...blocks, context(note)]);
}

/** Shows as many rows as fit between `head` and `foot`, and says how many more there are. */
export function rowsMessage(
  head: readonly Optional<MessageBlock>[],
  rows: readonly (readonly Optional<MessageBlock>[])[],
  foot: readonly Optional<MessageBlock>[],
  moreWords: (more: number) => Inserted,
): MessageContent {
  return fittingMessage(rows.length, (shown) => {
    const more = rows.length - shown;
    return [...head, ...rows.slice(0, shown).flat(), more > 0 && context(moreWords(more)), ...foot];
  });
}

/** Shows as many of `count` rows as fit, at least one. */
export function fittingMessage(
  count: number,
  blocksFor: (shown: number) => readonly Optional<MessageBlock>[],
): MessageContent {
  let fitting = Math.min(1, count);
  let tooMany = count + 1;
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(present(blocksFor(middle)))) fitting = middle;
    else tooMany = middle;
  }
  return message(blocksFor(fitting));
}

/** Whether Slack accepts the blocks in one message. */
export function fits(blocks: readonly MessageBlock[]): boolean {
  if (blocks.some((block) => block.type === 'data_table' && tableLength(block) > DATA_TABLE_TEXT)) return false;
  // A table may have to be sent as text.
  const texts = inOlderForm(blocks, new Set(['data_table']));
  return texts.length <= MOST_MESSAGE_BLOCKS && JSON.stringify(texts).length <= BLOCKS_JSON;
}
