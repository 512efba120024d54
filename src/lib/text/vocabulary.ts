import { LETTER } from './letters.ts';
import words from './vocabulary.json' with { type: 'json' };

/** Written by `npm run vocabulary`. */
const WORDS: ReadonlySet<string> = new Set(Object.values(words).flatMap((list) => list.split(' ')));

const NO_LETTERS = new RegExp(`[^${LETTER}]+`);
/** Between the words of `firstName` and `HTTPError`. */
const SEAMS = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

export function wordsIn(text: string): string[] {
  const runs = text.split(NO_LETTERS).filter((run) => run !== '');
  return runs.flatMap((run) => run.split(SEAMS)).map((word) => word.toLowerCase());
}

const isKnown = (word: string) => word.length === 1 || WORDS.has(word.toLowerCase());

/** Whether each word of a token is one that errors have: `InvalidPhoneNumber`, `first_name`, `smtp;550`. Single letters and digits say nothing. */
export function isVocabulary(token: string): boolean {
  return isPlainVocabulary(token) || (ACCENTED.test(token) && isPlainVocabulary(unaccented(token)));
}

const ACCENTED = /[\u00c0-\u017f]/;
/** The catalog's words have no accents. */
const unaccented = (token: string) => token.normalize('NFD').replace(/[\u0300-\u036f]+/g, '');

function isPlainVocabulary(token: string): boolean {
  if (WORDS.has(token) || WORDS.has(token.toLowerCase())) return true;
  if (/^[a-z]{2,}$/.test(token)) return false;
  return token.split(NO_LETTERS).every((run) => run === '' || isKnown(run) || run.split(SEAMS).every(isKnown));
}
