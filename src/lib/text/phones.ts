import { anyOf } from './letters.ts';
import { MASK, maskPhone } from './mask.ts';

/** Unix time in seconds or milliseconds, 20260131, 202601311530 (a time of day in 2020–2039 only: 201012345678 is a phone of Egypt). */
const TIME = `(?:${anyOf(
  '1[4-9]\\d{8}(?:\\d{3})?',
  '20[0-4]\\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])(?:(?<=20[23]\\d{5})(?:[01]\\d|2[0-3])[0-5]\\d(?:[0-5]\\d)?)?',
)})(?!\\d)`;
const IS_TIME = new RegExp(`^${TIME}`);
const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
/** 2026-01-31, 31.1.2026, or 31.1.26 before a time. */
const DATE = `(?<!\\d[-/.])(?:${anyOf(
  `(?:19|20)\\d\\d[-/.]${DAY}[-/.]${DAY}(?!\\d)`,
  `${DAY}[-/.]${DAY}[-/.](?:(?:19|20)\\d\\d(?![-/.]?\\d)|\\d\\d(?=,? \\d\\d?:\\d))`,
)})`;
const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';

const NO_PHONE = anyOf(
  // arn:aws:sns:eu-west-1:123456789012
  '\\barn:[\\w-]{1,12}:[\\w-]{0,20}:[\\w-]{0,20}:\\d{12}(?!\\d)',
  // •••42, which is masked already
  '•\\d+',
  // \n4915…, and %3A, but not %2B4915…: that is a plus
  '\\\\[nrt]|%(?!2B\\d)[\\da-f]{2}',
  // #4821
  '#\\d+',
  // offset=-1, [-7
  '(?<=[=:([,]\\s?)-\\d+',
  // sms_ of sms_4917012345678: the phone is the next token
  '\\b[a-z_-]{0,20}(?:tel|phone|mobile|sms|msisdn|whatsapp|number|nummer)[_-]?(?=\\d{9,15}(?![a-z\\d]))',
  // an ID with letters, 10000ms, 2024-01-15T12
  '(?=[\\d_-]{0,60}[a-z])\\w[\\w-]*',
  // longer than any phone; a UUID without letters
  '\\d{16,}|\\d{8}(?:-\\d{4}){3}-\\d{12}',
  `${TIME}(?:\\.\\d+)?(?!\\w)`,
  DATE,
  // AS(201806281), Microsoft's number of a rule
  '(?<=\\bAS\\()\\d{6,9}(?=\\))',
  // 12:30:05.123, 5:7
  '\\d{1,7}(?::\\d{1,7})+(?:[.,]\\d+)?(?!\\d)',
  // 192.0.2.1:443, 192.0.2.0/24
  `${OCTET}(?:\\.${OCTET}){3}(?:[:/]\\d+)?(?!\\.?\\d)`,
  // 550 5.1.1 (RFC 3463)
  '(?:[245]\\d\\d[ -])?[245]\\.\\d{1,3}\\.\\d{1,3}(?![.\\d])',
  // 550 before a phone, or before a code of five or six digits
  '(?:[245]\\d\\d (?=\\d(?:[ -]?\\d){7})|(?<!\\d )[45]\\d\\d (?=[1-9]\\d{4,5}(?![ -]?\\d)))',
  // 30007 of "error 30007 4915…"
  '(?<=(?:code|status|error|http)["\']?[ :=#]{1,2}["\'(]?)\\d{3,6}(?=\\s)',
  // 12.5
  '(?:0|[1-9]\\d{0,8})\\.\\d+(?![.\\d]| ?\\d)',
  // versions: 10.0.19041.1, 4.5.123, but not 1.415.555.0133
  '(?:(?!1(?:\\.\\d{3}){2}\\.\\d{4})[1-9]\\d?(?:\\.\\d{1,5}){3}|\\d{1,3}\\.\\d\\.\\d{1,5}(?:\\.\\d{1,5})?)(?![.\\d])',
);

const SEPARATOR = '(?: {1,2}|\\.| ?[/\\u2010-\\u2015-] ?|%20)';
const GROUP = `(?!${DATE}|\\d\\d?:\\d)\\d{1,15}(?![a-z\\d])`;
const AREA = '\\(\\+?(?:0\\d{1,4}|\\d{1,4})(?:[ -]\\d{1,3})?\\)';
/** Digits that could be a phone: +49 (0)151 234-5678 */
const RUN = `(?:(?:\\+|%2B)${SEPARATOR}?)?(?:${GROUP}|${AREA})(?:${SEPARATOR}?${AREA}|(?:${SEPARATOR}|(?<=\\)))${GROUP})*`;
const TOKEN = new RegExp(`${NO_PHONE}|(${RUN})`, 'gi');

