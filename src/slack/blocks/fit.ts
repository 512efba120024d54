import { context, type MessageBlock } from './blocks.ts';
import { BLOCKS_JSON, MOST_MESSAGE_BLOCKS, OWN_BUTTON_VALUE } from './limits.ts';
import { cellText } from './rich-cell.ts';
import type { Markup } from './text.ts';

export interface Fitted {
  readonly blocks: readonly MessageBlock[];
  readonly shown: number;
}

/**
 * Fits a message's blocks into Slack's limits: all of `head` and `foot`, and as many rows between them as fit. `folded` words the line that
 * replaces the rest, given their number. The callers keep `head` and `foot` few and short.
 */
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

export function fits(blocks: readonly MessageBlock[]): boolean {
  if (blocks.length > MOST_MESSAGE_BLOCKS) return false;
  return sentLength(blocks) <= BLOCKS_JSON;
}

/** Returns the length of the blocks' JSON, in characters. Of a data table only its texts count (`limits.ts`), and no long value of a button: it is left out instead (`sendable`). */
export function sentLength(blocks: readonly MessageBlock[]): number {
  const counted = blocks.map((block) =>
    block.type === 'data_table' ? block.rows.flatMap((row) => row.map(cellText)).join('') : block,
  );
  return JSON.stringify(counted).replace(BUTTON_VALUES, (value) => (value.length > OWN_BUTTON_VALUE ? '' : value))
    .length;
}

const BUTTON_VALUES = /(?<="value":")(?:[^"\\]|\\.)*/g;

/** Returns the blocks for as many of `count` rows as a message holds, at least one. `blocksFor` builds the blocks for a number of rows. */
export function fitCount(count: number, blocksFor: (shown: number) => readonly MessageBlock[]): Fitted {
  for (let shown = count; shown > 1; shown--) {
    const blocks = blocksFor(shown);
    if (fits(blocks)) return { blocks, shown };
  }
  const shown = Math.min(1, count);
  return { blocks: blocksFor(shown), shown };
}
