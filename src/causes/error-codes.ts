import { fieldName } from '../judging/answer-fields.ts';

/** `field` comes from `fieldName`; it's null for a code that stands alone. */
export interface Code {
  field: string | null;
  value: string;
}

/** No more of a text are looked up. */
const MOST_CODES = 60;

/** Labels of an error or an answer: "failed with code", not "discount code". */
const LABEL = [
  '(?<![\\p{L}\\p{N}_-])(?<field>(?:error|err|status|response|reply|result|http)[ _-]?(?:code|status|error|errno|http|class)',
  'error|errno|http|occurred',
  '(?<![\\p{L}\\p{N}](?<!\\b(?:with|the|an?|its|by|was|got|failed|returned|carrier|provider)) )(?:code|status|class|reason|type|name))["\'`]?',
].join('|');
/** An enhanced status: 5.7.26 */
const STATUS = '[245]\\.\\d{1,3}\\.\\d{1,3}(?![\\d.]*\\d)';
const BEFORE_STATUS =
  '(?<![\\d.])[245]\\d\\d[ -]#?|^|[Ss]tatus[:=]?\\s?|[Ff]ailed[;,]\\s?|dsn[:=]\\s?|smtp;\\s?|\\(#?|\\[#?|\\s#';
const BEFORE_WORDS = '(?![ -]#?[245]\\.\\d)(?=[ -][\\p{Lu}\\p{Lo}\\d<[#"\']|(?<=^\\d{3})$)';
const BEFORE_REPLY =
  '(?:[Ss](?:mtp|MTP|aid|ent|erver)|[Ff]ail(?:ed|ure)|[Ee]rror|[Rr](?:ejected|esponse|eply)|[Ll]ogin)[:;]\\s?';

/** Where codes stand, and the field that the place means. */
const PLACES: readonly (readonly [place: RegExp, field: string | null])[] = [
  // error code: 21211; failed with status 503
  [RegExp(`${LABEL}(?:\\s?[:=#>]\\s?|\\s)["'\`(#]{0,2}(?<value>\\d{1,6})(?![\\p{L}\\p{N}_]|[.:,]\\d)`, 'giu'), null],
  // Error-Code=InvalidToken
  [RegExp(`${LABEL}\\s?[:=]\\s?["'\`(]{0,2}(?<value>\\p{L}[\\p{L}\\p{N}_./-]{2,60})`, 'giu'), null],
  // at the end: (190); (bounceclass=22); (30007, HTTP 403)
  [
    /\((?=[^()\s]{2,80}(?:, HTTP \d{3})?\))(?:(?<field>[A-Za-z]{2,40})=)?(?<value>[^()\s]+?)(?:, HTTP \d{3})?\)(?=\s*(?:$|[.;:,](?:\s|$)))/g,
    null,
  ],
  // undelivered (30007); rejected: 30007 Carrier violation
  [/\b(?:undelivered|failed|rejected|blocked)(?: \(|: )(?<value>\d{4,6})(?=\)|\s+\p{L}|$)/giu, null],
  // 30007 Carrier violation
  [/^(?<value>\d{4,6})(?= \p{Lu}\p{Ll}+ \p{Ll})/gu, null],
  // 0x0000000b, SMPP's command_status
  [/\b(?<value>0x0000[\da-f]{4})\b/gi, null],
  // [InvalidToken] …; 401: Unauthorized
  [/^(?:\[(?=[^[\]\s]{2,60}\])|(?=[45]\d\d: \p{Lu}))(?<value>[^[\]\s:]{2,60})/gu, null],
  // 400 invalid_grant
  [/^[45]\d\d\s+(?<value>[a-z_]{4,60})\s*$/gi, null],
  // Unregistered; InvalidParameter: no such topic
  [/^(?!\d{1,3}(?![\p{L}\d_./-]))(?<value>[\p{L}\d][\p{L}\d_./-]{2,60})(?=\s*(?:$|[:(]|[-–—]\s|\.\s*$))/gu, null],
  // Rejected by the gateway: DeviceTokenNotForTopic
  [/(?::|=> [45]\d\d|\b(?:reason|response)) ["'`]?(?<value>(?:[A-Z][a-z]+){2,8}|[a-z]+(?:_[a-z]+)+)["'`]?\.?$/g, null],
  // (#131026); https://www.twilio.com/docs/errors/30007
  [/(?:\(#(?=\d+\))|\/errors\/(?=\d{4}))(?<value>\d{1,6})(?!\d)/g, 'code'],
  // ECONNREFUSED; QUOTA_EXCEEDED
  [
    /(?<![\p{L}\p{N}_.-])(?<value>E[A-Z][A-Z0-9]{2,20}|(?:[A-Z]{3,}|EC)(?:_[A-Z0-9]+){1,6})(?![\p{L}\p{N}_-])/gu,
    'shouted',
  ],
  // 550 5.7.26; Status: 5.1.1; (#5.7.26
  [RegExp(`(?:${BEFORE_STATUS})(?<value>${STATUS})(?!\\.?[\\p{L}-])`, 'gu'), 'enhanced'],
  // 550 before 5.7.26
  [RegExp(`(?<![\\d.])(?<value>[245]\\d\\d)(?=[ -]#?${STATUS})`, 'g'), 'smtp'],
  // 550 user unknown (in reply to RCPT TO command), whatever the reply's first word is
  [/^(?<value>[245]\d\d)(?=[ -]\S.{0,1000}\(in reply to [a-z ]{4,20}\)$)/gi, 'smtp'],
  // Not sent: 550 Mailbox gone; the server said: 421-Too busy
  [RegExp(`(?:^|${BEFORE_REPLY})["'\`(]?(?<value>[245]\\d\\d)${BEFORE_WORDS}`, 'gu'), 'smtp'],
];

/** in reply to end of DATA; after RCPT TO; MAIL FROM command failed */
const COMMAND =
  /\b(?:(?:in reply to|after|while sending|refused)(?: end of| to)? |(?=mail from(?: command)? failed))(talk to me|mail from|rcpt to|data|auth|ehlo|helo|conn|initial connection)\b/i;

export function codesIn(text: string): Code[] {
  const read = text.trim();
  const codes = PLACES.flatMap(([place, field]) =>
    [...read.matchAll(place)].map(({ groups = {} }) => {
      const { field: named, value = '' }: Partial<Record<string, string>> = groups;
      return {
        field: named === undefined ? field : fieldName(named),
        value: value.toLowerCase().replace(/[./-]+$/, ''),
      };
    }),
  );
  const isRefused = codes.some(({ field, value }) => /^(?:smtp|enhanced)$/.test(field ?? '') && value.startsWith('5'));
  const command = isRefused ? commandIn(read) : null;
  return [...codes.slice(0, MOST_CODES), ...(command === null ? [] : [{ field: 'command', value: command }])];
}

export const commandIn = (text: string): string | null => COMMAND.exec(text)?.[1]?.toLowerCase() ?? null;
