import { MASK, maskPhone } from './mask.ts';

/** Unicode's blocks of ten digits begin at a multiple of 16, or six after it. */
export function withPlainDigits(text: string): string {
  return text.replace(/[\u0660-\uffef]/g, (character) => {
    if (!/\p{Nd}/u.test(character)) return character;
    const unit = character.charCodeAt(0);
    return `${(unit & 15) - (/\p{Nd}/u.test(String.fromCharCode(unit & ~15)) ? 0 : 6)}`;
  });
}

/** Unix time in seconds or milliseconds, a date, also with a time. */
const TIME =
  '(?:1[4-9]\\d{8}(?:\\d{3})?|20[0-4]\\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])(?:(?<=20[23]\\d{5})(?:[01]\\d|2[0-3])[0-5]\\d(?:[0-5]\\d)?)?)(?!\\d)';
const IS_TIME = new RegExp(`^${TIME}`);
const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const DATE = `(?<!\\d[-/.])(?:(?:19|20)\\d\\d[-/.]${DAY}[-/.]${DAY}(?!\\d)|${DAY}[-/.]${DAY}[-/.](?:(?:19|20)\\d\\d(?![-/.]?\\d)|\\d\\d(?=,? \\d\\d?:\\d)))`;
const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';

const NO_PHONE = [
  '\\barn:[\\w-]{1,12}:[\\w-]{0,20}:[\\w-]{0,20}:\\d{12}(?!\\d)',
  '•\\d+|\\\\[nrt]|%(?!2B\\d)[\\da-f]{2}|#\\d+|(?<=[=:([,]\\s?)-\\d+',
  // An ID with letters, but not sms_4917012345678; 10000ms; 2024-01-15T12.
  '\\b[a-z_-]{0,20}(?:tel|phone|mobile|sms|msisdn|whatsapp|number|nummer)[_-]?(?=\\d{9,15}(?![a-z\\d]))|(?=[\\d_-]{0,60}[a-z])\\w[\\w-]*|\\d{16,}|\\d{8}(?:-\\d{4}){3}-\\d{12}',
  `${TIME}(?:\\.\\d+)?(?!\\w)`,
  DATE,
  // Microsoft's number of a rule.
  '(?<=\\bAS\\()\\d{6,9}(?=\\))',
  '\\d{1,7}(?::\\d{1,7})+(?:[.,]\\d+)?(?!\\d)',
  `${OCTET}(?:\\.${OCTET}){3}(?:[:/]\\d+)?(?!\\.?\\d)`,
  // SMTP (RFC 3463), a status before digits, a code after its label, decimals, versions.
  '(?:[245]\\d\\d[ -])?[245]\\.\\d{1,3}\\.\\d{1,3}(?![.\\d])|(?:[245]\\d\\d (?=\\d(?:[ -]?\\d){7})|(?<!\\d )[45]\\d\\d (?=[1-9]\\d{4,5}(?![ -]?\\d)))',
  '(?<=(?:code|status|error|http)["\']?[ :=#]{1,2}["\'(]?)\\d{3,6}(?=\\s)',
  '(?:0|[1-9]\\d{0,8})\\.\\d+(?![.\\d]| ?\\d)|(?:(?!1(?:\\.\\d{3}){2}\\.\\d{4})[1-9]\\d?(?:\\.\\d{1,5}){3}|\\d{1,3}\\.\\d\\.\\d{1,5}(?:\\.\\d{1,5})?)(?![.\\d])',
].join('|');

const SEPARATOR = '(?: {1,2}|\\.| ?[/\\u2010-\\u2015-] ?|%20)';
const GROUP = `(?!${DATE}|\\d\\d?:\\d)\\d{1,15}(?![a-z\\d])`;
const AREA = '\\(\\+?(?:0\\d{1,4}|\\d{1,4})(?:[ -]\\d{1,3})?\\)';
const RUN = `(?:(?:\\+|%2B)${SEPARATOR}?)?(?:${GROUP}|${AREA})(?:${SEPARATOR}?${AREA}|(?:${SEPARATOR}|(?<=\\)))${GROUP})*`;
const TOKEN = new RegExp(`${NO_PHONE}|(${RUN})`, 'gi');

const SEVEN_DIGITS = /\d(?:\D*\d){6}/;
const INTERNATIONAL = /^(?:\+|%2B|00[1-9])/i;

