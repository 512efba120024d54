import { MASK } from './mask.ts';

const SECRET_NAME = [
  'pass(?:wor[dt]|wd|phrase|code|key)|[_.-]pass(?![a-z])|smtp[-_ ]?pass|pwd',
  'secret|token|cookie|credential|signature|authorization',
  '(?:api|auth|access|private|server|account|app|application|consumer|encryption|functions|master|signing|subscription)[-_ ]?key',
  '(?:otp|pin)[-_ ]?code|(?:mfa|2fa|verification|confirmation|login|security|access|auth|one[-_ ]?time)[-_ ]?(?:code|pin)',
  'otp(?![a-z])|[_.-]pin(?![a-z])',
  'sess(?:ion)?[-_ ]?id|connect\\.sid|player[-_ ]?id|smtp[-_ ]?user|webhook[-_ ]?url',
].join('|');
const WHOLE_SECRET_NAME = 'pass|pin|jwt|auth|sig';
const NAMES_SECRET = new RegExp(`${SECRET_NAME}|^(?:${WHOLE_SECRET_NAME})$`, 'i');

export function isSecretName(name: string): boolean {
  return NAMES_SECRET.test(name);
}

const NAME = `(?:(?:${SECRET_NAME})[\\w.-]{0,20}(?<!Error|Exception)(?:\\s(?:provided|supplied|given|used))?|(?<![\\w.-])(?:${WHOLE_SECRET_NAME}))\\\\*["']?\\s*(?:=>|[:=]|is(?=\\s\\d{4,8}\\b)|(?<!</[\\w.:-]{1,80}\\s{0,9})>)\\s*`;

/** The most specific first. */
const VALUE = [
  `${MASK}(?![^\\s"<>,;}\\]])`,
  '(?<=>\\s{0,9})[^<>]+(?=<\\\\*/)',
  '\\\\+"(?:[^"\\\\]|\\\\{3}"|\\\\(?!"))*',
  '"(?:[^"\\\\]|\\\\.)*',
  "'(?:[^'\\\\]|\\\\.)*",
  '\\{(?:[^{}]|\\{[^{}]*\\})*\\}?',
  '\\[[^[\\]]*\\]?',
  '(?:true|false|null)\\b',
  '(?:bearer|basic|api-?key|digest|token|key)\\s+[^\\s"<>]+',
  /** Cookie: a=b; c=d. Bounded: each name would start a search to the end of the text. */
  '[^\\s;,"=<>]{1,128}=[^\\s;"]*(?:;\\s*[^\\s;="]+(?:=[^\\s;"]*)?)*',
  '-?\\d[\\d.]*(?=\\s*[,}\\]])',
  '[^\\s"<>]+',
].join('|');

/** What follows the last of several names is secret. */
const NAMED_SECRET = new RegExp(`(${NAME})((?:[\\w.-]{0,20}${NAME})+(?:${VALUE})?|${VALUE})`, 'gis');

/** `App abc`, `Token token="abc", x="1"` (RFC 9110, 11.4). */
const AUTHORIZATION_HEADER =
  /(authorization\\*["']?\s*(?:=>|[:=])\s*\\*["']?)([a-z][\w-]{1,30})\s+(?:[\w-]{1,40}=(?:"[^"]*"?|[^\s,"]+)(?:\s*,\s*[\w-]{1,40}=(?:"[^"]*"?|[^\s,"]+))*|[^\s"'<>,•]{6,})/gi;

const NAMED_BESIDE =
  /(\b(?:name|key|header)\\*["']?\s*[:=]\s*\\*["'])([^"'\\]{1,100})(\\*["']\s*,?\s*\\*["']?value\\*["']?\s*[:=]\s*\\*["'])((?:[^"'\\]|\\(?!["']))+)/gi;

