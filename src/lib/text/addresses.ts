import { MASK, type Masking, maskEmail, maskingOf, maskingsFor } from './mask.ts';
import { isVocabulary } from './vocabulary.ts';

/** https://hooks.acme.example/T1, also with the slashes escaped: https:\/\/ */
const URL_WITH_SCHEME = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{1,20}:)(?:\\*\/){2}((?:[^\s"'<>\\]|\\+\/)*)/gi;
/** https%3A%2F%2Fhooks.acme.example%2FT1, also encoded twice */
const ENCODED_URL =
  /(https?|wss?|smtps?|amqps?|ftps?|postgres(?:ql)?|mysql|rediss?|mongodb(?:\+srv)?)%(?:25)?3A(?:%(?:25)?2F){2}([^\s"'<>&]*)/gi;
/** hooks.acme.example/T1, 192.0.2.1:8080/T1, but not 192.0.2.0/24 */
const URL_WITHOUT_SCHEME =
  /(?<![\w./@:•-])((?:(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?)(?!\/\d{1,2}(?![\w/.-]))\\*\/[^\s"'<>]+/gi;
/** notif:secret@ of notif:secret@db.acme.example */
const USER_AND_PASSWORD = /(?<![^\s"'<>()=,])[^\s:@/"'<>()=,•]{1,200}:[^\s@/"'<>•]{1,200}@(?=[\w-])/g;
/** Excludes the mask's `•`. Unicode's classes would be too slow. */
const LETTER = 'A-Za-z\\u00a1-\\u1fff\\u2070-\\uffff';
const LOCAL = `[${LETTER}0-9._%+-]`;
const LOCAL_SIGN = "['!#$&*^~]";
const HOST = `(?:[${LETTER}0-9-]{1,63}\\.){1,8}[${LETTER}]{2,24}`;
/** A package's version in npm: `notif@latest`, `axios@1.15.0`; an image's is `notif@sha256:…`. */
const VERSION = '(?:latest|next|canary|alpha|beta|rc|v?\\d+(?:\\.\\d+){1,2}(?:-[a-z]+[.\\d]*)?)(?![a-z\\d-]|\\.\\w)';
/** Includes return paths (VERP): `bounce+17-anna=example.com@mail.example.org`. */
const EMAIL = new RegExp(
  `(?<!${LOCAL}${LOCAL_SIGN}?)(${LOCAL}+(?:${LOCAL_SIGN}${LOCAL}+)*${LOCAL_SIGN}?)(=${HOST})?(?:@|%(?:25)?40)(?=[${LETTER}0-9.@[])(?!${VERSION}|sha(?:256|512):)(?:${HOST})?`,
  'g',
);
/** "zed quill" of "zed quill"@acme.example */
const QUOTED_LOCAL_PART = /(\\*")[^\s"\\<>@:;,][^"\\<>@]{0,63}(\\*")(?=(?:@|%40)[\p{L}\d[])/gu;
/** `kunigunde,oberhuber@acme.example`: a comma instead of a point */
const COMMA_IN_LOCAL_PART = /(?<![^\s"'<(:=])([\p{L}\d_-]{2,40}),(?=[\p{L}\d._+-]{1,60}(?:@|%40)[\p{L}\d])/gu;
/** (at) of zed.quill(at)acme.example, [at] before acme[dot]example */
const WRITTEN_AT =
  /(?<=[\w.+-]) ?[([{] ?(?:at|arroba|@) ?[)\]}] ?(?=[\w-]{1,63}(?:\.| ?[([{] ?(?:dot|punkt|point|punto) ?[)\]}] ?)[a-z]{2})/gi;

export const withPlainAt: Masking = maskingsFor(/[([{]/, [maskingOf(WRITTEN_AT, '@')]);

const DOT = '(?: \\. |[ _](?:dot|punkt|punto|point|ponto)[ _]| ?[([{] ?(?:dot|punkt|punto|point|ponto|\\.) ?[)\\]}] ?)';
const AT = '([ _](?:at|arroba)[ _]| ?@ ?| ?[([{] ?(?:at|arroba|@) ?[)\\]}] ?)';
/** `zed.quill AT customer DOT example`, `zed_quill_at_customer_dot_example`, `zed.quill @ customer.example` */
const SPELLED = new RegExp(
  `(?<![\\w.+-])((?:[\\w+-]{1,40}${DOT}){0,3}[\\w+.-]{1,64}?)${AT}((?:[\\w-]{1,40}(?:\\.|${DOT})){1,4}[a-z]{2,24})(?!\\w)`,
  'gi',
);
const SPELLED_DOT = new RegExp(DOT, 'gi');
const MAY_BE_SPELLED =
  /(?:(?<![a-z])(?:at|arroba)(?![a-z])|[\s)\]}]@|@[\s([{]).{0,99}(?:dot|punkt|punto|point|ponto|\.)/is;
/** `look at example.com` isn't one. */
const PLAIN_AT = /^[ _][a-z]/i;

function withoutSpelling(text: string) {
  if (!MAY_BE_SPELLED.test(text)) return text;
  return text.replace(SPELLED, (all: string, local: string, at: string, host: string) => {
    const plainHost = host.replace(SPELLED_DOT, '.');
    // A code may be a name as well.
    const isWord = FIELD_NAME.test(local) && isVocabulary(local);
    const isSentence = plainHost === host && (PLAIN_AT.test(at) || isWord);
    return isSentence ? all : `${local.replace(SPELLED_DOT, '.')}@${plainHost}`;
  });
}

/** `zed=2Equill=40customer=2Eexample` */
const withoutQuotedPrintable: Masking = (text) =>
  text.replace(/(?<=[a-z])=2E(?=[a-z])/g, '.').replace(/(?<=[\w.]{2})=40(?=[a-z][\w-]{0,60}\.[a-z])/g, '@');

/** `=?UTF-8?Q?Zedekiah?=` (RFC 2047), whole or cut */
const ENCODED_WORD = /=\?[\w-]{2,20}\?[QB]\?[^?\s]*(?:\?=)?/gi;

const FIELD_NAME = /^[a-z_]+$/i;
const USUAL_HOST = /\.(?:com|net|org|edu|gov|info|app|dev|[a-z]{2})$/i;

/** Addresses to call, which often have a secret in their path. */
export const URL_MASKINGS: readonly Masking[] = [
  maskingsFor(/\//, [maskingOf(URL_WITH_SCHEME, (_, scheme, rest) => hostOnly(`${scheme}//`, rest))]),
  maskingsFor(/%3A|%253A/i, [
    maskingOf(ENCODED_URL, (_, scheme, rest) => hostOnly(`${scheme}://`, withoutEncoding(rest))),
  ]),
  maskingsFor(/\//, [maskingOf(URL_WITHOUT_SCHEME, (_, host) => `${host}/…`)]),
  maskingsFor(/@/, [maskingOf(USER_AND_PASSWORD, `${MASK}@`)]),
];

export const LINK_MASKINGS: readonly Masking[] = [
  ...URL_MASKINGS,
  maskingsFor(/=\?/, [maskingOf(ENCODED_WORD, MASK)]),
  maskingsFor(/=\d/, [withoutQuotedPrintable]),
  withoutSpelling,
  withPlainAt,
];

export const ADDRESS_MASKINGS: readonly Masking[] = [
  maskingOf(COMMA_IN_LOCAL_PART, (all, word) => (isVocabulary(word) ? all : '')),
  maskingOf(QUOTED_LOCAL_PART, (_, before = '', after = '') => `${before}${MASK}${after}`),
  maskingOf(EMAIL, (all, local, host: string | undefined) => {
    // `recipient=zed.quill@acme.example` has the form of a return path: its field's name stays.
    const isField = host !== undefined && FIELD_NAME.test(local) && !USUAL_HOST.test(host);
    const address = (isField ? all.slice(local.length + 1) : all).replace(/%(?:25)?40/i, '@');
    return `${isField ? `${local}=` : ''}${maskEmail(address)}`;
  }),
];

function withoutEncoding(encoded: string) {
  return encoded.replace(/%25/g, '%').replace(/%(?:2f|3f|23|3a|40)/gi, decodeURIComponent);
}

const HOST_AND_PORT = /(\[[0-9a-f:.]*\]|[\p{L}\p{N}._-]*)(:\d{1,5}(?!\w))?.*/iu;

/** A webhook's path and query are its password. */
function hostOnly(scheme: string, rest: string) {
  const authority = rest.replace(/[/?#].*/, '');
  const host = authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(HOST_AND_PORT, (_, name: string, port = '') => `${name}${port}`);
  return `${scheme}${host}${rest.length > authority.length || host !== authority ? '/…' : ''}`;
}
