import { UNIT_NAMES } from '../unit-names.ts';

/** How a filter's value goes on after a space: what was typed before, the next piece, and what joins them. */
type Continuation = readonly [before: RegExp, next: RegExp, between: ' ' | ''];

const UNIT = new RegExp(`^${UNIT_NAMES}$`, 'i');

const CONTINUATIONS: readonly Continuation[] = [
  /** since:3 hours */
  [/^(?:since|until|within|every):\d{1,6}$/i, UNIT, ' '],
  /** since:1h 30m */
  [/^(?:since|until|within|every):\d{1,6} ?[a-z]{1,7}$/i, /^\d{1,6}[smhdw][a-z]{0,6}$/i, ' '],
  /** since:2h ago */
  [/^(?:since|until):\d[\da-z ]{1,40}$/i, /^ago$/i, ' '],
  /** since:2025-01-31 22:15 */
  [
    /^(?:since|until):(?:\d{4}-\d{2}-\d{2}|today|yesterday)$/i,
    /^\d{1,2}:\d{2}(?:[:.\d]*)(?:[a-z]{1,3}|[+-][\d:]+)?$/i,
    ' ',
  ],
  /** since:10:15 pm, until:2025-01-31 22:15 UTC */
  [/^(?:since|until):[\d:.T -]{1,40}$/i, /^(?:[ap]\.?m\.?|utc|gmt|z)$/i, ' '],
  /** rate:5, and a percent sign */
  [/^rate:[\d.,]{1,10}$/i, /^%$/, ''],
  /** quiet:22:00 - 07:00 */
  [/^quiet:\d{1,2}:\d{2}$/i, /^-/, ''],
  [/^quiet:\d{1,2}:\d{2}-$/i, /^\d{1,2}:\d{2}$/, ''],
  /** tz:New York */
  [/^tz:[\p{L}/ ]{1,40}$/iu, /^\p{Lu}\p{L}+$/u, ' '],
];

/** Returns what was typed before with its next piece, if that goes on with a filter's value after a space; else null. */
export function continued(before: string, piece: string): string | null {
  const found = CONTINUATIONS.find(([start, next]) => start.test(before) && next.test(piece));
  return found === undefined ? null : `${before}${found[2]}${piece}`;
}
