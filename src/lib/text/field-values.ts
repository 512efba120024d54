import { type FieldKind, fieldKind, isSentenceField, isShownId } from './fields.ts';
import { MASK } from './mask.ts';
import type { FieldRole } from './scrub-value.ts';
import { isStatus, tokenKind } from './tokens.ts';
import { isVocabulary } from './vocabulary.ts';

/** A value in quotes, also escaped or without an end: "Hi \"Ann\"", \"Hi Ann\", 'O'Neil' */
const QUOTED =
  /\s*(?:"(?:[^"\\]|\\.)*"?|(\\+)"(?:(?!\1")[\s\S])*(?:\1")?|'(?:[^'\\]|\\.|'(?=\p{L}))*'?|“[^”]*”?|«[^»]*»?|「[^」]*」?)/uy;
/** {"a": {"b": 1}}, [1, [2]] */
const BRACKETED = /\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}?|\[(?:[^[\]]|\[[^[\]]*\])*\]?)/y;
const PLAIN = /[^;&|}\]]*/y;
/** `, status: …` and ` status=…` behind a value */
const NEXT_FIELD = /,\s*["']?[\w.]{1,40}["']?\s?[=:]|\s[\w.]{2,40}=/;
/** A word behind `=` is the value, up to where the sentence goes on: `iban=DE89… rejected`. */
const WORD = / ?[^\s;&|}\]"']+/y;

/** The value that begins at a place, with its quotes or brackets. */
export function valueAfter(text: string, at: number, isWord: boolean): string {
  for (const pattern of [QUOTED, BRACKETED, isWord ? WORD : PLAIN]) {
    pattern.lastIndex = at;
    const [value = ''] = pattern.exec(text) ?? [];
    if (value !== '') return pattern === PLAIN ? (value.split(NEXT_FIELD, 1)[0] ?? '') : value;
  }
  return '';
}

const ERROR_WORD = new RegExp(
  [
    "(?<![\\p{L}_])(?:\\p{L}+n['’]t|can['’]t|spam|virus|found|detected|required|missing|invalid|empty|blank|null|nil|undefined|must|not|no|cannot|too|exceed\\p{L}*|un(?:known|supported|expected|able|registered)",
    'malformed|errors?|fail\\p{L}*|reject\\p{L}*|refused|denied|blocked|bad|expected|unauthorized|forbidden|limit|expired|disabled|wrong|incorrect',
    'unavailable|undeliver\\p{L}*|ungültig\\p{L}*|fehlt|invalide|inválido|manquant|неверный)(?![\\p{L}_])',
  ].join('|'),
  'iu',
);
const IS_NOTHING = /^(?:true|false|null|undefined|nil|none|\d{1,3})?$/i;

const wordsOf = (value: string) => value.split(/[\s"'`“”«»\\,()[\]{}]+/).filter((word) => word !== '');

/** Masks the value of a field by its kind. It's null where the field says what is wrong: `body: Invalid sender`, `firstName is required`. */
export function maskedField(kind: FieldKind, value: string): string | null {
  const words = wordsOf(value);
  const isNothing = words.length === 1 && IS_NOTHING.test(words[0] ?? '');
  if (isNothing || words.every((word) => word.includes(MASK))) return null;
  if (kind === 'values') return MASK;
  const saysWhatIsWrong = ERROR_WORD.test(value) || isStatus(words[0] ?? '');
  if (kind === 'content') {
    const isAnswer = saysWhatIsWrong || words.length === 1 || isShortAnswer(value, words);
    return isAnswer ? null : MASK;
  }
  // A name can be like one word of an error.
  const isAnswer = saysWhatIsWrong && words.length > 1 && words.every((word) => tokenKind(word) === 'word');
  return isAnswer ? null : MASK;
}

const SPOKEN = /(?<!\p{L})(?:you|your|yours|we|our|i|me|my|hi|hello|dear|please|dein|ihr|votre|su|tu|ваш)(?!\p{L})/iu;

/** `SPAM URL FOUND`, but not `Your order is here` */
function isShortAnswer(value: string, words: readonly string[]) {
  return words.length <= 6 && !SPOKEN.test(value) && words.every((word) => tokenKind(word) === 'word');
}

const OBJECT = /^\s*(\[?\{[^}]*\})/;
/** Ends of names of fields that hold what a template is filled with, or parts of a message. */
const HOLDING = /(?:^|\s)(?:var(?:iable)?s?|embeds|notification|blocks|cards)$/i;

/** `variables: {"balance":"-318.20"}`, `embeds: [{"title":…`, but not where it's said what is wrong with them, or which they are. */
export function holdsValues(name: string, value: string): boolean {
  const [, object] = (HOLDING.test(name) && OBJECT.exec(value)) || [];
  return object !== undefined && !ERROR_WORD.test(object);
}

/** Beside one of these, `text` and `title` can be the error's. */
const ERROR_FIELD = /^(?:code|error_?code|status|status_?code|type|errors?)$/i;
const ERROR_TEXT = /^(?:text|title|headline)$/i;
/** Beside one of these, `message` can be what was sent. */
const REQUEST_FIELD =
  /^(?:to|from|recipients?|destination|phone|msisdn|number|errors?|reason|error_?(?:message|description|text))$/i;
const SENT_TEXT = /^(?:message|msg|description)$/i;
const PLAIN_ID = /^(?=.*\d)[\w.:/+=-]{4,120}$/;

/** Whether a value has its name beside it, and that is a variable's: `{ key: 'diagnosis', value: 'F32.1' }` */
function isUnknownName(object: object) {
  const { key, name = key, field = name }: { key?: unknown; name?: unknown; field?: unknown } = object;
  if (typeof field !== 'string') return false;
  return fieldKind(field) !== null || !(isVocabulary(field) || isShownId(field));
}

/** How a field of a provider's answer is shown. */
export function roleOf(name: string, object: object): FieldRole {
  const value: unknown = Object.getOwnPropertyDescriptor(object, name)?.value;
  const hasOther = (names: RegExp) => Object.keys(object).some((other) => other !== name && names.test(other));
  if (typeof value === 'string' && PLAIN_ID.test(value) && isShownId(name)) return 'shown';
  if (/^value$/i.test(name) && isUnknownName(object)) return 'masked';
  if (holdsValues(name, JSON.stringify(value) ?? '')) return 'masked';
  // Beside a browser or a place, it's the address of whoever opened the message.
  if (/^ip$/i.test(name) && hasOther(/^user_?agent$|^geo/i)) return 'masked';
  const kind = fieldKind(name);
  if (kind === null) {
    const canBeSent = SENT_TEXT.test(name) && hasOther(REQUEST_FIELD);
    return isSentenceField(name) && !canBeSent ? 'sentence' : 'echo';
  }
  if (ERROR_TEXT.test(name) && hasOther(ERROR_FIELD)) return 'echo';
  // A title beside a text is a message's.
  const isOfMessage =
    kind === 'content' && Object.keys(object).some((other) => other !== name && fieldKind(other) === kind);
  if (isOfMessage && typeof value === 'string' && !ERROR_WORD.test(value)) return 'masked';
  if (kind === 'values' || (kind === 'person' && typeof value === 'number')) return 'masked';
  return typeof value === 'string' && maskedField(kind, value) !== null ? 'masked' : 'echo';
}
