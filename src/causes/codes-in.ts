import { fieldName } from '../failures/reason.ts';

/** `field`: as `fieldName` writes it, null if it stands alone. `value`: in lowercase. */
export interface FoundCode {
  field: string | null;
  value: string;
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
const IN_BRACKETS = /\(([^()\s]{2,80})\)(?=\s*(?:$|[.;:,](?:\s|$)))/g;
const IN_BRACKETS_AT_START = /^\[([^[\]\s]{2,60})\]/;
const META = /\(#(\d{1,6})\)/g;
const AT_START = /^([\p{L}\d][\p{L}\d_./-]{2,60})(?=\s*(?:$|[:(]|[-–—]\s|\.\s*$))/u;
const AFTER_STATUS = /^[45]\d\d\s+([a-z_]{4,60})\s*$/i;
const IN_ADDRESS = /\/errors\/(\d{4,6})(?!\d)/g;
const SHOUTED = /(?<![\p{L}\p{N}_.-])(?:E[A-Z][A-Z0-9]{2,20}|[A-Z]{3,}(?:_[A-Z0-9]+){1,6})(?![\p{L}\p{N}_-])/gu;

const REPLY =
  /(?:^|[Ss][Mm][Tt][Pp];?\s?|[:;]\s?)["'`(]?([245]\d\d)(?:[ -]#?([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)|(?=[ -][\p{Lu}\d<[#"'])|(?<=^\d{3})$)/gu;
const ENHANCED_ALONE =
  /(?:^|status[:=]?\s?|dsn[:=]\s?|smtp;\s?|\(#?|\[#?|\s#)([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d|[\p{L}-])/giu;

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
  const both = [...text.matchAll(REPLY)].flatMap(([, reply, enhanced]) =>
    enhanced === undefined ? [found('smtp', reply)] : [found('enhanced', enhanced), found('smtp', reply)],
  );
  return [...both, ...[...text.matchAll(ENHANCED_ALONE)].map(([, value]) => found('enhanced', value))];
}
