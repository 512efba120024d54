import { MASK, type Masking, maskingAfter, maskingOf, maskingsFor } from './mask.ts';

const SECRET_NAME = [
  'pass(?:wor[dt]|wd|phrase|code|key)|[_.-]pass(?![a-z])|smtp[-_ ]?pass|pwd',
  'secret|token|cookie|credential|signature|authorization',
  '(?:api|auth|access|private|server|account|app|application|consumer|encryption|functions|master|signing|subscription)[-_ ]?key',
  '(?:otp|pin)[-_ ]?code|(?:mfa|2fa|verification|confirmation|login|security|access|auth|one[-_ ]?time)[-_ ]?(?:code|pin)',
  'otp(?![a-z])|[_.-]pin(?![a-z])',
  'sess(?:ion)?[-_ ]?id|connect\\.sid|player[-_ ]?id|smtp[-_ ]?user|webhook[-_ ]?url',
].join('|');
const WHOLE_SECRET_NAME = 'pass|pin|jwt|auth|p256dh|sig';
const NAMES_SECRET = new RegExp(`${SECRET_NAME}|^(?:${WHOLE_SECRET_NAME})$`, 'i');

export const isSecretName = (name: string): boolean => NAMES_SECRET.test(name);

/** `api_key_2`, `API key provided`, but not `TokenError` */
const NAME_WORDS = `(?:(?:${SECRET_NAME})[\\w.-]{0,20}(?<!Error|Exception)(?:\\s(?:provided|supplied|given|used|\\([^()]{0,60}\\)))?|(?<![\\w.-])(?:${WHOLE_SECRET_NAME}))`;
/** `":`, ` =>`, `is` before a code (`pin is 1234`), and `>` of a tag that begins an element */
const SIGN = `\\\\*["']?\\s*(?:=>|[:=]|is(?=\\s\\\\*["'“]?\\d{4,8}\\b)|(?<!</[\\w.:-]{1,80}\\s{0,9})>)\\s*`;
const NAME = `${NAME_WORDS}${SIGN}`;

const VALUE = [
  // masked already
  `${MASK}(?![^\\s"<>,;}\\]])`,
  // an element's text
  '(?<=>\\s{0,9})[^<>]+(?=<\\\\*/)',
  // in quotes, also escaped: \"abc
  '\\\\+"(?:[^"\\\\]|\\\\{3}"|\\\\(?!"))*',
  '"(?:[^"\\\\]|\\\\.)*',
  "'(?:[^'\\\\]|\\\\.)*",
  // Gmail's app password: abcd efgh ijkl mnop
  '[a-z]{4}(?: [a-z]{4}){3}(?![a-z])',
  // an object or a list
  '\\{(?:[^{}]|\\{[^{}]*\\})*\\}?',
  '\\[[^[\\]]*\\]?',
  '(?:true|false|null)\\b',
  // Bearer abc
  '(?:bearer|basic|api-?key|digest|token|key)\\s+[^\\s"<>]+',
  // a cookie's a=b; c=d: bounded, as each name starts a search
  '[^\\s;,"=<>]{1,128}=[^\\s;"]*(?:;\\s*[^\\s;="]+(?:=[^\\s;"]*)?)*',
  '-?\\d[\\d.]*(?=\\s*[,}\\]])',
  '[^\\s"<>]+',
].join('|');

/** The value after several names belongs to the last. */
const NAMED_SECRET = new RegExp(`(${NAME})((?:[\\w.-]{0,20}${NAME})+(?:${VALUE})?|${VALUE})`, 'gis');

/** `App abc`, `Token token="abc", x="1"` (RFC 9110, 11.4). */
const AUTHORIZATION_HEADER =
  /(authorization\\*["']?\s*(?:=>|[:=])\s*\\*["']?)([a-z][\w-]{1,30})\s+(?:[\w-]{1,40}=(?:"[^"]*"?|[^\s,"]+)(?:\s*,\s*[\w-]{1,40}=(?:"[^"]*"?|[^\s,"]+))*|[^\s"'<>,•]{6,})/gi;

/** {"name": "api_key", "value": "abc"} */
const NAMED_BESIDE =
  /(\b(?:name|key|header)\\*["']?\s*[:=]\s*\\*["'])([^"'\\]{1,100})(\\*["']\s*,?\s*\\*["']?value\\*["']?\s*[:=]\s*\\*["'])((?:[^"'\\]|\\(?!["']))+)/gi;

