import { isShownIdName } from './fields.ts';
import { CAPITAL, HAN, KATAKANA, LETTER } from './letters.ts';
import { MASK } from './mask.ts';
import type { Piece } from './pieces.ts';
import { tokenKind } from './tokens.ts';
import { type Announced, announcedBy, isVocabulary } from './vocabulary.ts';

/** Where a word stands in what a provider says. */
interface WordPlace {
  text: string;
  /** Where the word ends in the text. */
  at: number;
  /** Whether it stands in quotes or brackets that are no sentence, or behind a sign. */
  isInside: boolean;
  /** Whether it stands in any quotes or brackets. */
  isInSpan: boolean;
  announced: Announced | null;
  /** The words directly before. */
  label: readonly string[];
}

const TITLE = new RegExp(`^[${CAPITAL}][${LETTER}'’-]+$`);

/** How a word is shown where it stands. */
export function pieceOf(place: WordPlace, word: string): Piece {
  if (word === MASK) return { text: word, is: 'mask' };
  const { isInside, announced } = place;
  // Nothing hides such a word, whatever it is: most are like that.
  if (!isInside && announced === null && /^[a-z]+$/.test(word)) return { text: word, is: 'unknown' };
  const kind = tokenKind(word);
  if (kind !== 'unknown') return { text: word, is: kind === 'number' && !isInside ? 'code' : kind };
  if (isOfSystem(place, word)) return { text: word, is: 'code' };
  if (isOfSomebody(place, word)) return { text: MASK, is: 'mask' };
  return { text: word, is: TITLE.test(word) ? 'title' : 'unknown' };
}

const IDENTIFIER = /^[A-Za-z_$][\w.$-]{0,60}$/;
/** Behind a word such as `field`, too, this can be a person's. */
const NAME = /^[A-Z][a-z]+$/;
/** Behind a field's name: `name=`, `"name": {` */
const BEFORE_VALUE = /^\\*["'`]?\s?(?:=|:(?=\s*\\*["'[{]))/;
const ABOUT_HOST =
  /(?<!\w)(?:domain|host(?:name)?|dns|enotfound|getaddrinfo|eai_again|nxdomain|esmtp|ehlo|helo)(?!\w)/i;
const DOTTED = /^(?:[\w-]+\.)+[a-z]{2,12}$/i;

/** Whether an unknown word is an ID, a field's or our sender's name, a code or a host. */
function isOfSystem({ text, at, announced, label }: WordPlace, word: string): boolean {
  if (/\d/.test(word) && isShownIdName(label.slice(-2).join(' '))) return true;
  const isField = announced === 'field' && !NAME.test(word);
  const isName = isField || announced === 'sender' || BEFORE_VALUE.test(text.slice(at, at + 10));
  if (isName && IDENTIFIER.test(word)) return true;
  if (announced !== null) return false;
  return isBracketedCode(text, at - word.length, at) || (DOTTED.test(word) && ABOUT_HOST.test(text));
}

/** `not registered in SG (SSIR)`: three to five capitals, alone in brackets. */
const BRACKETED_CODE = /^\([A-Z]{3,5}\)$/;
const isBracketedCode = (text: string, from: number, to: number) =>
  BRACKETED_CODE.test(text.slice(from - 1, to + 1)) && /[a-z]{3}/.test(text);

/** `zedekiah.quillfeather` */
const FULL_NAME = new RegExp(`^[${LETTER}]{2,}\\.[${LETTER}]{3,}$`);
/** A sentence in a script without spaces is one token. */
const UNSPACED = new RegExp(`^[${HAN}${KATAKANA}\\u3040-\\u309f\\u0e00-\\u0e7f]{10,}`);
const LATIN = /^[A-Za-z\u00c0-\u024f]+$/;

/** Whether an unknown word can be a person's name, or what somebody wrote. */
function isOfSomebody({ isInside, isInSpan, announced }: WordPlace, word: string): boolean {
  if (announced === 'username') return true;
  if (isInside && (isInSpan || !UNSPACED.test(word))) return true;
  const canBeName = (TITLE.test(word) || !LATIN.test(word)) && !UNSPACED.test(word);
  if (announced === 'person' && canBeName) return true;
  return FULL_NAME.test(word) && !word.split('.').some(isVocabulary);
}

/** `delivered to Saoirse`, `resolved to Leopoldine` */
const TO_SOMEBODY =
  /^(?:deliver|delivered|delivery|resolved|resolves|sent|send|addressed|forwarded|assigned|belongs|belonging|registered|mapped)$/i;
/** Stands before a name: `customer K. Vandermeer` */
const INITIAL = new RegExp(`^[${CAPITAL}]$`);
const OF_SENDER = /^(?:id|name|number|is)$/i;

/** Returns what the word announces, or what was announced before it, if the word doesn't end that. */
export function announcedAfter({ label, announced: before }: WordPlace, word: string, piece: Piece): Announced | null {
  const announced = announcedBy(word);
  if (announced !== undefined) return announced;
  if (word === 'to' && TO_SOMEBODY.test(label.at(-1) ?? '')) return 'person';
  if (before === 'sender' && OF_SENDER.test(word)) return before;
  if (INITIAL.test(word)) return before;
  // What a person is called can have several words, until a known one follows.
  const canGoOn = before === 'person' || before === 'username';
  return canGoOn && piece.is !== 'word' ? before : null;
}
