/** Replaces an ID that was erased. */
export const ERASED = 'erased';

/**
 * Finds a word in a sentence, in any case. `2-b` has no `2`, and `10:17`, `1.17` and `#17`, which are a time,
 * a version and an incident, no `17`.
 */
export function wholeWord(word: string): RegExp {
  const isNumber = /\p{N}/u;
  const [before, after] = [isNumber.test([...word][0] ?? ''), isNumber.test([...word].at(-1) ?? '')];
  const escaped = word.replace(/[^\p{L}\p{N}_]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return new RegExp(
    `(?<![\\p{L}\\p{N}_-]${before ? '|\\p{N}[.,:/]|#' : ''})${escaped}(?![\\p{L}\\p{N}_-]${after ? '|[.,:/]\\p{N}' : ''})`,
    'giu',
  );
}
