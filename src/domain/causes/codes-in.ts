import { fieldName, isJson, saidIn } from '../failures/answer.ts';

/** A code as an error names it: the field or word before it, in lowercase without separators, or null if it stands alone. */
export interface FoundCode {
  readonly field: string | null;
  /** In lowercase. */
  readonly value: string;
}

/** How many characters of external text are read. */
export const LONGEST_READ = 2_000;
const MOST_CODES = 60;

const LABELED_WORD =
  /(?<![\p{L}\p{N}_-])((?:error|err|status|response|reply|result|http)?[ _-]?(?:code|status|error|errno|http)|reason|type|name|occurred)["'`]?\s?[:=]\s?["'`(]{0,2}(\p{L}[\p{L}\p{N}_./-]{2,60})/giu;
const LABELED_NUMBER =
  /(?<![\p{L}\p{N}_-])((?:error|err|status|response|reply|result|http)?[ _-]?(?:code|status|error|errno|http|class))["'`]?(?:\s?[:=#]\s?|\s)["'`(#]{0,2}(\d{1,6})(?![\p{L}\p{N}_]|[.:,]\d)/giu;
/** Words after a number that make it a count: "error 550 messages". */
const COUNTED =
  /^\s?(?:%|of\b|ms\b|s\b|sec|min|hours?\b|days?\b|times?\b|bytes\b|[kmg]b\b|items?\b|messages?\b|recipients?\b|users?\b|events?\b|orders?\b|rows?\b|lines?\b|characters?\b)/i;
const AT_END = /\(([^()\s]{2,80})\)[\s.]*$/;
const IN_BRACKETS_AT_START = /^\[([^[\]\s]{2,60})\]/;
const META = /\(#(\d{1,6})\)/g;
const AT_START = /^([\p{L}\d][\p{L}\d_./-]{2,60})(?=\s*(?:$|[:(]|[-–—]\s|\.\s*$))/u;
const AFTER_STATUS = /^[45]\d\d\s+([a-z_]{4,60})\s*$/i;
const IN_ADDRESS = /\/errors\/(\d{4,6})(?!\d)/g;
/** ECONNREFUSED, ERR_TLS_CERT_ALTNAME_INVALID, CERT_HAS_EXPIRED: codes that nobody writes by accident. */
const SHOUTED = /(?<![\p{L}\p{N}_.-])(?:E[A-Z][A-Z0-9]{2,20}|[A-Z]{3,}(?:_[A-Z0-9]+){1,6})(?![\p{L}\p{N}_-])/gu;
/** `550 5.1.1 …`, `smtp; 550-5.7.26 …`, `said: 450 …`: a number in the place of an SMTP reply, not within a sentence. */
const REPLY =
  /(?:^|(?:smtp;|said:|responded:|replied:|response:?|reason:|(?:message|command) failed:|login:|error:|rejected:|returned:|status:|smtp)\s?)["'`(]?([245]\d\d)(?:[ -]#?([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)|(?=[ -](?:[\p{Lu}\d<[#"']|$))|(?=\s*$))/giu;
const LOWERCASE = /^\p{Ll}/u;
const ENHANCED_ALONE =
  /(?:^|status[:=]?\s?|dsn[:=]\s?|smtp;\s?|\(#?|\[#?|\s#)([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d|[\p{L}-])/giu;

/**
 * Returns the codes that a text names in the usual places: after a label, in brackets at the end, at the start before a colon, as a mail
 * server's reply. A number elsewhere isn't a code. Returns at most 60, in order, and takes time linear in the text, of which it reads 2,000
 * characters.
 */
export function codesIn(text: string): FoundCode[] {
  const read = text.slice(0, LONGEST_READ).trim();
  const codes = [
    ...labeled(read),
    ...standing(read, AT_END),
    ...standing(read, IN_BRACKETS_AT_START),
    ...standing(read, AFTER_STATUS),
    ...atStart(read),
    ...[...read.matchAll(META), ...read.matchAll(IN_ADDRESS)].map(([, value]) => found('code', value)),
    ...[...read.matchAll(SHOUTED)].map(([value]) => found('shouted', value)),
    ...replies(read),
  ];
  return codes.slice(0, MOST_CODES);
}

function found(field: string | null, value = ''): FoundCode {
  return { field, value: value.toLowerCase().replace(/[./-]+$/, '') };
}

function labeled(text: string): FoundCode[] {
  const numbers = [...text.matchAll(LABELED_NUMBER)].filter(
    ({ 0: whole, index }) => !COUNTED.test(text.slice(index + whole.length, index + whole.length + 12)),
  );
  const words = [...text.matchAll(LABELED_WORD)];
  return [...numbers, ...words].map(([, label = '', value]) => found(fieldName(label), value));
}

function standing(text: string, place: RegExp): FoundCode[] {
  const value = place.exec(text)?.[1];
  return value === undefined ? [] : [found(null, value)];
}

/** Returns a word or a long number at the start of the text, like codes; a short number there is a count. */
function atStart(text: string): FoundCode[] {
  const value = AT_START.exec(text)?.[1];
  return value === undefined || /^\d{1,3}$/.test(value) ? [] : [found(null, value)];
}

function replies(text: string): FoundCode[] {
  const both = [...text.matchAll(REPLY)].flatMap((match) => {
    const [whole, reply, enhanced] = match;
    if (enhanced !== undefined) return [found('enhanced', enhanced), found('smtp', reply)];
    const next = text.slice(match.index + whole.length + 1);
    return LOWERCASE.test(next) ? [] : [found('smtp', reply)];
  });
  return [...both, ...[...text.matchAll(ENHANCED_ALONE)].map(([, value]) => found('enhanced', value))];
}

const CODE_FIELD = /(?:code|status|errno|error|name|reason|type|class|subtype)$/;

/** Returns the codes in a provider's whole response, the outermost first: the values of fields for codes. Reads non-JSON like `codesIn`. */
export function codesInAnswer(raw: string): FoundCode[] {
  const text = raw.slice(0, 4 * LONGEST_READ).trim();
  if (!isJson(text)) return codesIn(text);
  return saidIn(text)
    .filter(({ name, value }) => CODE_FIELD.test(name) && /^[^\s]{1,80}$/.test(value))
    .slice(0, MOST_CODES)
    .map(({ name, value }) => found(name, value));
}
