import { comparable, isIncidentNumber, matched, type NamedIncident } from './incident-names.ts';

/** More words than this match no incident. */
const MOST_NAMING = 6;

/**
 * Splits what was typed for a note into the words that name the incident and the text. A number names one (`#17 key rotated`, with or
 * without its `#`); otherwise as many words from the start as match open incidents do. A text may be in quotes.
 */
export function noteTyped(
  typed: string,
  open: readonly NamedIncident[],
): { readonly incident: readonly string[]; readonly text: string } {
  const words = typed.split(/\s+/u).filter((word) => word !== '');
  const naming = isNumber(words[0] ?? '') ? 1 : namingWords(words, open);
  return { incident: words.slice(0, naming), text: unquoted(words.slice(naming).join(' ')) };
}

function unquoted(text: string): string {
  return /^"([^"]*)"$/u.exec(text)?.[1] ?? text;
}

function isNumber(word: string): boolean {
  return isIncidentNumber(word) || isIncidentNumber(`#${word}`);
}

/** Returns how many words from the start match open incidents; 1 if none does, so that the answer can suggest one. */
function namingWords(words: readonly string[], open: readonly NamedIncident[]): number {
  const known = comparable(open);
  for (let many = Math.min(MOST_NAMING, words.length); many > 1; many--) {
    if (matched(words.slice(0, many), known) !== null) return many;
  }
  return 1;
}
