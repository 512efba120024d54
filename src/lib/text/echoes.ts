import { holdsValues, maskedField, valueAfter } from './field-values.ts';
import { type FieldKind, isSentenceField, isShownIdName, readLabel } from './fields.ts';
import { anyOf, CAPITAL, HAN, KATAKANA, LETTER, LETTER_OR_DIGIT } from './letters.ts';
import { MASK } from './mask.ts';
import { hideBeside, hideNumbers, hideTitles, joined, type Piece } from './pieces.ts';
import { tokenKind } from './tokens.ts';
import { type Announced, announcedBy, isVocabulary } from './vocabulary.ts';

/** An open quote or bracket. */
interface Span {
  close: string;
  /** The first piece in it. */
  from: number;
  /** Whether what is around it follows a sign. */
  followsSign: boolean;
  /** Whether it is a sentence of its own: `"message":"…"`. */
  isSentence: boolean;
}

interface Reading {
  text: string;
  /** Whether all of it is an echo, as the value of a field. */
  isEcho: boolean;
  /** Where the next token begins. */
  at: number;
  pieces: Piece[];
  spans: Span[];
  /** Whether `:` or `=` came before, in this sentence or span. */
  followsSign: boolean;
  announced: Announced | null;
  /** The name in quotes whose value comes next: `"message":` */
  quotedKey: string | null;
  /** The words directly before, which a sign makes a name. */
  label: string[];
}

const MARKS = '"\'`“”„«»‹›‘’「」『』《》()\\[\\]{}<>';
const GAPS = '\\s,;|&、。，！？';
/** A token begins where the one before ended. */
const TOKEN = new RegExp(
  anyOf(
    // a word; an apostrophe in it: O'Neil
    `(?:[^${GAPS}:=\\\\${MARKS}]|(?<=[${LETTER_OR_DIGIT}])['’](?=[${LETTER}]))+`,
    `[${GAPS}]+`,
    // {{ subscriber.firstName }}
    '\\{\\{[\\w.\\s]{1,80}\\}\\}',
    // a quote or bracket, also escaped: \"
    `\\\\*[${MARKS}]`,
    // a sign: =, :, =>
    '[:=]+>?',
  ),
  'y',
);
const NO_WORD = new Set(' \t\n,;|&、。，！？:=\\"\'`“”„«»‹›‘’「」『』《》()[]{}<>');
/** A word that has colons in it. */
const WITH_COLONS = new RegExp(
  anyOf(
    // https://acme.example/a
    '[a-z][a-z\\d+.-]{1,20}:\\/\\/[^\\s"\'<>()[\\]{}]+',
    `(?:${anyOf(
      // 12:30:05
      '\\d{1,4}(?::\\d{2,5})+',
      // 2001:db8::1
      '(?:[\\da-f]{0,4}:){2,7}[\\da-f]{0,4}',
      // mx.acme.example:25
      '(?:[\\w-]+\\.)+[a-z]{2,24}:\\d{1,5}',
      // arn:aws:sns:…
      'arn:[\\w:/.*-]+',
      // MI:STC, why a network rejected a message
      '[a-z]{2}:[a-z]{3}',
    )})(?![\\w\\u00c0-\\u1fff:])`,
  ),
  'iy',
);

/**
 * Masks what a provider's sentence echoes: what stands in quotes, in brackets, behind `:` or `=` and behind a word for a person, unless it's a word
 * of the vocabulary, a number, a code or a host: `user "Zedekiah" not found (code=17)` becomes `user "•••" not found (code=17)`. With `isEcho`, all
 * of the text is read as if it stood there.
 */
export function withoutEchoes(text: string, isEcho = false): string {
  const pieces: Piece[] = [];
  const reading: Reading = {
    text,
    isEcho,
    at: 0,
    pieces,
    spans: [],
    followsSign: isEcho,
    announced: null,
    quotedKey: null,
    label: [],
  };
  while (reading.at < text.length) readToken(reading);
  for (const { close, from, isSentence } of reading.spans) if (isQuote(close)) hideNumbers(pieces, from, isSentence);
  hideTitles(pieces);
  hideBeside(pieces);
  return joined(pieces);
}

