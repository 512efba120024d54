import type { KnownBlock } from '@slack/types';
import { textBlocks } from './as-text.ts';
import { contextLines, type MessageBlock, section, TEXT_WITH_NAMES } from './blocks.ts';
import { cutMarkup, type Inserted, joined, type Markup, markupIn, mrkdwn, type Optional, present } from './text.ts';

/** `text` is what screen readers and notifications say. */
export interface MessageContent {
  text: string;
  blocks: readonly MessageBlock[];
}

export function message(all: readonly Optional<MessageBlock>[]): MessageContent {
  const blocks = present(all);
  const text = joined(textBlocks(blocks).flatMap(spoken), '\n');
  return { text: `${cutMarkup(text, TEXT_WITH_NAMES)}`, blocks };
}

function spoken(block: KnownBlock): Markup[] {
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

export function sentence(text: Markup): MessageContent {
  return message([section(text)]);
}

export function whatNext(what: Inserted, next: Inserted, below: readonly KnownBlock[] = []): MessageContent {
  return message([section(joined([what, next], '\n')), ...below]);
}

export function withNote({ blocks }: MessageContent, note: Markup): MessageContent {
  return message([...blocks, ...contextLines([note])]);
}