/** With a digit: `invalid token "abc123"`, but not `Unexpected token "end"`. */
const QUOTED_SECRET =
  /((?:password|passphrase|secret|token|(?:api|auth|access|private)[-_ ]?key)\s+\\*["'`])(?=[^"'`\s]{0,200}\d)[^"'`\s<>\\]{6,}/gi;

const TAG_WITH_ATTRIBUTES = new RegExp(
  `(<(?:[\\w.-]{0,40}:)?(?:[\\w.-]{0,40}?(?:${SECRET_NAME})[\\w.-]{0,20}|${WHOLE_SECRET_NAME}))\\s[^<>]{0,1000}>`,
  'gi',
);

const PEM_BLOCK = /-----BEGIN [A-Z0-9 ]{0,40}-----.*?(?:-----END [A-Z0-9 ]{0,40}-----|$)/gs;
const AUTHORIZATION =
  /\b(bearer|api-?key|api key(?=\s+\S*\d)|auth (?:plain|login)|basic(?=\s+[^\s"<>]*[A-Z0-9+/=]))\s+(?!auth|token|realm|error|scheme|credential|•)[^\s"<>]{4,}/gi;

const KNOWN_KEYS = [
  /eyJ[\w-]{5,}(?:\.[\w-]*)*/,
  /SG\.[\w.-]{8,}/,
  /xox[a-z]+[-.][\w.-]+/,
  /xapp-[\w-]+/,
  /(?:sk|pk|rk|re|whsec)_\w{8,}/,
  /sk-[\w-]{16,}/,
  /A[KS]IA[0-9A-Z]{8,}/,
  /AIza[\w-]{16,}/,
  /ya29\.[\w.-]+/,
  /key-[0-9a-f]{16,}/,
  /gh[pousr]_\w{8,}/,
  /github_pat_\w+/,
  /glpat-[\w-]+/,
  /x(?:key|smtp)sib-[\w-]+/,
  /rzp_(?:live|test)_\w{8,}/,
  /(?:pat-[a-z]{2}\d|HRKU)-[0-9a-f-]{16,}/,
  /Expo(?:nent)?PushToken\[[^\]]*\]?/,
  /(?<![\w-])[\w-]{8,}:APA91[\w-]*/,
];
const KNOWN_KEY = new RegExp(`(?<![A-Za-z0-9])(?:${KNOWN_KEYS.map((key) => key.source).join('|')})`, 'g');

/** Also with a second part, as Mailgun's and Infobip's: `0a1b…-1b2c3d4e-5f6a7b8c`. */
const LONG_HEX =
  /(?<![A-Za-z0-9])(?:[0-9a-f]{32,}(?:-[0-9a-f]{4,12}){0,5}|[0-9a-f]{8}(?: [0-9a-f]{8}){3,})(?![A-Za-z0-9])/gi;
const LONG_RUN = /[A-Za-z0-9+/_-]{24,}={0,2}/g;
const PUBLIC_ID =
  /(?<![0-9a-z])(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{24})(?![0-9a-z])/gi;

export const SECRET_PASSES: readonly ((text: string) => string)[] = [
  (text) => text.replace(PEM_BLOCK, MASK),
  (text) => text.replace(TAG_WITH_ATTRIBUTES, '$1>'),
  (text) =>
    text.replace(AUTHORIZATION_HEADER, (all, name: string, scheme: string) =>
      isError(name, scheme) ? all : `${name}${MASK}`,
    ),
  (text) =>
    text.replace(NAMED_BESIDE, (all, before: string, name: string, between: string) =>
      isSecretName(name) ? `${before}${name}${between}${MASK}` : all,
    ),
  (text) => text.replace(QUOTED_SECRET, `$1${MASK}`),
  (text) =>
    text.replace(NAMED_SECRET, (all, name: string, value: string) =>
      isError(name, value) ? all : name + maskedLike(value),
    ),
  (text) => text.replace(AUTHORIZATION, `$1 ${MASK}`),
  (text) => text.replace(KNOWN_KEY, MASK),
  (text) => text.replace(LONG_HEX, MASK),
  (text) => text.replace(LONG_RUN, (run) => (looksRandom(run.replace(PUBLIC_ID, '')) ? MASK : run)),
];

const ERROR_BEGINNINGS = new Set(
  'bad expired forbidden insufficient invalid malformed mismatch missing not revoked unauthenticated unauthorized unregistered unsupported'.split(
    ' ',
  ),
);
const ERROR_WORDS = new Set(
  'access_denied authorization_pending cannot connect connection could denied does error failed failure getaddrinfo has http is it must no refused rejected request requested required response server_error session should slow_down socket temporarily_unavailable the this timed timeout too unable was wrong your'.split(
    ' ',
  ),
);
const FIRST_WORD = /^(?:[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+)(?=[A-Z_]|$)/;
const LONGEST_ERROR = 100;
const HTTP_STATUS = /^[45]\d\d$/;
const LONG_SECRET = /token|key|secret|credential|signature|authorization/i;

/** `access token: connect ETIMEDOUT` */
function isError(name: string, value: string): boolean {
  if (!name.endsWith(': ') || value.length > LONGEST_ERROR) return false;
  return value.split(': ').every((part) => {
    const word = part.replace(/[.,:;)]$/, '');
    if (HTTP_STATUS.test(word)) return LONG_SECRET.test(name);
    return /^[A-Z_]+$/i.test(word) && (ERROR_BEGINNINGS.has(firstWord(word)) || ERROR_WORDS.has(word.toLowerCase()));
  });
}

function firstWord(name: string): string {
  return name.match(FIRST_WORD)?.[0].toLowerCase() ?? '';
}

function maskedLike(value: string): string {
  if (/^(?:true|false|null)$/i.test(value)) return value;
  const openingQuote = value.match(/^\\*["']/)?.[0] ?? '';
  return `${openingQuote}${MASK}`;
}

/** Keys alternate between cases and digits; people's identifiers do so between words. */
function looksRandom(run: string): boolean {
  if (run.length < 24) return false;
  const letters = run.replace(/[^A-Za-z0-9]/g, '');
  const humps = count(letters, /[a-z](?=[A-Z])/g);
  if (!/\d/.test(letters)) return humps >= 3 && count(letters, /[A-Z](?=[A-Z])/g) >= 2;
  return humps + count(letters, /[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) >= Math.max(4, letters.length / 8);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