function readToken(reading: Reading) {
  const { text, at } = reading;
  TOKEN.lastIndex = at;
  const token = TOKEN.test(text) ? text.slice(at, TOKEN.lastIndex) : text.charAt(at);
  const first = token.charAt(0);
  const isWord = !NO_WORD.has(first);
  // A colon can follow the word, or begin an address: ::1
  const hasColon = text.charAt(isWord ? at + token.length : at) === ':';
  const withColons = hasColon ? tokenAt(WITH_COLONS, text, at) : '';
  reading.at += Math.max(token.length, withColons.length);
  if (withColons !== '') return push(reading, withColons, 'code');
  if (isWord) return readWord(reading, token);
  if (token.length > 2 && token.startsWith('{{')) return push(reading, token, 'code');
  push(reading, token, 'gap');
  if (first === ' ' && token.length === 1) return;
  if (first === ':' || first === '=') return readSign(reading, token);
  const mark = token.charAt(token.length - 1);
  if (isMark(mark)) return readMark(reading, mark);
  // What follows in a list has no sign before it, and no words that name it.
  if (/[;|]/.test(token) && reading.spans.length === 0) reading.followsSign = reading.isEcho;
  if (/[,;|&、]/.test(token)) reading.label = [];
}

const push = ({ pieces }: Reading, text: string, is: Piece['is']) => void pieces.push({ text, is });

