import { type Code, codesIn, commandIn } from './error-codes.ts';

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

/** "(in reply to RCPT TO)" becomes "in reply at RCPT TO": it says nothing of a Reply-To. */
const COMMAND_BEHIND = / ?\(in reply to ([a-z ]{4,30})\)$/i;
/** "To protect our users from spam, …" doesn't say that this is spam. */
const PURPOSE =
  /\b(?:in order )?to (?:help )?(?:protect|defend|prevent|reduce|fight|combat|avoid|stop|limit)\b[^.,;:]{0,60}?\b(?:spam|abuse|phishing|virus(?:es)?|malware|fraud)\b/gi;
/** It is named, since words have no addresses. */
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

/** Articles, contacts, addresses and files. */
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
