const NUMBER = /\p{N}/u;

/**
 * Finds a word in a sentence, in any case. `2-b` has no `2`, and `10:17`, `1.17` and `#17`, which are a time,
 * a version and an incident, no `17`.
 */
export function wholeWord(word: string): RegExp {
  const characters = [...word];
  const notBefore = NUMBER.test(characters[0] ?? '') ? '|\\p{N}[.,:/]|#' : '';
  const notAfter = NUMBER.test(characters.at(-1) ?? '') ? '|[.,:/]\\p{N}' : '';
  const escaped = word.replace(/[^\p{L}\p{N}_]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return new RegExp(`(?<![\\p{L}\\p{N}_-]${notBefore})${escaped}(?![\\p{L}\\p{N}_-]${notAfter})`, 'giu');
}