function tokenAt(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

function readWord(reading: Reading, token: string) {
  const end = '.!?…'.includes(token.charAt(token.length - 1)) ? (/[.!?…]+$/.exec(token)?.[0] ?? '') : '';
  const word = end === '' ? token : token.slice(0, -end.length);
  const piece = pieceOf(reading, word);
  reading.pieces.push(piece);
  reading.label.push(word);
  reading.quotedKey = null;
  reading.announced = announcedAfter(reading, word, piece);
  if (end === '') return;
  push(reading, end, 'gap');
  const span = reading.spans.at(-1);
  // After a sentence, outside of quotes or in one that is a sentence, no sign comes before.
  const isEnd = word.length > 2 && /^\s/.test(reading.text.charAt(reading.at)) && isVocabulary(word);
  if (isEnd && span?.isSentence !== false) reading.followsSign = span === undefined && reading.isEcho;
}

/** `delivered to Saoirse`, `resolved to Leopoldine` */
const TO_SOMEBODY =
  /^(?:deliver|delivered|delivery|resolved|resolves|sent|send|addressed|forwarded|assigned|belongs|belonging|registered|mapped)$/i;
/** Stands before a name: `customer K. Vandermeer` */
const INITIAL = new RegExp(`^[${CAPITAL}]$`);
const OF_SENDER = /^(?:id|name|number|is)$/i;

/** Returns what the word announces, or what was announced before it, if the word doesn't end that. */
function announcedAfter({ label, announced: before }: Reading, word: string, piece: Piece): Announced | null {
  const announced = announcedBy(word);
  if (announced !== undefined) return announced;
  if (word === 'to' && TO_SOMEBODY.test(label.at(-2) ?? '')) return 'person';
  if (before === 'sender' && OF_SENDER.test(word)) return before;
  if (INITIAL.test(word)) return before;
  // What a person is called can have several words, until a known one follows.
  const canGoOn = before === 'person' || before === 'username';
  return canGoOn && piece.is !== 'word' ? before : null;
}

const TITLE = new RegExp(`^[${CAPITAL}][${LETTER}'’-]+$`);

function pieceOf(reading: Reading, word: string): Piece {
  if (word === MASK) return { text: word, is: 'mask' };
  const { spans, followsSign, announced } = reading;
  const isInside = followsSign || spans.at(-1)?.isSentence === false;
  // Nothing hides such a word, whatever it is: most are like that.
  if (!isInside && announced === null && /^[a-z]+$/.test(word)) return { text: word, is: 'unknown' };
  const kind = tokenKind(word);
  if (kind !== 'unknown') return { text: word, is: kind === 'number' && !isInside ? 'code' : kind };
  if (isOfSystem(reading, word)) return { text: word, is: 'code' };
  if (isOfSomebody(reading, word, isInside)) return { text: MASK, is: 'mask' };
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
function isOfSystem({ text, at, announced, label }: Reading, word: string): boolean {
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

/** Whether an unknown word can be a person's name, or what somebody wrote. `isInside`: it stands in quotes or brackets, or behind a sign. */
function isOfSomebody({ spans, announced }: Reading, word: string, isInside: boolean): boolean {
  if (announced === 'username') return true;
  if (isInside && (spans.length > 0 || !UNSPACED.test(word))) return true;
  const canBeName = (TITLE.test(word) || !LATIN.test(word)) && !UNSPACED.test(word);
  if (announced === 'person' && canBeName) return true;
  return FULL_NAME.test(word) && !word.split('.').some(isVocabulary);
}

/** A sign makes the words before it a name, and what follows a value. */
function readSign(reading: Reading, sign: string) {
  const { text, pieces, at } = reading;
  // `550 <j•••@acme.example>: Adresse inconnue`: the reply itself.
  if (sign === ':' && text.charAt(at - 2) === '>' && text.charAt(at) === ' ') return;
  const label = reading.label.slice(-3);
  reading.followsSign = true;
  reading.label = [];
  reading.quotedKey = pieces.at(-2)?.text.endsWith('"') ? (label.at(-1) ?? null) : null;
  const named = readLabel(label.join(' '));
  if (named.isSender) reading.announced = 'sender';
  if (named.isShownId) return showId(reading);
  hideValue(reading, sign, label, named.kind);
}

const VARIABLE = /^(?:variables?|placeholders?|substitutions?|merge|personali[sz]ations?)$/i;
const VALUE_START = /^[\s\\"'`“«「]*/;
const VALUE_END = /(?:\\*["'`”»」])?\s*$/;

/** Masks the value of a field that is a person's, a message's or a template's, but for its quotes. `label` is the words before the sign. */
function hideValue(reading: Reading, sign: string, label: readonly string[], named: FieldKind | null) {
  const { text, at } = reading;
  // `{{ amount }} = 1.299,00 €`, `Template variable amount="1.299,00 €"`
  const isFilled = text.startsWith('}}', at - sign.length - 3) || text.startsWith('}}', at - sign.length - 2);
  const isVariable = sign === '=' && (isFilled || label.slice(0, -1).some((word) => VARIABLE.test(word)));
  const holds = isVariable || holdsValues(label.at(-1) ?? '', text.slice(at));
  const kind = named ?? (holds ? 'values' : null);
  if (kind === null) return;
  const value = valueAfter(text, at, sign === '=' && (isVariable || kind === 'person'));
  const masked = maskedField(kind, value);
  if (masked === null) return;
  push(reading, VALUE_START.exec(value)?.[0] ?? '', 'gap');
  push(reading, masked, 'mask');
  push(reading, VALUE_END.exec(value)?.[0] ?? '', 'gap');
  reading.at += value.length;
}

/** `4XyZ12-AbCd` of `request id: 4XyZ12-AbCd` */
const SHOWN_ID = /\s*\\*["']?(?=[^\s"'@]*\d)[\w.:/+=-]{4,120}/y;

function showId(reading: Reading) {
  const id = tokenAt(SHOWN_ID, reading.text, reading.at);
  push(reading, id, 'code');
  reading.at += id.length;
}

/** Each opening mark with its closing one. */
const PAIRS = '"" \'\' `` “” „“ «» »« ‹› ‘’ 「」 『』 《》 () [] {} <>'.split(' ');
const CLOSING: Readonly<Record<string, string>> = Object.fromEntries(PAIRS.map(([open, close]) => [open, close]));
const CLOSERS = new Set(Object.values(CLOSING));
const isMark = (mark: string) => CLOSING[mark] !== undefined || CLOSERS.has(mark);
const isQuote = (mark: string) => !/[)\]}>]/.test(mark);
/** An apostrophe has no partner so near. */
const LONGEST_QUOTE = 300;
/** A text of brackets alone doesn't take long. */
const DEEPEST = 20;

function readMark(reading: Reading, mark: string) {
  const { text, at, spans, pieces, quotedKey } = reading;
  const open = spans.findLastIndex(({ close }) => close === mark);
  if (open >= 0) {
    const [span] = spans.splice(open);
    if (span !== undefined && isQuote(mark)) hideNumbers(pieces, span.from, span.isSentence);
    reading.followsSign = span?.followsSign ?? false;
  } else if (CLOSING[mark] !== undefined && spans.length < DEEPEST && opens(mark, text, at)) {
    const isSentence = mark === '"' && quotedKey !== null && isSentenceField(quotedKey);
    spans.push({ close: CLOSING[mark], from: pieces.length, followsSign: reading.followsSign, isSentence });
    reading.followsSign = false;
  }
  if (mark !== '"' && mark !== "'" && mark !== '`') reading.label = [];
}

/** Whether a quote or bracket begins with the mark that ends at `at`: not in `5 < 6` and `users' own`. */
function opens(mark: string, text: string, at: number) {
  if (mark !== '<' && mark !== "'" && mark !== '‘') return true;
  const close = text.slice(at, at + LONGEST_QUOTE).indexOf(CLOSING[mark] ?? '');
  return close > 0 && !/^\s/.test(text.charAt(at)) && !/[\p{L}\p{N}]$/u.test(text.charAt(at - 2));
}
