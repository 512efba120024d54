import { scrub } from './scrub.ts';

const LONGEST_LINE = 300;
/** Of a longer text, no more is looked at. */
const LOOKED_AT = 20_000;

/**
 * What of a foreign text, such as another library's error message, may be in the log: its first line, scrubbed, at
 * most 300 characters, and without what is in double quotes, since libraries quote the values they object to
 * ('"anna…" is not valid JSON').
 */
export function logLine(text: string): string {
  const [firstLine = ''] = text.slice(0, LOOKED_AT).split(/[\r\n]/, 1);
  const withoutValues = firstLine.replace(/"[^"]*("|$)/g, '"…"');
  return scrub(withoutValues).slice(0, LONGEST_LINE);
}
