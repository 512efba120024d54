import { isShownId } from './fields.ts';
import { MASK, passAfter, passOf, type TextPass } from './mask.ts';

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
const NAME = `(?:(?:${SECRET_NAME})[\\w.-]{0,20}(?<!Error|Exception)(?:\\s(?:provided|supplied|given|used|\\([^()]{0,60}\\)))?|(?<![\\w.-])(?:${WHOLE_SECRET_NAME}))\\\\*["']?\\s*(?:=>|[:=]|is(?=\\s\\\\*["'“]?\\d{4,8}\\b)|(?<!</[\\w.:-]{1,80}\\s{0,9})>)\\s*`;

const VALUE = [
  `${MASK}(?![^\\s"<>,;}\\]])`,
  '(?<=>\\s{0,9})[^<>]+(?=<\\\\*/)',
  '\\\\+"(?:[^"\\\\]|\\\\{3}"|\\\\(?!"))*',
  '"(?:[^"\\\\]|\\\\.)*',
  "'(?:[^'\\\\]|\\\\.)*",
  '[a-z]{4}(?: [a-z]{4}){3}(?![a-z])',
  '\\{(?:[^{}]|\\{[^{}]*\\})*\\}?',
  '\\[[^[\\]]*\\]?',
  '(?:true|false|null)\\b',
  '(?:bearer|basic|api-?key|digest|token|key)\\s+[^\\s"<>]+',
  // A cookie's a=b; c=d: bounded, as each name starts a search.
  '[^\\s;,"=<>]{1,128}=[^\\s;"]*(?:;\\s*[^\\s;="]+(?:=[^\\s;"]*)?)*',
  '-?\\d[\\d.]*(?=\\s*[,}\\]])',
  '[^\\s"<>]+',
].join('|');

/** The value after several names belongs to the last. */
const NAMED_SECRET = new RegExp(`(${NAME})((?:[\\w.-]{0,20}${NAME})+(?:${VALUE})?|${VALUE})`, 'gis');

/** `App abc`, `Token token="abc", x="1"` (RFC 9110, 11.4). */
const AUTHORIZATION_HEADER =
  /(authorization\\*["']?\s*(?:=>|[:=])\s*\\*["']?)([a-z][\w-]{1,30})\s+(?:[\w-]{1,40}=(?:"[^"]*"?|[^\s,"]+)(?:\s*,\s*[\w-]{1,40}=(?:"[^"]*"?|[^\s,"]+))*|[^\s"'<>,•]{6,})/gi;

const NAMED_BESIDE =
  /(\b(?:name|key|header)\\*["']?\s*[:=]\s*\\*["'])([^"'\\]{1,100})(\\*["']\s*,?\s*\\*["']?value\\*["']?\s*[:=]\s*\\*["'])((?:[^"'\\]|\\(?!["']))+)/gi;

