export const MASK = '•••';

export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  if (at === -1) return MASK;
  const [first = ''] = email.slice(0, at);
  return `${first === '•' ? '' : first}${MASK}${email.slice(at)}`;
}

/** Two of fewer than six digits would reveal too much. */
export function maskPhone(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return digits.length < 6 ? MASK : `${MASK}${digits.slice(-2)}`;
}

export function initials(...names: readonly (string | null | undefined)[]): string | null {
  const letters = names.flatMap((name) => name?.slice(0, 1_000).match(/\p{L}\p{M}*/u)?.[0] ?? []);
  return letters.length === 0 ? null : letters.map((letter) => `${letter.toUpperCase()}.`).join(' ');
}

/** Those of one shorter than 16 would reveal too much. */
export function maskSecret(secret: string): string {
  return secret.length < 16 ? MASK : `${MASK}${secret.slice(-4)}`;
}

const URL_WITH_SCHEME = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{1,20}:)(?:\\*\/){2}((?:[^\s"'<>\\]|\\+\/)*)/gi;
const ENCODED_URL =
  /(https?|wss?|smtps?|amqps?|ftps?|postgres(?:ql)?|mysql|rediss?|mongodb(?:\+srv)?)%(?:25)?3A(?:%(?:25)?2F){2}([^\s"'<>&]*)/gi;
const URL_WITHOUT_SCHEME =
  /(?<![\w./@:•-])((?:(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?)\\*\/[^\s"'<>]+/gi;
const USER_AND_PASSWORD = /(?<![^\s"'<>()=,])[^\s:@/"'<>()=,•]{1,200}:[^\s@/"'<>•]{1,200}@(?=[\w-])/g;
/** Without the mask. Unicode's classes are too slow for a long text. */
const LETTER = 'A-Za-z\\u00a1-\\u1fff\\u2070-\\uffff';
const LOCAL_PART = `[${LETTER}0-9._%+-]+(?:'[${LETTER}0-9._%+-]+)*`;
const HOST = `(?:[${LETTER}0-9-]{1,63}\\.){1,8}[${LETTER}]{2,24}`;
/** Also a return path (VERP): `bounce+17-anna=example.com@mail.example.org`. */
const EMAIL = new RegExp(
  `(?<![${LETTER}0-9._%+-]'?)(${LOCAL_PART})(=${HOST})?(?:@|%40)(?=[${LETTER}0-9.@[])(?:${HOST})?`,
  'g',
);
const FIELD_NAME = /^[a-z_]+$/i;
const USUAL_HOST = /\.(?:com|net|org|edu|gov|info|app|dev|[a-z]{2})$/i;

/** In this order. */
export const CONTACT_PASSES: readonly ((text: string) => string)[] = [
  (text) => text.replace(URL_WITH_SCHEME, (_, scheme: string, rest: string) => hostOnly(`${scheme}//`, rest)),
  (text) =>
    text.replace(ENCODED_URL, (_, scheme: string, rest: string) => hostOnly(`${scheme}://`, withoutEncoding(rest))),
  (text) => text.replace(URL_WITHOUT_SCHEME, '$1/…'),
  (text) => text.replace(USER_AND_PASSWORD, `${MASK}@`),
  (text) =>
    text.replace(EMAIL, (all: string, local: string, host: string | undefined) => {
      const isField = host !== undefined && FIELD_NAME.test(local) && !USUAL_HOST.test(host);
      const address = (isField ? all.slice(local.length + 1) : all).replace(/%40/i, '@');
      return `${isField ? `${local}=` : ''}${maskEmail(address)}`;
    }),
];

function withoutEncoding(encoded: string): string {
  return encoded.replace(/%25/g, '%').replace(/%(?:2f|3f|23|3a|40)/gi, decodeURIComponent);
}

const HOST_AND_PORT = /(\[[0-9a-f:.]*\]|[\p{L}\p{N}._-]*)(:\d{1,5}(?!\w))?.*/iu;

/** A webhook's path and query are its password, and so is what precedes an `@`. */
function hostOnly(scheme: string, rest: string): string {
  const authority = rest.replace(/[/?#].*/, '');
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(HOST_AND_PORT, '$1$2');
  return `${scheme}${host}${rest.length > authority.length || host !== authority ? '/…' : ''}`;
}
