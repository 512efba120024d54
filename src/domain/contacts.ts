import { MASK, maskEmail, maskPhone } from './mask.ts';

const URL_WITH_SCHEME = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{1,20}:)(?:\\*\/){2}((?:[^\s"'<>\\]|\\+\/)*)/gi;
const URL_WITHOUT_SCHEME =
  /(?<![\w./@:•-])((?:(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?)\\*\/[^\s"'<>]+/gi;
const USER_AND_PASSWORD = /(?<![^\s"'<>()=,])[^\s:@/"'<>()=,•]{1,200}:[^\s@/"'<>•]{1,200}@(?=[\w-])/g;
/** An apostrophe is part of an address in the middle of a word only: o'neil@example.com, 'anna@example.com'. */
const LOCAL_PART = "[\\p{L}\\p{N}._%+-]+(?:'[\\p{L}\\p{N}._%+-]+)*";
const EMAIL = new RegExp(
  `(?<![\\p{L}\\p{N}._%+-]'?)${LOCAL_PART}(?:@|%40)(?:[\\p{L}\\p{N}-]{1,63}\\.){1,8}\\p{L}{2,24}`,
  'giu',
);

/** E.164 and its usual spacing, `00` for the plus, North American and other national notations, and numbers that are called one. */
const PHONES = [
  /(?<![\w+])(?:\+|%2B)[1-9](?:[ ()./-]{0,2}\d){6,14}(?!\d)/gi,
  /(?<![\w.-])00[1-9]\d{8,12}(?![\w-])/g,
  /(?<![\w.-])\(0?\d{2,4}\) ?\d{2,4}(?:[ -]?\d{2,5}){1,3}(?![\w-])/g,
  /(?<![\w.:-])0\d(?:([ .-])\d{2})(?:\1\d{2}){3}(?![\w-]|\.\d)/g,
  /(?<![\w.-])(?:1[-. ])?\d{3}([-. ])\d{3}\1\d{4}(?![\w-]|\.\d)/g,
  /(?<![\w.:-])0\d{2,4}[ /-]\d{3,8}(?:[ -]?\d{2,4}){0,3}(?![\w:-]|\.\d)/g,
  /(?<=\b(?:phone|mobile|tel|msisdn|number|whatsapp|recipient)\W{1,5}|\b(?:to|from)\\*"\s?:\s?\\*")\d{7,15}(?!\w)/gi,
];

/** A text with web addresses cut to their host, and e-mail addresses and phone numbers masked. */
export function withoutContacts(text: string): string {
  const addressed = text
    .replace(URL_WITH_SCHEME, (_, scheme: string, rest: string) => hostOnly(`${scheme}//`, rest.replaceAll('\\', '')))
    .replace(URL_WITHOUT_SCHEME, '$1/…')
    .replace(USER_AND_PASSWORD, `${MASK}@`)
    .replace(EMAIL, (address: string) => maskEmail(address.replace(/%40/i, '@')));
  return maskedPhones(addressed);
}

/** A text with its phone numbers masked; `more`: other notations to look for first. */
export function maskedPhones(text: string, more: readonly RegExp[] = []): string {
  return [...more, ...PHONES].reduce((masked, phone) => masked.replace(phone, (number) => maskPhone(number)), text);
}

/** A webhook's path and query are its password, and what stands before an `@` is one too: neither is shown. */
function hostOnly(scheme: string, rest: string): string {
  const authority = rest.match(/^[^/?#]*/)?.[0] ?? '';
  const host =
    authority
      .slice(authority.lastIndexOf('@') + 1)
      .match(/^(?:\[[0-9a-f:.]*\]|[\p{L}\p{N}._-]*)(?::\d{1,5}(?!\w))?/iu)?.[0] ?? '';
  return `${scheme}${host}${rest.length > authority.length || host !== authority ? '/…' : ''}`;
}
