/**
 * Classes of characters for patterns: Unicode's own (`\p{L}`) have hundreds of ranges each, and a few dozen patterns of them don't fit a processor's
 * cache. These are wide enough for what can be beside a name.
 */
export const LETTER =
  'A-Za-z\\u00aa\\u00b5\\u00ba\\u00c0-\\u1fff\\u2c00-\\u2dff\\u3005\\u3040-\\ud7ff\\uf900-\\ufaff\\uff66-\\uffdc';
export const LETTER_OR_DIGIT = `0-9${LETTER}`;
/** Latin, Greek and Cyrillic. */
export const CAPITAL = 'A-Z\\u00c0-\\u00de\\u0100-\\u017d\\u0386-\\u03ab\\u0400-\\u042f';
export const HAN = '\\u3005\\u4e00-\\u9fff\\u3400-\\u4dbf';
export const KATAKANA = '\\u30a0-\\u30ff';
export const HANGUL = '\\uac00-\\ud7a3';

/** Of words or patterns, a kind or a language a line. */
export const anyOf = (...alternatives: readonly string[]): string => alternatives.join('|');
