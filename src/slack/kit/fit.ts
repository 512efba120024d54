import { textOf } from './as-text.ts';
import { context, type MessageBlock } from './blocks.ts';
import { tableLength } from './data-table.ts';
import { BLOCKS_JSON, DATA_TABLE_TEXT, MOST_MESSAGE_BLOCKS, OWN_BUTTON_VALUE } from './limits.ts';
import type { Markup } from './text.ts';

export interface Fitted {
  readonly blocks: readonly MessageBlock[];
  readonly shown: number;
}

/** `head` and `foot` are kept whole, so they must be short. `folded` words the line for the rows left out. */
export function fitRows(
  head: readonly MessageBlock[],
  rows: readonly (readonly MessageBlock[])[],
  foot: readonly MessageBlock[],
  folded: (left: number) => Markup,
): Fitted {
  const all = [...head, ...rows.flat(), ...foot];
  if (fits(all)) return { blocks: all, shown: rows.length };
  const lines = (shown: number) => [
    ...head,
    ...rows.slice(0, shown).flat(),
    context(folded(rows.length - shown)),
    ...foot,
  ];
  let shown = rows.length - 1;
  while (shown > 0 && !fits(lines(shown))) shown -= 1;
  return { blocks: lines(shown), shown };
}

/** Whether Slack accepts the blocks, also as text where it refuses tables. */
export function fits(blocks: readonly MessageBlock[]): boolean {
  if (blocks.some((block) => block.type === 'data_table' && tableLength(block) > DATA_TABLE_TEXT)) return false;
  const texts = blocks.flatMap((block): MessageBlock[] => (block.type === 'data_table' ? textOf(block) : [block]));
  // Long values of buttons are left out where there is no room (`sendable`).
  const json = JSON.stringify(texts).replace(BUTTON_VALUES, (value) => (value.length > OWN_BUTTON_VALUE ? '' : value));
  return texts.length <= MOST_MESSAGE_BLOCKS && json.length <= BLOCKS_JSON;
}

const BUTTON_VALUES = /(?<="value":")(?:[^"\\]|\\.)*/g;

/** As many rows as a message holds, at least one. */
export function fitCount(count: number, blocksFor: (shown: number) => readonly MessageBlock[]): Fitted {
  let [shown, over] = [Math.min(1, count), count + 1];
  for (let tried = count; over - shown > 1; tried = Math.floor((shown + over) / 2)) {
    if (fits(blocksFor(tried))) shown = tried;
    else over = tried;
  }
  return { blocks: blocksFor(shown), shown };
}