/** `password "hunter2"`: needs a digit, unlike `Unexpected token "end"`. */
const QUOTED_SECRET =
  /((?:password|passphrase|secret|token|(?:api|auth|access|private)[-_ ]?key|player(?:[-_ ]id)?)\s+\\*["'`])(?=[^"'`\s]{0,200}\d)[^"'`\s<>\\]{6,}/gi;

/** <password value="abc"> */
const TAG_WITH_ATTRIBUTES = new RegExp(
  `(<(?:[\\w.-]{0,40}:)?(?:[\\w.-]{0,40}?(?:${SECRET_NAME})[\\w.-]{0,20}|${WHOLE_SECRET_NAME}))\\s[^<>]{0,1000}>`,
  'gi',
);

/** Requests quoted outside JSON, up to the next request or the response. */
const SENT_DATA =
  /((?<!\w)(?:commonHeaders|(?:config|request)\\*["']?\s*[:=]\s*\{(?:(?!\b(?:config|request|response)\b)[\s\S]){0,3000}?\b(?:data|body))\\*["']?\s*[:=]\s*)(\\*"(?:[^"\\]|\\.)*|'(?:[^'\\]|\\.)*|\{[^{}]*\}?)/g;

/** Includes the base64 of `Username:` and `Password:` (AUTH LOGIN). */
const AUTHORIZATION =
  /\b(bearer|api-?key|api key(?=\s+\S*\d)|auth (?:plain|login)|auth(?: key| secret)?(?=\s+[\w-]{22}(?![\w-]))|(?:include_)?player(?:[-_ ]ids?)?(?=\s+[0-9a-f]{8}-)|basic|VXNlcm5hbWU6|UGFzc3dvcmQ6)\s+(?:C: )?(?!auth|token|realm|error|scheme|credential|•)([^\s"<>]{4,})/gi;

/** Masks what stands beside a secret's name. */
export const NAMED_MASKINGS: readonly Masking[] = [
  maskingsFor(/commonHeaders|config|request/, [
    maskingOf(SENT_DATA, (_, name, value) => `${name}${maskedLike(value)}`),
  ]),
  maskingsFor(/</, [maskingOf(TAG_WITH_ATTRIBUTES, (_, tag) => `${tag}>`)]),
  maskingsFor(/authorization/i, [
    maskingOf(AUTHORIZATION_HEADER, (all, name, scheme) => (isError(name, scheme) ? all : `${name}${MASK}`)),
  ]),
  maskingsFor(/value/i, [
    maskingOf(NAMED_BESIDE, (all, before, name, between) =>
      isSecretName(name) ? `${before}${name}${between}${MASK}` : all,
    ),
  ]),
  maskingsFor(/["'`]/, [maskingAfter(QUOTED_SECRET)]),
  maskingOf(NAMED_SECRET, (all, name, value) => (isError(name, value) ? all : `${name}${maskedLike(value)}`)),
  maskingOf(AUTHORIZATION, (all, scheme, value) => {
    // `basic check failed`: behind a scheme that is a word of sentences, too, a plain word is no secret.
    const isSecret = /^(?:bearer|api)/i.test(scheme) || !/^[A-Z]?[a-z]+[.,:;]?$/.test(value);
    return isSecret ? `${scheme} ${MASK}` : all;
  }),
];

const ERROR_BEGINNING =
  /^(?:bad|expired|forbidden|insufficient|invalid|malformed|mismatch|missing|not|revoked|unauthenticated|unauthorized|unregistered|unsupported)$/i;
const ERROR_WORD =
  /^(?:access_denied|authorization_pending|cannot|connect|connection|could|denied|does|error|failed|failure|getaddrinfo|has|http|is|it|must|no|refused|rejected|request|requested|required|response|server_error|session|should|slow_down|socket|temporarily_unavailable|the|this|timed|timeout|too|unable|was|wrong|your)$/i;
/** `Invalid` of `InvalidToken`, `INVALID` of `INVALID_TOKEN` */
const FIRST_WORD = /^(?:[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+)(?=[A-Z_]|$)/;
const LONGEST_ERROR = 100;
const LONG_SECRET = /token|key|secret|credential|signature|authorization/i;

/** `access token: connect ETIMEDOUT` */
function isError(name: string, value: string) {
  if (!name.endsWith(': ') || value.length > LONGEST_ERROR) return false;
  return value.split(': ').every((clause) => {
    const word = clause.replace(/^(?:token|key) /i, '').replace(/[.,:;)]$/, '');
    if (/^[45]\d\d$/.test(word)) return LONG_SECRET.test(name);
    if (!/^[A-Z_]+$/i.test(word)) return false;
    return ERROR_WORD.test(word) || ERROR_BEGINNING.test(FIRST_WORD.exec(word)?.[0] ?? '');
  });
}

function maskedLike(value: string) {
  if (/^(?:true|false|null)$/i.test(value)) return value;
  return `${value.match(/^\\*["']/)?.[0] ?? ''}${MASK}`;
}