/** 555-0133 */
const SHORTEST_PHONE = 7;
/** Beside so many digits, shorter groups are codes: 550 4915123456789 */
const SHORTEST_WHOLE = 10;
/** With more digits, most are phones, so that few words before them say otherwise. */
const LONGEST_SHORT = 10;
/** After a word that also stands before phones: `sent 26214400` */
const LONGEST_COUNT = 8;
/** After a word that stands before others only: `account 123456789012` */
const LONGEST_ACCOUNT = 12;
/** Without a word but `error`: `error (30007123` */
const LONGEST_ERROR = 8;

const SEVEN_DIGITS = /\d(?:\D*\d){6}/;
const INTERNATIONAL = /^(?:\+|%2B|00[1-9])/i;

/** What can stand between a word and its number: `_id": "`, ` no. `, `=` */
const ENDING = `(?:[ _-]?(?:no|nr|num|number|id)\\.?)?\\\\*["']?(?: is)?\\s?[:=]?\\s?\\\\*["'([]?`;
const OTHER_LABEL = new RegExp(
  `(?:${anyOf(
    'order|invoice|ticket|template|campaign|batch|build|version|revision',
    'position|offset|size|length|limit|quota|bytes|maximum',
    'expires(?:_in)?|timeout|duration|date',
  )})s?${ENDING}$`,
  'i',
);
/** Limits and IDs of ours: `exceeds 26214400`, `rule 981176`, `account 123456789012` */
const BEFORE_OTHERS_ONLY = anyOf(
  'exceed(?:s|ed|ing)?|than|over|above|below|at most|at least|max(?:imum)?|min(?:imum)?|allowed',
  'rule|policy|account|project|app|reference|ref|request|trace|pid|queue|job|transaction',
);
/** These also stand before phones: `sent 4915123456789` */
const BEFORE_PHONES_TOO = 'up to|of|sent|total|used|line|port';
const OTHER_WORD = new RegExp(
  `(?<!\\p{L})(?:(${BEFORE_OTHERS_ONLY})|${BEFORE_PHONES_TOO})(?: (?:id|no|nr|number|#))?[\\s:=#"'([]{1,3}$`,
  'iu',
);
const ID = new RegExp(`(?:(?<![A-Za-z])[Ii]d|[a-z]Id|[A-Z_]?ID)s?${ENDING}$`);
const PERSONS_ID = /(?:wa|recipient|subscriber|user|contact|customer|member)[ _-]?ids?\W*$/i;
const CODE = new RegExp(`(?:code|status|errno|hresult)s?${ENDING}$`, 'i');
/** Behind a size or a count: `4312 bytes`, `26214401 exceeds` */
const BEHIND_SIZE = /^ ?(?:bytes|octets|[kmg]i?b|ms|milliseconds|s|sec|seconds|exceed(?:s|ed)?)\b/i;