/** Needs a digit, unlike `Unexpected token "end"`. */
const QUOTED_SECRET =
  /((?:password|passphrase|secret|token|(?:api|auth|access|private)[-_ ]?key|player(?:[-_ ]id)?)\s+\\*["'`])(?=[^"'`\s]{0,200}\d)[^"'`\s<>\\]{6,}/gi;

const TAG_WITH_ATTRIBUTES = new RegExp(
  `(<(?:[\\w.-]{0,40}:)?(?:[\\w.-]{0,40}?(?:${SECRET_NAME})[\\w.-]{0,20}|${WHOLE_SECRET_NAME}))\\s[^<>]{0,1000}>`,
  'gi',
);

/** Requests quoted outside JSON, up to the next request or the response. */
const SENT_DATA =
  /((?<!\w)(?:commonHeaders|(?:config|request)\\*["']?\s*[:=]\s*\{(?:(?!\b(?:config|request|response)\b)[\s\S]){0,3000}?\b(?:data|body))\\*["']?\s*[:=]\s*)(\\*"(?:[^"\\]|\\.)*|'(?:[^'\\]|\\.)*|\{[^{}]*\}?)/g;

const PEM_BLOCK = /-----BEGIN [A-Z0-9 ]{0,40}-----.*?(?:-----END [A-Z0-9 ]{0,40}-----|$)/gs;
/** Includes the base64 of `Username:` and `Password:` (AUTH LOGIN). */
const AUTHORIZATION =
  /\b(bearer|api-?key|api key(?=\s+\S*\d)|auth (?:plain|login)|auth(?: key| secret)?(?=\s+[\w-]{22}(?![\w-]))|(?:include_)?player(?:[-_ ]ids?)?(?=\s+[0-9a-f]{8}-)|basic|VXNlcm5hbWU6|UGFzc3dvcmQ6)\s+(?:C: )?(?!auth|token|realm|error|scheme|credential|•)([^\s"<>]{4,})/gi;

/** `with password Zx9!kLm2`, but not `password expired` */
const PASSWORD =
  /(?<![\p{Lu}\p{Ll}])((?:password|passwd|passphrase|passwort|kennwort|mot de passe|contraseña|senha|пароль) )(?=\S{0,64}\d)(?=\S{0,64}[A-Za-z])(?![([{<])[^\s"<>]{6,64}/giu;

/** Google and Apple generate groups of four random letters. */
const APP_PASSWORD = /(?<![\w-])[a-z]{4}([ -])[a-z]{4}(?:\1[a-z]{4}){2,4}(?![\w-])/g;
const NO_WORD = /^(?!html$|http$|smtp$)[^aeiouy]+$/;

const YOUR = '(?:your|ihr|dein|votre|ton|su|tu|il tuo|il suo|seu|uw|je|twój|din|ваш|твой)';
const CODE_LABEL = [
  `(?<![\\p{Lu}\\p{Ll}])${YOUR}\\s(?!\\P{N}{0,40}(?:error|status|country|zip))(?:\\p{L}+[\\s-]){0,3}?\\p{L}*(?:code|código|codice|kod|код|pin)(?!\\p{L})\\P{N}{1,30}?`,
  '(?:验证码|驗證碼|校验码|確認コード|認証コード|인증 ?번호|인증 ?코드|رمز التحقق|код подтверждения)\\P{N}{1,20}?',
  `(?:otp|passcode|(?:one-time|verification|confirmation|login|security|2fa)[ _-](?:code|pin))\\s\\\\*["'“«]?`,
].join('|');
const CODE = '(?<!\\p{N})(?:\\d{3}[ -]\\d{3}|\\d{4,8})(?!\\d)';
const ONE_TIME_CODE = new RegExp(`(${CODE_LABEL})${CODE}|${CODE}(?=\\s(?:is|ist|est|es|é|è|—|-)\\s${YOUR}\\s)`, 'giu');

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

/** Mailgun's and Infobip's keys have parts: `0a1b…-1b2c3d4e-5f6a7b8c`. */
const LONG_HEX =
  /(?<![A-Za-z0-9]|(?<![A-Za-z0-9])d-)(?:[0-9a-f]{32,}(?:-[0-9a-f]{4,12}){0,5}|[0-9a-f]{8}(?: [0-9a-f]{8}){3,})(?![A-Za-z0-9])/gi;
const RUN = /[A-Za-z0-9+/_-]{8,}={0,2}/g;
/** Accounts, messages and services, but not keys. */
const TWILIO_ID = /^(?!SK)[A-Z]{2}[0-9a-f]{32}$/;
/** UUIDs, ULIDs, IDs of MongoDB, SES, Twilio, X-Ray and Exim. */
const PUBLIC_ID =
  /(?<![0-9A-Za-z])(?:(?:[0-9a-f]{16}-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:-\d{6}(?!\d))?|[0-9a-f]{24}|[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}|01[0-9A-HJKMNP-TV-Z]{24}|(?!SK)[A-Z]{2}[0-9a-f]{32}|d-[0-9a-f]{32}|1-[0-9a-f]{8}-[0-9a-f]{24}|1[0-9A-Za-z]{5}-[0-9A-Za-z]{6,11}-[0-9A-Za-z]{2,6})(?![0-9A-Za-z])/g;
/** `ERR_NON_2XX_3XX_RESPONSE` */
const CONSTANT = /^[A-Z]+(?:_(?:[A-Z]+|[A-Z0-9]{1,4}))+$/;
/** Follows a run that is part of a host name or of Gmail's message. */
const PUBLIC_END = /^(?:\.[a-z-]{2,63}){2,4}(?![\w-])|^[.\d]{0,40} - gsmtp/;

export const SECRET_PASSES: readonly TextPass[] = [
  passOf(PEM_BLOCK, MASK),
  passOf(SENT_DATA, (_, name, value) => `${name}${maskedLike(value)}`),
  passOf(TAG_WITH_ATTRIBUTES, (_, tag) => `${tag}>`),
  passOf(AUTHORIZATION_HEADER, (all, name, scheme) => (isError(name, scheme) ? all : `${name}${MASK}`)),
  passOf(NAMED_BESIDE, (all, before, name, between) =>
    isSecretName(name) ? `${before}${name}${between}${MASK}` : all,
  ),
  passAfter(QUOTED_SECRET),
  passOf(NAMED_SECRET, (all, name, value) => (isError(name, value) ? all : `${name}${maskedLike(value)}`)),
  passOf(AUTHORIZATION, (all, scheme, value) =>
    !/^b?e|^api/i.test(scheme) && /^[A-Z]?[a-z]+[.,:;]?$/.test(value) ? all : `${scheme} ${MASK}`,
  ),
  (text) =>
    text.replace(APP_PASSWORD, (all: string, _, at: number) => {
      const isNamed = /pass\w{0,6}\W{1,3}$/i.test(text.slice(Math.max(0, at - 12), at));
      return isNamed || all.split(/[ -]/).some((group) => NO_WORD.test(group)) ? MASK : all;
    }),
  passAfter(PASSWORD),
  passAfter(ONE_TIME_CODE),
  passOf(KNOWN_KEY, MASK),
  (text) =>
    text.replace(LONG_HEX, (all: string, at: number) => (TWILIO_ID.test(all) || isNamedId(text, at) ? all : MASK)),
  (text) =>
    text.replace(RUN, (run: string, at: number) => {
      if (holdsLogin(run)) return MASK;
      const isPublic = CONSTANT.test(run) || PUBLIC_END.test(text.slice(at + run.length, at + run.length + 60));
      const isRandom = !isPublic && looksRandom(run.replace(PUBLIC_ID, ''));
      return isRandom && !isNamedId(text, at) ? MASK : run;
    }),
];

/** The words before an ID: `commit `, `fbtrace_id: `, `"requestId":"` */
const ID_NAME = /((?:[a-z][\w.-]* ){0,2}[a-z][\w.-]*)\\*["']?\s?[:=]?\s?\\*["']?(?:[\da-f]{2}-)?$/i;

function isNamedId(text: string, at: number) {
  const [, name = ''] = ID_NAME.exec(text.slice(Math.max(0, at - 40), at)) ?? [];
  return name !== '' && isShownId(name);
}

const ERROR_BEGINNING =
  /^(?:bad|expired|forbidden|insufficient|invalid|malformed|mismatch|missing|not|revoked|unauthenticated|unauthorized|unregistered|unsupported)$/i;
const ERROR_WORD =
  /^(?:access_denied|authorization_pending|cannot|connect|connection|could|denied|does|error|failed|failure|getaddrinfo|has|http|is|it|must|no|refused|rejected|request|requested|required|response|server_error|session|should|slow_down|socket|temporarily_unavailable|the|this|timed|timeout|too|unable|was|wrong|your)$/i;
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

/** Base64 of an address, or of user and password (AUTH PLAIN, RFC 4616). */
function holdsLogin(run: string) {
  if (run.length % 4 !== 0 || !/[A-Z]/.test(run)) return false;
  const plain = Buffer.from(run, 'base64').toString('latin1');
  return /^[\0\x20-\x7e]+$/.test(plain) && /^[^@\0]+@[\w-]+\.|\0/.test(plain);
}

function maskedLike(value: string) {
  if (/^(?:true|false|null)$/i.test(value)) return value;
  return `${value.match(/^\\*["']/)?.[0] ?? ''}${MASK}`;
}

/** Keys switch case and digits anywhere, identifiers between words. */
function looksRandom(run: string) {
  if (run.length < 24) return false;
  const letters = run.replace(/[^A-Za-z0-9]/g, '');
  const humps = count(letters, /[a-z](?=[A-Z])/g);
  if (!/\d/.test(letters)) return humps >= 3 && count(letters, /[A-Z](?=[A-Z])/g) >= 2;
  return humps + count(letters, /[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) >= Math.max(4, letters.length / 8);
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
