import { scrub } from './scrub.ts';

const LONGEST_LINE = 300;
/** The most characters of a longer text that are read. */
const LOOKED_AT = 20_000;

/**
 * Returns the part of a foreign text, such as another library's error message, that can be logged: its first line, scrubbed, at most 300
 * characters, and without double-quoted text, since libraries quote the values they object to ('"anna…" is not valid JSON').
 */
export function logLine(text: string): string {
  const firstLine = text.slice(0, LOOKED_AT).replace(/[\r\n].*/s, '');
  const withoutValues = firstLine.replace(/"[^"]*("|$)/g, '"…"');
  return scrub(withoutValues).slice(0, LONGEST_LINE);
}
