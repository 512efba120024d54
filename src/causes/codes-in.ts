import { fieldName } from '../failures/reason.ts';

/** `field` is normalized by `fieldName`; null for a code that stands alone. */
export interface FoundCode {
  field: string | null;
  value: string;
}

export const LONGEST_READ = 2_000;
const MOST_CODES = 60;

/** Labels of an error or an answer: "failed with code", but neither "discount code" nor "order status". */
const LABEL = [
  '(?<![\\p{L}\\p{N}_-])(?<field>(?:error|err|status|response|reply|result|http)[ _-]?(?:code|status|error|errno|http|class)',
  'error|errno|http|occurred',
  '(?<![\\p{L}\\p{N}](?<!\\b(?:with|the|an?|its|by|was|got|failed|returned|carrier|provider)) )(?:code|status|class|reason|type|name))["\'`]?',
].join('|');
const STATUS = '[245]\\.\\d{1,3}\\.\\d{1,3}(?![\\d.]*\\d)';
const BEFORE_STATUS =
  '(?<![\\d.])[245]\\d\\d[ -]#?|^|[Ss]tatus[:=]?\\s?|[Ff]ailed[;,]\\s?|dsn[:=]\\s?|smtp;\\s?|\\(#?|\\[#?|\\s#';
const BEFORE_WORDS = '(?![ -]#?[245]\\.\\d)(?=[ -][\\p{Lu}\\d<[#"\']|(?<=^\\d{3})$)';
const SAID =
  '(?:[Ss](?:mtp|MTP|aid|ent|erver)|[Ff]ail(?:ed|ure)|[Ee]rror|[Rr](?:ejected|esponse|eply)|[Ll]ogin)[:;]\\s?';

const PLACES: readonly (readonly [place: RegExp, field: string | null])[] = [
  [RegExp(`${LABEL}(?:\\s?[:=#>]\\s?|\\s)["'\`(#]{0,2}(?<value>\\d{1,6})(?![\\p{L}\\p{N}_]|[.:,]\\d)`, 'giu'), null],
  [RegExp(`${LABEL}\\s?[:=]\\s?["'\`(]{0,2}(?<value>\\p{L}[\\p{L}\\p{N}_./-]{2,60})`, 'giu'), null],
  [/\((?=[^()\s]{2,80}\))(?:(?<field>[A-Za-z]{2,40})=)?(?<value>[^()\s]+)\)(?=\s*(?:$|[.;:,](?:\s|$)))/g, null],
  [/\b(?:undelivered|failed|rejected|blocked) \((?<value>\d{4,6})\)/g, null],
  [/^\[(?<value>[^[\]\s]{2,60})\]/g, null],
  [/^[45]\d\d\s+(?<value>[a-z_]{4,60})\s*$/gi, null],
  [/^(?!\d{1,3}(?![\p{L}\d_./-]))(?<value>[\p{L}\d][\p{L}\d_./-]{2,60})(?=\s*(?:$|[:(]|[-–—]\s|\.\s*$))/gu, null],
  [/: (?<value>(?:[A-Z][a-z]+){2,8})\.?$/g, null],
  [/(?:\(#(?=\d+\))|\/errors\/(?=\d{4}))(?<value>\d{1,6})(?!\d)/g, 'code'],
  [/(?<![\p{L}\p{N}_.-])(?<value>E[A-Z][A-Z0-9]{2,20}|[A-Z]{3,}(?:_[A-Z0-9]+){1,6})(?![\p{L}\p{N}_-])/gu, 'shouted'],
  [RegExp(`(?:${BEFORE_STATUS})(?<value>${STATUS})(?!\\.?[\\p{L}-])`, 'gu'), 'enhanced'],
  [RegExp(`(?<![\\d.])(?<value>[245]\\d\\d)(?=[ -]#?${STATUS})`, 'g'), 'smtp'],
  [RegExp(`(?:^|${SAID})["'\`(]?(?<value>[245]\\d\\d)${BEFORE_WORDS}`, 'gu'), 'smtp'],
];

const COMMAND =
  /\b(?:in reply to|after|while sending|refused)(?: end of| to)? (talk to me|mail from|rcpt to|data|auth|ehlo|helo|conn|initial connection)\b/i;

export function codesIn(text: string): FoundCode[] {
  const read = text.slice(0, LONGEST_READ).trim();
  const codes = PLACES.flatMap(([place, field]) =>
    [...read.matchAll(place)].map(({ groups = {} }) => {
      const { field: named, value = '' }: Partial<Record<string, string>> = groups;
      return {
        field: named === undefined ? field : fieldName(named),
        value: value.toLowerCase().replace(/[./-]+$/, ''),
      };
    }),
  );
  const isRefused = codes.some(
    ({ field, value }) => (field === 'smtp' || field === 'enhanced') && value.startsWith('5'),
  );
  const command = isRefused ? commandIn(read) : null;
  return [...codes.slice(0, MOST_CODES), ...(command === null ? [] : [{ field: 'command', value: command }])];
}

export function commandIn(text: string): string | null {
  return COMMAND.exec(text)?.[1]?.toLowerCase() ?? null;
}
