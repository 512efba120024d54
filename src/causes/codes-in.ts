import { fieldName } from '../failures/reason.ts';

/** A code in lowercase as an error names it, with the field or word before it (`fieldName`), or null if it stands alone. */
export interface FoundCode {
  readonly field: string | null;
  readonly value: string;
}

export const LONGEST_READ = 2_000;
const MOST_CODES = 60;

const LABEL =
  '((?:(?:error|err|status|response|reply|result|http)[ _-]?)?(?:code|status|error|errno|http|class)|reason|type|name|occurred)';
const LABELED_WORD = new RegExp(
  `(?<![\\p{L}\\p{N}_-])${LABEL}["'\`]?\\s?[:=]\\s?["'\`(]{0,2}(\\p{L}[\\p{L}\\p{N}_./-]{2,60})`,
  'giu',
);
const LABELED_NUMBER = new RegExp(
  `(?<![\\p{L}\\p{N}_-])${LABEL}["'\`]?(?:\\s?[:=#]\\s?|\\s)["'\`(#]{0,2}(\\d{1,6})(?![\\p{L}\\p{N}_]|[.:,]\\d)`,
  'giu',
);
/** A label of one word says nothing after another word ('zip code', 'order status', 'your code'), except after one of these. */
const ONE_WORD = /^(?:code|status|error|errno|http|class|reason|type|name|occurred)$/i;
const WORD_BEFORE = /(?<![\p{L}\p{N}])([\p{L}\p{N}]{1,30})["'`]?\s$/u;
const BEFORE_LABEL =
  /^(?:with|errors?|failed|failure|got|returns?|returned|answered|responded|https?|smtp|api|response|and|by|provider|carrier|gateway|bounce|rejected|refused|exception|its)$/i;
/** Words after a number that make it a count: "error 550 messages". */
const COUNTED =
  /^\s?(?:%|of\b|ms\b|s\b|sec|min|hours?\b|days?\b|times?\b|bytes\b|[kmg]b\b|items?\b|messages?\b|recipients?\b|users?\b|events?\b|orders?\b|rows?\b|lines?\b|characters?\b)/i;

const IN_BRACKETS = /\(([^()\s]{2,80})\)(?=\s*(?:$|[.;:,](?:\s|$)))/g;
const IN_BRACKETS_AT_START = /^\[([^[\]\s]{2,60})\]/;
const META = /\(#(\d{1,6})\)/g;
const AT_START = /^([\p{L}\d][\p{L}\d_./-]{2,60})(?=\s*(?:$|[:(]|[-–—]\s|\.\s*$))/u;
const AFTER_STATUS = /^[45]\d\d\s+([a-z_]{4,60})\s*$/i;
const IN_ADDRESS = /\/errors\/(\d{4,6})(?!\d)/g;
/** ECONNREFUSED, ERR_TLS_CERT_ALTNAME_INVALID, CERT_HAS_EXPIRED: codes that nobody writes by accident. */
const SHOUTED = /(?<![\p{L}\p{N}_.-])(?:E[A-Z][A-Z0-9]{2,20}|[A-Z]{3,}(?:_[A-Z0-9]+){1,6})(?![\p{L}\p{N}_-])/gu;

/** `550 5.1.1 …`, `smtp; 550-5.7.26 …`, `said: 450 …`: a number where a mail server's reply begins. */
const REPLY =
  /(?:^|smtp;?\s?|[:;]\s?)["'`(]?([245]\d\d)(?:[ -]#?([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)|(?=[ -](?:[\p{Lu}\d<[#"']|$))|(?=\s*$))/giu;
/** Words after which a number is a mail server's reply, whatever follows. */
const SERVER_SAID = /(?:smtp;?|said:|responded:|replied:|response:|(?:message|command) failed:|login:)\s?$/i;
const LOWERCASE = /^\p{Ll}/u;
/** Words of mail servers, without which a number before a sentence may be a house's: '550 Main Street depot closed'. */
const MAIL_WORDS =
  /\b(?:e?-?mail|mailbox|messages?|address|users?|recipients?|senders?|relay\w*|denied|reject\w*|refus\w*|block\w*|spam|policy|quota|full|storage|size|connections?|servers?|service|again|later|temporar\w*|unavailable|unknown|accounts?|domain|host|dns|spf|dkim|dmarc|command|syntax|auth\w*|login|password|credentials?|too (?:many|large)|limit\w*|grey\w*|gray\w*|deliver\w*|prohibited|not (?:ok|permitted|allowed|accepted)|requested action|transaction|tls|smtp)\b/i;
const ENHANCED_ALONE =
  /(?:^|status[:=]?\s?|dsn[:=]\s?|smtp;\s?|\(#?|\[#?|\s#)([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d|[\p{L}-])/giu;

/** The first 60 codes. Reads 2,000 characters, in time linear in them. */
export function codesIn(text: string): FoundCode[] {
  const read = text.slice(0, LONGEST_READ).trim();
  return [
    ...labeled(read),
    ...[...read.matchAll(IN_BRACKETS)].map(([, value]) => inBrackets(value)),
    ...alone(read),
    ...[...read.matchAll(META), ...read.matchAll(IN_ADDRESS)].map(([, value]) => found('code', value)),
    ...[...read.matchAll(SHOUTED)].map(([value]) => found('shouted', value)),
    ...replies(read),
  ].slice(0, MOST_CODES);
}

function found(field: string | null, value = ''): FoundCode {
  return { field, value: value.toLowerCase().replace(/[./-]+$/, '') };
}

function labeled(text: string): FoundCode[] {
  const numbers = [...text.matchAll(LABELED_NUMBER)].filter(
    ({ 0: whole, index }) => !COUNTED.test(text.slice(index + whole.length, index + whole.length + 12)),
  );
  return [...numbers, ...text.matchAll(LABELED_WORD)]
    .filter(({ 1: label = '', index }) => isLabel(label, text.slice(Math.max(0, index - 40), index)))
    .map(([, label = '', value]) => found(fieldName(label), value));
}

function isLabel(label: string, before: string): boolean {
  const word = WORD_BEFORE.exec(before)?.[1];
  return word === undefined || !ONE_WORD.test(label) || BEFORE_LABEL.test(word);
}

/** `(21211)`, or a code that means nothing without its field: `(errcode=6)`. */
function inBrackets(text = ''): FoundCode {
  const [, field, value] = /^([A-Za-z]{2,40})=(.+)$/.exec(text) ?? [];
  return field === undefined ? found(null, text) : found(fieldName(field), value);
}

function alone(text: string): FoundCode[] {
  return [IN_BRACKETS_AT_START, AFTER_STATUS, AT_START].flatMap((place) => {
    const value = place.exec(text)?.[1];
    return value === undefined || (place === AT_START && /^\d{1,3}$/.test(value)) ? [] : [found(null, value)];
  });
}

function replies(text: string): FoundCode[] {
  const both = [...text.matchAll(REPLY)].flatMap((match) => {
    const [whole, reply, enhanced] = match;
    if (enhanced !== undefined) return [found('enhanced', enhanced), found('smtp', reply)];
    const end = match.index + whole.length;
    return isReply(text.slice(0, end - 3), text.slice(end + 1)) ? [found('smtp', reply)] : [];
  });
  return [...both, ...[...text.matchAll(ENHANCED_ALONE)].map(([, value]) => found('enhanced', value))];
}

function isReply(before: string, after: string): boolean {
  if (SERVER_SAID.test(before)) return !LOWERCASE.test(after);
  return after === '' ? before.trim() === '' : !LOWERCASE.test(after) && MAIL_WORDS.test(after.slice(0, 120));
}
