import { isShownId } from './fields.ts';
import { MASK, type Masking, maskingAfter, maskingOf, maskingsFor } from './mask.ts';
import { NAMED_MASKINGS } from './named-secrets.ts';

const PEM_BLOCK = /-----BEGIN [A-Z0-9 ]{0,40}-----.*?(?:-----END [A-Z0-9 ]{0,40}-----|$)/gs;
/** `with password Zx9!kLm2`, but not `password expired` */
const PASSWORD =
  /(?<![\p{Lu}\p{Ll}])((?:password|passwd|passphrase|passwort|kennwort|mot de passe|contraseña|senha|пароль) )(?=\S{0,64}\d)(?=\S{0,64}[A-Za-z])(?![([{<])[^\s"<>]{6,64}/giu;

/** Google and Apple generate groups of four random letters. */
const APP_PASSWORD = /(?<![\w-])[a-z]{4}([ -])[a-z]{4}(?:\1[a-z]{4}){2,4}(?![\w-])/g;
const NO_WORD = /^(?!html$|http$|smtp$)[^aeiouy]+$/;

const YOUR = '(?:your|ihr|dein|votre|ton|su|tu|il tuo|il suo|seu|uw|je|twój|din|ваш|твой)';
/** `Your verification code is `, `验证码：`, `one-time code "` */
const CODE_LABEL = [
  `(?<![\\p{Lu}\\p{Ll}])${YOUR}\\s(?!\\P{N}{0,40}(?:error|status|country|zip))(?:\\p{L}+[\\s-]){0,3}?\\p{L}*(?:code|código|codice|kod|код|pin)(?!\\p{L})\\P{N}{1,30}?`,
  '(?:验证码|驗證碼|校验码|確認コード|認証コード|인증 ?번호|인증 ?코드|رمز التحقق|код подтверждения)\\P{N}{1,20}?',
  `(?:otp|passcode|(?:one-time|verification|confirmation|login|security|2fa)[ _-](?:code|pin))\\s\\\\*["'“«]?`,
].join('|');
const CODE = '(?<!\\p{N})(?:\\d{3}[ -]\\d{3}|\\d\\d(?:[ -]\\d\\d){2}|\\d{4,8})(?!\\d)';
const ONE_TIME_CODE = new RegExp(`(${CODE_LABEL})${CODE}|${CODE}(?=\\s(?:is|ist|est|es|é|è|—|-)\\s${YOUR}\\s)`, 'giu');

const KNOWN_KEYS = [
  /eyJ[\w-]{5,}(?:\.[\w-]*)*/, // a JSON web token
  /SG\.[\w.-]{8,}/, // SendGrid
  /xox[a-z]+[-.][\w.-]+/, // Slack
  /xapp-[\w-]+/,
  /(?:sk|pk|rk|re|whsec)_\w{8,}/, // Stripe, Resend
  /sk-[\w-]{16,}/, // OpenAI
  /A[KS]IA[0-9A-Z]{8,}/, // AWS
  /AIza[\w-]{16,}/, // Google
  /ya29\.[\w.-]+/,
  /key-[0-9a-f]{16,}/, // Mailgun
  /gh[pousr]_\w{8,}/, // GitHub
  /github_pat_\w+/,
  /glpat-[\w-]+/, // GitLab
  /x(?:key|smtp)sib-[\w-]+/, // Brevo
  /rzp_(?:live|test)_\w{8,}/, // Razorpay
  /(?:pat-[a-z]{2}\d|HRKU)-[0-9a-f-]{16,}/, // HubSpot, Heroku
  /Expo(?:nent)?PushToken\[[^\]]*\]?/, // a device's at Expo
  /(?<![\w-])[\w-]{8,}:APA91[\w-]*/, // a device's at Firebase
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
const CONSTANT = /^[A-Z]+(?:_(?:[A-Z]{5,}|[A-Z0-9]{1,4})(?=_|$))+$/;
/** Follows a run that is part of a host name or of Gmail's message. */
const PUBLIC_END = /^(?:\.[a-z-]{2,63}){2,4}(?![\w-])|^[.\d]{0,40} - gsmtp/;

/** Shorter runs are no keys: IDs and names look as random. */
const FEWEST_RANDOM = 24;

/** What is a secret by a name beside it, or by its own shape. */
export const SECRET_MASKINGS: readonly Masking[] = [
  maskingsFor(/-----BEGIN/, [maskingOf(PEM_BLOCK, MASK)]),
  ...NAMED_MASKINGS,
  (text) =>
    text.replace(APP_PASSWORD, (all: string, _, at: number) => {
      const isNamed = /pass\w{0,6}\W{1,3}$/i.test(text.slice(Math.max(0, at - 12), at));
      return isNamed || all.split(/[ -]/).some((group) => NO_WORD.test(group)) ? MASK : all;
    }),
  maskingsFor(/\d/, [maskingAfter(PASSWORD)]),
  maskingsFor(/\d\d/, [maskingAfter(ONE_TIME_CODE)]),
  maskingOf(KNOWN_KEY, MASK),
  (text) =>
    text.replace(LONG_HEX, (all: string, at: number) => (TWILIO_ID.test(all) || isNamedId(text, at) ? all : MASK)),
  (text) =>
    text.replace(RUN, (run: string, at: number) => {
      if (holdsLogin(run)) return MASK;
      if (run.length < FEWEST_RANDOM) return run;
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

/** Base64 of an address, or of user and password (AUTH PLAIN, RFC 4616). */
function holdsLogin(run: string) {
  if (run.length % 4 !== 0 || !/[A-Z]/.test(run)) return false;
  const plain = Buffer.from(run, 'base64').toString('latin1');
  return /^[\0\x20-\x7e]+$/.test(plain) && /^[^@\0]+@[\w-]+\.|\0/.test(plain);
}

/** Keys switch between cases and digits anywhere, identifiers between words. */
function looksRandom(run: string) {
  if (run.length < FEWEST_RANDOM) return false;
  const letters = run.replace(/[^A-Za-z0-9]/g, '');
  const humps = count(letters, /[a-z](?=[A-Z])/g);
  if (!/\d/.test(letters)) return humps >= 3 && count(letters, /[A-Z](?=[A-Z])/g) >= 2;
  return humps + count(letters, /[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) >= Math.max(4, letters.length / 8);
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