/** 415.555.0133x88 */
const ATTACHED_EXTENSION = /(?<=\d[. -]\d{4})x(?=\d{1,6}(?!\w))/gi;
/** 4915_1234_56789 */
const UNDERSCORED = /(?<![\w.-])\+?\d{2,5}(?:_\d{2,6}){1,5}(?![\w.-])/g;
/** `MSISDN 491512345678x`, `MSISDN 44.7700.900.123` */
const MISTYPED =
  /(?<=(?:msisdn|phone|mobile|number|tel|nummer|numéro|número|номер)[\s:="'#]{1,3})(?:\+?\d{9,15}[a-z](?!\w)|\d{1,3}(?:\.\d{3,4}){3}(?![\w.]))/gi;
/** `•••67 ext. 12` */
const EXTENSION =
  /(?<=•••\d\d)((?:[,;]? ?\(?(?:ext(?:ension)?|x|durchwahl|dw|poste|доб|int|anexo|ramal)[.:]?| ?#) ?)\d{1,6}(?!\d)/gi;
const SENDER = new RegExp(
  `(?:${anyOf(
    // "from": "
    '(?:^|[{,&?;(\\s])["\']?(?:from|sender|originator)["\']?\\s?[:=]\\s?["\'(]?',
    // from number, sender ID:
    `(?<!\\p{L})(?:${anyOf(
      '["\']?from["\']?[ _-]?(?:phone[ _-]?)?(?:number|no\\.?)|sender(?: ?id| number)?|originator',
      'absender(?:nummer)?|expéditeur|remitente|remetente|mittente|afzender|отправител[ья]|发件人|発信者|送信者',
    )})["']?(?: is)?\\s?[:=]?\\s?["'(]?`,
  )})$`,
  'iu',
);

/** Matches what is a phone even where an ID is expected. */
const CERTAIN_PHONE = new RegExp(
  `${INTERNATIONAL.source}|\\(|(?<!\\d)(?:0\\d+${SEPARATOR}|\\d{11,15}(?!\\d)|\\d{3}([-. ])\\d{3}\\1\\d{4}(?!\\d))`,
  'i',
);

/** So many characters around a number say what it is. */
const BEFORE_LENGTH = 40;
const AFTER_LENGTH = 15;

/** `field` is the name of what holds the text. `keepsSenders`: who sends is no person where a provider answers. */
export function withoutPhones(text: string, field = '', keepsSenders = false): string {
  if (!SEVEN_DIGITS.test(text)) return text;
  const plain = text
    .replace(ATTACHED_EXTENSION, ' x')
    .replace(MISTYPED, maskPhone)
    .replace(UNDERSCORED, (run: string) => (SEVEN_DIGITS.test(run) ? maskPhone(run) : run));
  const masked = plain.replace(TOKEN, (token: string, run: string | undefined, at: number) => {
    if (run === undefined || run.length < SHORTEST_PHONE) return token;
    const label = at < BEFORE_LENGTH && field !== '' ? `${field}: ` : '';
    const before = `${label}${plain.slice(Math.max(0, at - BEFORE_LENGTH), at)}`;
    const after = plain.slice(at + run.length, at + run.length + AFTER_LENGTH);
    const isKept = isSomethingElse(run, before, after) || (keepsSenders && SENDER.test(before));
    return isKept ? token : maskedRun(run);
  });
  return masked.replace(EXTENSION, (_, before: string) => `${before}${MASK}`);
}

/** Masks only what can be nothing else, such as eleven plain digits or more. */
export function withoutPhonesInId(text: string): string {
  if (!SEVEN_DIGITS.test(text)) return text;
  return text.replace(TOKEN, (token: string, run: string | undefined) => {
    return run !== undefined && CERTAIN_PHONE.test(run) ? maskedRun(run) : token;
  });
}

/** Whether the text around it says that it is no phone. The longer a number is, the surer a word before it has to be. */
function isSomethingElse(run: string, before: string, after: string): boolean {
  if (run.startsWith('+')) return false;
  const [word, certainWord] = OTHER_WORD.exec(before) ?? [];
  const longest = certainWord === undefined ? LONGEST_COUNT : LONGEST_ACCOUNT;
  if (word !== undefined && run.length <= longest && /^[1-9]\d+$/.test(run)) return true;
  if (OTHER_LABEL.test(before)) return true;
  const isShort = run.length <= LONGEST_SHORT;
  if (isShort && BEHIND_SIZE.test(after)) return true;
  if (ID.test(before)) return isShort || !PERSONS_ID.test(before);
  const canBeCode = isShort && /^\d+$/.test(run);
  if (canBeCode && CODE.test(before)) return true;
  return canBeCode && run.length <= LONGEST_ERROR && /error[ ([]{1,2}$/i.test(before);
}

/** Masks all of it as one number, or each number in it. */
function maskedRun(run: string): string {
  const groups = run.match(/\d+/g) ?? [];
  if (groups.join('').length < SHORTEST_PHONE) return run;
  if (INTERNATIONAL.test(run)) return maskPhone(run);
  // `49 15123456789`: a country's code and its number.
  if (/^\d\d \d+$/.test(run)) return maskPhone(run);
  const hasWhole = groups.some((group) => group.length >= SHORTEST_WHOLE);
  // `2 5 4915123456`: single digits side by side are values of their own.
  const hasSingleDigits = /(?<!\d)\d\D+\d(?!\d)/.test(run);
  // `0151 234 5678`: groups of one number.
  if (!hasWhole && !hasSingleDigits) return maskPhone(run);
  const shortest = hasWhole ? SHORTEST_WHOLE : SHORTEST_PHONE;
  return run.replace(/\d+/g, (group) => {
    return group.length < shortest || IS_TIME.test(group) ? group : maskPhone(group);
  });
}
