import { scrub } from './scrub.ts';

const LONGEST_LINE = 300;
/** The most characters of a longer text that are read. */
const LOOKED_AT = 20_000;

/** The first line, scrubbed, at most 300 characters. Without double-quoted text, since libraries quote the values they object to. */
export function logLine(text: string): string {
  const firstLine = text.slice(0, LOOKED_AT).replace(/[\r\n].*/s, '');
  const withoutValues = firstLine.replace(/"[^"]*("|$)/g, '"…"');
  return scrub(withoutValues).slice(0, LONGEST_LINE);
}
