import { textOf } from './as-text.ts';
import { context, type MessageBlock } from './blocks.ts';
import { tableLength } from './data-table.ts';
import type { Markup } from './text.ts';

const MOST_MESSAGE_BLOCKS = 50;
/** `msg_blocks_too_long` occurs from about 13,200 with Slack's IDs (slackapi/bolt-js #2509). */
const BLOCKS_JSON = 12_400;
/** In all cells of a table: Slack's pages say 10,000 or 20,000. */
const DATA_TABLE_TEXT = 9_000;

/** `head` and `foot` must be short. */
export function fitRows(
  head: readonly MessageBlock[],
  rows: readonly (readonly MessageBlock[])[],
  foot: readonly MessageBlock[],
  folded: (left: number) => Markup,
): readonly MessageBlock[] {
  return fitCount(rows.length, (shown) => {
    const left = rows.length - shown;
    return [...head, ...rows.slice(0, shown).flat(), ...(left === 0 ? [] : [context(folded(left))]), ...foot];
  });
}

/** As many as fit, but at least one. */
export function fitCount(
  count: number,
  blocksFor: (shown: number) => readonly MessageBlock[],
): readonly MessageBlock[] {
  let fitting = Math.min(1, count);
  let tooMany = count + 1;
  if (fits(blocksFor(count))) fitting = count;
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(blocksFor(middle))) fitting = middle;
    else tooMany = middle;
  }
  return blocksFor(fitting);
}

export function fits(blocks: readonly MessageBlock[]): boolean {
  if (blocks.some((block) => block.type === 'data_table' && tableLength(block) > DATA_TABLE_TEXT)) return false;
  const texts = blocks.flatMap((block): MessageBlock[] => (block.type === 'data_table' ? textOf(block) : [block]));
  return texts.length <= MOST_MESSAGE_BLOCKS && JSON.stringify(texts).length <= BLOCKS_JSON;
}
