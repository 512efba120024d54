import type { SectionBlock } from '@slack/types';
import { section } from './blocks.ts';
import { SECTION_TEXT } from './limits.ts';
import { joined, type Markup } from './text.ts';

/** Puts lines into as few sections as can hold them uncut: a cut section would hide the lines at its end. */
export function lineSections(lines: readonly Markup[]): SectionBlock[] {
  const sections: Markup[][] = [];
  for (const line of lines) {
    const last = sections.at(-1);
    if (last !== undefined && `${joined([...last, line], '\n')}`.length <= SECTION_TEXT) last.push(line);
    else sections.push([line]);
  }
  return sections.map((some) => section(joined(some, '\n')));
}
