import { announcedAfter, pieceOf } from './echoed-words.ts';
import { holdsValues, maskedField, valueAfter } from './field-values.ts';
import { type FieldKind, isSentenceField, readLabel } from './fields.ts';
import { anyOf, LETTER, LETTER_OR_DIGIT } from './letters.ts';
import { hideBeside, hideNumbers, hideTitles, joined, type Piece } from './pieces.ts';
import { type Announced, isVocabulary } from './vocabulary.ts';

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
  const span = reading.spans.at(-1);
  const { text, at, announced, label } = reading;
  const isInside = reading.followsSign || span?.isSentence === false;
  const place = { text, at, isInside, isInSpan: span !== undefined, announced, label };
  const piece = pieceOf(place, word);
  reading.announced = announcedAfter(place, word, piece);
  reading.pieces.push(piece);
  reading.label.push(word);
  reading.quotedKey = null;
  if (end === '') return;
  push(reading, end, 'gap');
  // After a sentence, outside of quotes or in one that is a sentence, no sign comes before.
  const isEnd = word.length > 2 && /^\s/.test(text.charAt(at)) && isVocabulary(word);
  if (isEnd && span?.isSentence !== false) reading.followsSign = span === undefined && reading.isEcho;
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
