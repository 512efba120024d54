import { fieldName } from '../judging/answer-fields.ts';

/** `field` comes from `fieldName`; it's null for a code that stands alone. */
export interface Code {
  field: string | null;
  value: string;
}

export interface Words {
  /** ` client host not found using zen spamhaus org ` */
  text: string;
  list: readonly string[];
}

/** What an error says, and where in the dialog with a mail server it was said. */
export interface ErrorText {
  words: Words;
  /** The words of names in it, such as InvalidPhoneNumber. */
  nameWords: Words | null;
  codes: readonly Code[];
  /** The command that a mail server refused, such as `mail from`. */
  command: string | null;
  /** A mail server's reply, such as `550`; of an enhanced status alone `5xx` or `4xx`. */
  reply: string | null;
}

/** Of an error, in characters: providers' sentences are shorter. */
export const LONGEST_READ = 2_000;
const MOST_CODES = 60;

/** "In reply to RCPT TO" says nothing of a Reply-To. */
const COMMAND_BEHIND = / ?\(in reply to ([a-z ]{4,30})\)$/i;
/** "To protect our users from spam, …" doesn't say that this is spam. */
const PURPOSE =
  /\b(?:in order )?to (?:help )?(?:protect|defend|prevent|reduce|fight|combat|avoid|stop|limit)\b[^.,;:]{0,60}?\b(?:spam|abuse|phishing|virus(?:es)?|malware|fraud)\b/gi;
/** Words have no addresses. */
const OWN_MACHINE = /(?<![\d.:])(?:127(?:\.\d{1,3}){3}|::1)(?=[:\s]|$)/g;
/** Python's `(550, b'5.1.1 …')`; .NET's words for any 55x. */
const PYTHON_REPLY = /\b([245]\d\d), b?["']/g;
const DOTNET_REPLY =
  /\b(?:Mailbox (?:unavailable|name not allowed)|Exceeded storage allocation|Transaction failed)\. The server response was:/;

export function parseError(error: string): ErrorText {
  const text = error
    .slice(0, LONGEST_READ)
    .replace(PYTHON_REPLY, (_, reply: string) => `${reply} `)
    .replace(DOTNET_REPLY, 'said: 550')
    .replace(PURPOSE, '')
    .replace(OWN_MACHINE, 'localhost');
  const codes = codesIn(text).flatMap((code) => {
    // `5.7.*`, as 5.7.26 says at least that.
    const subject = code.value.replace(/(?<=^[45]\.\d)\.\d+$/, '.*');
    return subject === code.value ? [code] : [code, { ...code, value: subject }];
  });
  const said = text.replace(COMMAND_BEHIND, (_, command: string) => ` in reply at ${command}`);
  const nameWords = said.search(NAME_SEAMS) < 0 ? null : wordsIn(said.replaceAll(NAME_SEAMS, ' '));
  return { words: wordsIn(said), nameWords, codes, command: commandIn(text), reply: replyIn(text, codes) };
}

function replyIn(text: string, codes: readonly Code[]) {
  const inField = (name: RegExp) => codes.find(({ field, value }) => name.test(field ?? '') && /^[45]/.test(value));
  const status = inField(/^enhanced$/)?.value;
  const code = inField(/^(?:smtp|responsecode)$/)?.value ?? /^[45]\d\d(?=[ -])/.exec(text)?.[0];
  return code ?? (status === undefined ? null : `${status.charAt(0)}xx`);
}

const NO_WORDS = /^(?:the|an?)$|[@•]|^\d{1,3}(?:\.\d{1,3}){3}$|\.(?:png|jpe?g|gif|pdf|css|js)$/i;
/** Names with fewer words may be a variable's. */
const SNAKE_CASE = /\b(?:[A-Z][A-Z\d]*(?:_[A-Z\d]+)+|[A-Z][a-z]+(?:_[a-z]+){2,}|[a-z]+(?:_[a-z]+){3,})\b/g;
/** Between words of InvalidPhoneNumber and, at a text's beginning, of invalid_phone_number. */
const NAME_SEAMS = /(?<=[a-z])(?=[A-Z][a-z])|(?<=^[a-z_]{1,60})_(?=[a-z])/g;
const ACCENTS = /(?<=\p{sc=Latin})\p{M}+/gu;
/** These scripts put no blanks between words. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}]/gu;
const NEGATED = /\b(is|are|was|were|do|does|did|has|have|could)nt\b|\b(can)(?:t|not)\b/g;
/** "Not blacklisted" is no block list. */
const DENIED =
  / (?:not|never|nicht|pas|nao|nie|no|non|не)(?: been| currently| on(?: any| our)?| in(?: any| our)?| esta en(?: la| una)?| esta na| e(?: nella| in)?| sur(?: une| la)?| dans(?: une| la)?| auf(?: einer| der)?| в)? (?=(?:lista negra|liste noire|sperrliste|blackliste|черном списке|(?:black|block|deny) ?list|(?:blocked|banned|spam(?:mer)?|suspended|disabled|full|locked|infected|virus|gesperrt|bloque|bloqueado)) )[^ ]+(?: negra(?= )| noire(?= )| списке(?= ))?/g;

export function wordsIn(text: string): Words {
  const words = wordsOf(text);
  return { text: words, list: words.trim().split(' ') };
}

/** Normalizes spelling, drops Postfix's "host … said". */
export function wordsOf(text: string): string {
  const codes = text.replace(SNAKE_CASE, (code) => code.replaceAll('_', ' '));
  const tokens = codes.replace(/^host \S+ said:|['’‘`]/g, '').split(/[\s<>()[\]",;:]+/);
  const words = tokens.filter((word) => !NO_WORDS.test(word)).join(' ');
  const spaced = unaccented(words)
    .replace(/[^\p{L}\p{N}_]+/gu, ' ')
    .trim();
  return ` ${spaced.toLowerCase().replace(NEGATED, (_, verb = '', can = '') => `${verb}${can} not`)} `.replace(
    DENIED,
    ' not',
  );
}

function unaccented(words: string) {
  if (!/[^\p{ASCII}]/u.test(words)) return words;
  return words.normalize('NFD').replace(ACCENTS, '').normalize('NFC').replaceAll('ı', 'i').replace(UNSPACED, ' $& ');
}

/** What follows the "but" of "is not blacklisted, but …", if there is one. */
const CONTRAST =
  /\b(?:not|isn't|aren't|wasn't|nicht|kein|keine|pas|no|non|nie|не)\b[^.;:]{1,80}?\b(?:but|sondern|aber|mais|sino|pero|bensì|lecz|ale|но|а)(?= \S)/iu;
export function withoutContrast(text: string): string | null {
  const rest = text.slice(0, LONGEST_READ).replace(CONTRAST, '');
  return rest.length < Math.min(text.length, LONGEST_READ) ? rest : null;
}

const OR =
  / (?:or|oder|ou|o|of(?= (?:de|het|een|mailbox|postvak|adres|niet|inactief|uitgeschakeld|geblokkeerd) )|lub|albo|oppure|eller|nebo|vagy|veya|или|либо) /;

/** The two readings of "the user is unknown or disabled": "user is unknown", and "user is disabled". */
export function alternativesIn({ text }: Words): readonly [Words, Words] | null {
  const { index, 0: or = '' } = OR.exec(text) ?? {};
  if (index === undefined) return null;
  const [before, after] = [text.slice(0, index), text.slice(index + or.length - 1)];
  return [wordsIn(before), wordsIn(`${before.replace(/ [^ ]*$/, '')}${after}`)];
}

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

const commandIn = (text: string) => COMMAND.exec(text)?.[1]?.toLowerCase() ?? null;
