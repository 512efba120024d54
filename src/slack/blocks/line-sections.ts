import type { SectionBlock } from '@slack/types';
import { section } from './blocks.ts';
import { SECTION_TEXT } from './limits.ts';
import { joined, type Markup } from './text.ts';

/** A cut section would hide the lines at its end. */
export function lineSections(lines: readonly Markup[]): SectionBlock[] {
  const sections: Markup[][] = [];
  let length = SECTION_TEXT;
  for (const line of lines) {
    length += `\n${line}`.length;
    if (length > SECTION_TEXT) {
      sections.push([]);
      length = `${line}`.length;
    }
    sections.at(-1)?.push(line);
  }
  return sections.map((some) => section(joined(some, '\n')));
}
