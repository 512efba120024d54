import { fieldName } from '../failures/reason.ts';

/** `field`: as `fieldName` writes it, null if it stands alone. `value`: in lowercase. */
export interface FoundCode {
  field: string | null;
  value: string;
}

export const LONGEST_READ = 2_000;
const MOST_CODES = 60;

/** Of an error or an answer: "error code", "failed with code", but neither "discount code" nor "order status". */
const LABEL = [
  '(?<![\\p{L}\\p{N}_-])((?:error|err|status|response|reply|result|http)[ _-]?(?:code|status|error|errno|http|class)',
  'error|errno|http|occurred',
  '(?<![\\p{L}\\p{N}](?<!\\b(?:with|the|an?|its|by|was|got|failed|returned|carrier|provider)) )(?:code|status|class|reason|type|name))',
].join('|');
const LABELED_WORD = new RegExp(`${LABEL}["'\`]?\\s?[:=]\\s?["'\`(]{0,2}(\\p{L}[\\p{L}\\p{N}_./-]{2,60})`, 'giu');
const LABELED_NUMBER = new RegExp(
  `${LABEL}["'\`]?(?:\\s?[:=#]\\s?|\\s)["'\`(#]{0,2}(\\d{1,6})(?![\\p{L}\\p{N}_]|[.:,]\\d)`,
  'giu',
);
const IN_BRACKETS =
  /\(([^()\s]{2,80})\)(?:(?=\s*(?:$|[.;:,](?:\s|$)))|(?<=\b(?:undelivered|failed|rejected|blocked) \(\d{4,6}\)))/g;
const IN_BRACKETS_AT_START = /^\[([^[\]\s]{2,60})\]/;
const META = /\(#(\d{1,6})\)/g;
const AT_START = /^([\p{L}\d][\p{L}\d_./-]{2,60})(?=\s*(?:$|[:(]|[-–—]\s|\.\s*$))/u;
const AFTER_STATUS = /^[45]\d\d\s+([a-z_]{4,60})\s*$/i;
const IN_ADDRESS = /\/errors\/(\d{4,6})(?!\d)/g;
const SHOUTED = /(?<![\p{L}\p{N}_.-])(?:E[A-Z][A-Z0-9]{2,20}|[A-Z]{3,}(?:_[A-Z0-9]+){1,6})(?![\p{L}\p{N}_-])/gu;

/** A mail server's, alone only where one stands: at the start, or behind "said", "failed" or the like. */
const REPLY =
  /(?<![\d.])([245]\d\d)[ -]#?([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)|(?:^|(?:[Ss](?:mtp|MTP|aid|ent|erver)|[Ff]ail(?:ed|ure)|[Ee]rror|[Rr](?:ejected|esponse|eply)|[Ll]ogin)[:;]\s?)["'`(]?([245]\d\d)(?![ -]#?[245]\.\d)(?=[ -][\p{Lu}\d<[#"']|(?<=^\d{3})$)/gu;
const ENHANCED_ALONE =
  /(?:^|status[:=]?\s?|failed[;,]\s?|dsn[:=]\s?|smtp;\s?|\(#?|\[#?|\s#)([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d|[\p{L}-])/giu;
const COMMAND =
  /\b(?:in reply to|after|while sending|refused)(?: end of| to)? (talk to me|mail from|rcpt to|data|auth|ehlo|helo|conn|initial connection)\b/i;

export function codesIn(text: string): FoundCode[] {
  const read = text.slice(0, LONGEST_READ).trim();
  return [
    ...labeled(read),
    ...[...read.matchAll(IN_BRACKETS)].map(([, value]) => inBrackets(value)),
    ...alone(read),
    ...[...read.matchAll(META), ...read.matchAll(IN_ADDRESS)].map(([, value]) => found('code', value)),
    ...[...read.matchAll(SHOUTED)].map(([value]) => found('shouted', value)),
    ...replies(read),
    ...refused(read),
  ].slice(0, MOST_CODES);
}

/** To which a mail server replied; it knows no recipient before `rcpt to`. */
export function commandIn(text: string): 'conn' | 'auth' | 'mail from' | 'rcpt to' | 'data' | null {
  const command = (COMMAND.exec(text)?.[1] ?? '').toLowerCase();
  return (
    (['auth', 'mail from', 'rcpt to', 'data'] as const).find((named) => named === command) ??
    (command === '' ? null : 'conn')
  );
}

function found(field: string | null, value = ''): FoundCode {
  return { field, value: value.toLowerCase().replace(/[./-]+$/, '') };
}

function labeled(text: string): FoundCode[] {
  const labels = [...text.matchAll(LABELED_NUMBER), ...text.matchAll(LABELED_WORD)];
  return labels.map(([, label = '', value]) => found(fieldName(label), value));
}

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
  const both = [...text.matchAll(REPLY)].flatMap(([, reply, enhanced, bare]) =>
    enhanced === undefined ? [found('smtp', bare)] : [found('enhanced', enhanced), found('smtp', reply)],
  );
  return [...both, ...[...text.matchAll(ENHANCED_ALONE)].map(([, value]) => found('enhanced', value))];
}

/** The command that a mail server refused for good. */
function refused(text: string): FoundCode[] {
  const command = replies(text).some(({ value }) => value.startsWith('5')) ? commandIn(text) : null;
  return command === null ? [] : [found('command', command)];
}
