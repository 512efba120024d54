import { initials, MASK, type Masking, maskingAfter, maskingOf } from './mask.ts';
import { isHost } from './tokens.ts';

const WORD = "\\p{Lu}[\\p{L}\\p{M}'’.-]{0,30}";
const AT = '(?:@|%40)';
/** Groups: the opening quote, and a name between quotes: `"Jane Roe`; a backslash may escape each. */
const QUOTED = `(\\\\*["“„'«「『] ?)(\\p{L}[^"“”„'«»「」『』<>@:\\\\]{1,60})(?= ?\\\\*["”“'»」』])`;
const PERSON = [
  'recipient|user|subscriber|contact|customer|mailbox|member|owner|person|full name',
  'empfänger|benutzer|nutzer|kunde|destinataire|utilisateur|destinatari[oa]|usuario|usuário|utente|ontvanger|gebruiker',
  'odbiorca|użytkownik|alıcı|kullanıcı|получатель|абонент|пользователь|адресат|收件人|用户|受信者|宛先|ユーザー|수신자|사용자|المستلم',
].join('|');

/** Groups: the words, a bracket, the address's own part: `Recipient Jane Roe <jane.roe`. */
const BEFORE_ADDRESS = new RegExp(`(?<![\\p{Lu}\\p{Ll}])((?:${WORD},? ){1,4})(?=(<?)([^<>@\\s]{1,64})${AT})`, 'gu');
/** `"Jane Roe" <jane.roe@…` */
const QUOTED_BEFORE_ADDRESS = new RegExp(`${QUOTED}(?=\\\\*["”“'»」』] ?\\\\*<[^<>@\\s]{1,64}${AT})`, 'gu');
/** Groups: a word for a person, and those of QUOTED: `user: "Jane Roe"`. */
const QUOTED_AS_PERSON = new RegExp(`((?:${PERSON})[:=]? ?)${QUOTED}`, 'giu');
/** Exchange's names in a directory (RFC 4514): `cn=Recipients/cn=0a1b-jane.roe`. */
const DIRECTORY_NAME = new RegExp(
  `(?<![a-z-])((?:cn|uid|sn|givenname|samaccountname)=)(?!recipients\\b|configuration\\b|\\d+(?![\\w-]))[^\\s,;/"'<>()•]+(?: ${WORD})*`,
  'giu',
);

/** Words that errors have, also where a name would be: `user "Unknown Mailbox"`. */
const NO_NAME =
  /access|account|address|bad\b|block|deliver|denied|disabled|domain|error|expired|fail|full|gateway|host|inbox|invalid|local|mail|message|not\b|policy|quota|recipient|refused|reject|relay|remote|request|sender|server|service|spam|temporar|time-?out|too\b|unavailable|undeliver|unknown|user/i;
/** Two to four capitalized words, or a script without capitals: `Roe, Jane`, `山田 太郎`. */
const IS_NAME = new RegExp(`^(?:${WORD}(?:,? ${WORD}){1,3}|\\p{Lo}[\\p{Lo}\\p{M} ·]{1,20}) ?$`, 'u');
/** Groups: a field's beginning, and the name: `"firstName": "Jane`. */
const NAME_FIELD = /(\\*"(?:first|last|middle|full|given|family|recipient|customer)_?name\\*"\s*:\s*\\*")([^"\\]+)/gi;

export const withoutNameFields = maskingOf(NAME_FIELD, (_, field, name) => {
  return `${field}${initials(...name.split(' ', 5)) ?? MASK}`;
});

/** Names are known by addresses beside them, which must not be masked yet. */
export const NAME_MASKINGS: readonly Masking[] = [
  withoutNameFields,
  maskingAfter(QUOTED_BEFORE_ADDRESS),
  (text) => (text.includes('@') ? withoutNamesBeside(text) : text),
  maskingOf(QUOTED_AS_PERSON, (all, label, quote, name) => {
    return IS_NAME.test(name) && !NO_NAME.test(name) ? `${label}${quote}${MASK}` : all;
  }),
  maskingOf(DIRECTORY_NAME, (all, label) => (isHost(all.slice(label.length)) ? all : `${label}${MASK}`)),
];

/**
 * Words before an address are its owner's name if the address has one of them, or if several stand before one in
 * brackets. In `Recipient Jane Roe <jane@…>`, they begin after `Recipient`.
 */
const withoutNamesBeside = maskingOf(BEFORE_ADDRESS, (all, words, bracket, local) => {
  const list = words.split(/(?<= )/);
  const name = list.slice(list.findLastIndex((word) => NO_NAME.test(word)) + 1);
  const isAddressed = name.some((word) => local.toLowerCase().includes(word.replace(/[^\p{L}]/gu, '').toLowerCase()));
  const isName = isAddressed || (bracket !== '' && name.length > 1);
  return isName ? `${all.slice(0, all.length - name.join('').length)}${MASK} ` : all;
});