const ENDING = `(?:[ _-]?(?:no|nr|num|number|id)\\.?)?\\\\*["']?(?: is)?\\s?[:=]?\\s?\\\\*["'([]?`;
const OTHER_LABEL = new RegExp(
  `(?:order|invoice|ticket|template|campaign|batch|build|version|revision|position|offset|size|length|limit|quota|bytes|maximum|expires(?:_in)?|timeout|duration|date)s?${ENDING}$`,
  'i',
);
/** A limit, or what is ours: `exceeds 26214400`, `rule 981176`, `account 123456789012` */
const OTHER_WORD =
  /(?<!\p{L})(?:(exceed(?:s|ed|ing)?|than|over|above|below|at most|at least|max(?:imum)?|min(?:imum)?|allowed|rule|policy|account|project|app|reference|ref|request|trace|pid|queue|job|transaction)|up to|of|sent|total|used|line|port)(?: (?:id|no|nr|number|#))?[\s:=#"'([]{1,3}$/iu;
const ID = new RegExp(`(?:(?<![A-Za-z])[Ii]d|[a-z]Id|[A-Z_]?ID)s?${ENDING}$`);
const PERSONS_ID = /(?:wa|recipient|subscriber|user|contact|customer|member)[ _-]?ids?\W*$/i;
const CODE = new RegExp(`(?:code|status|errno|hresult)s?${ENDING}$`, 'i');
const UNIT = /^ ?(?:bytes|octets|[kmg]i?b|ms|milliseconds|s|sec|seconds)\b/i;

/** 415.555.0133x88 */
const ATTACHED_EXTENSION = /(?<=\d[. -]\d{4})x(?=\d{1,6}(?!\w))/gi;
/** 4915_1234_56789 */
const UNDERSCORED = /(?<![\w.-])\+?\d{2,5}(?:_\d{2,6}){1,5}(?![\w.-])/g;
/** `MSISDN 491512345678x`, `MSISDN 44.7700.900.123` */
const MISTYPED =
  /(?<=(?:msisdn|phone|mobile|number|tel|nummer|numéro|número|номер)[\s:="'#]{1,3})(?:\+?\d{9,15}[a-z](?!\w)|\d{1,3}(?:\.\d{3,4}){3}(?![\w.]))/gi;
const EXTENSION =
  /(?<=•••\d\d)((?:[,;]? ?\(?(?:ext(?:ension)?|x|durchwahl|dw|poste|доб|int|anexo|ramal)[.:]?| ?#) ?)\d{1,6}(?!\d)/gi;
const SENDER =
  /(?:(?:^|[{,&?;(\s])["']?(?:from|sender|originator)["']?\s?[:=]\s?["'(]?|(?<!\p{L})(?:["']?from["']?[ _-]?(?:phone[ _-]?)?(?:number|no\.?)|sender(?: ?id| number)?|originator|absender(?:nummer)?|expéditeur|remitente|remetente|mittente|afzender|отправител[ья]|发件人|発信者|送信者)["']?(?: is)?\s?[:=]?\s?["'(]?)$/iu;

/** An ID that fits can be nothing else. */
const CERTAIN_PHONE = new RegExp(
  `${INTERNATIONAL.source}|\\(|(?<!\\d)(?:0\\d+${SEPARATOR}|\\d{11,15}(?!\\d)|\\d{3}([-. ])\\d{3}\\1\\d{4}(?!\\d))`,
  'i',
);

/** `field` is the name of what holds the text. `keepsSenders`: who sends is no person where a provider answers. */
export function withoutPhones(text: string, field = '', keepsSenders = false): string {
  if (!SEVEN_DIGITS.test(text)) return text;
  const plain = text
    .replace(ATTACHED_EXTENSION, ' x')
    .replace(MISTYPED, maskPhone)
    .replace(UNDERSCORED, (run: string) => (SEVEN_DIGITS.test(run) ? maskPhone(run) : run));
  const masked = plain.replace(TOKEN, (token: string, run: string | undefined, at: number) => {
    if (run === undefined || run.length < 7) return token;
    const before = `${at < 40 && field !== '' ? `${field}: ` : ''}${plain.slice(Math.max(0, at - 40), at)}`;
    const after = plain.slice(at + run.length, at + run.length + 15);
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

function isSomethingElse(run: string, before: string, after: string): boolean {
  if (run.startsWith('+')) return false;
  const [other, certain] = OTHER_WORD.exec(before) ?? [];
  if (other !== undefined && /^[1-9]\d+$/.test(run) && run.length <= (certain === undefined ? 8 : 12)) return true;
  if ((run.length <= 10 && UNIT.test(after)) || OTHER_LABEL.test(before)) return true;
  if (ID.test(before)) return !(PERSONS_ID.test(before) && run.length > 10);
  if (run.length > 10 || !/^\d+$/.test(run)) return false;
  return CODE.test(before) || (run.length <= 8 && /error[ ([]{1,2}$/i.test(before));
}

/** A group of ten digits is a whole number, and shorter ones beside it are codes. */
function maskedRun(run: string): string {
  const groups = run.match(/\d+/g) ?? [];
  if (groups.join('').length < 7) return run;
  const isInternational = INTERNATIONAL.test(run);
  const isWhole = isInternational || /^\d\d \d+$/.test(run) || !groups.some((group) => group.length >= 10);
  if (isWhole && (isInternational || !/(?<!\d)\d\D+\d(?!\d)/.test(run))) return maskPhone(run);
  return run.replace(/\d{7,}/g, (group) => {
    return (group.length < 10 && !isWhole) || IS_TIME.test(group) ? group : maskPhone(group);
  });
}
