import { LETTER } from './letters.ts';
import words from './vocabulary.json' with { type: 'json' };

/** Written by `npm run vocabulary`. */
const WORDS: ReadonlySet<string> = new Set(Object.values(words).flatMap((list) => list.split(' ')));

const NO_LETTERS = new RegExp(`[^${LETTER}]+`);
/** Between the words of `firstName` and `HTTPError`. */
const SEAMS = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

export function wordsIn(text: string): string[] {
  const runs = text.split(NO_LETTERS).filter((run) => run !== '');
  return runs.flatMap((run) => run.split(SEAMS)).map((word) => word.toLowerCase());
}

const isKnown = (word: string) => word.length === 1 || WORDS.has(word.toLowerCase());

/** Whether each word of a token is one that errors have: `InvalidPhoneNumber`, `first_name`, `smtp;550`. Single letters and digits say nothing. */
export function isVocabulary(token: string): boolean {
  return isPlainVocabulary(token) || (ACCENTED.test(token) && isPlainVocabulary(unaccented(token)));
}

const ACCENTED = /[\u00c0-\u017f]/;
/** The catalog's words have no accents. */
const unaccented = (token: string) => token.normalize('NFD').replace(/[\u0300-\u036f]+/g, '');

function isPlainVocabulary(token: string): boolean {
  if (WORDS.has(token) || WORDS.has(token.toLowerCase())) return true;
  if (/^[a-z]{2,}$/.test(token)) return false;
  return token.split(NO_LETTERS).every((run) => run === '' || isKnown(run) || run.split(SEAMS).every(isKnown));
}

/** Of what the next word is the name: of somebody or something that is sent, of a step's or the API's own field, or of our sender. */
export type Announced = 'person' | 'username' | 'field' | 'sender';

const ANNOUNCING: Readonly<Record<Announced, string>> = {
  person: [
    'recipient recipients subscriber subscribers contact contacts customer customers client clients member members owner owners person persons',
    'employee employees patient patients guest guests named called titled entitled mailbox empfänger empfängers benutzer benutzers nutzer kunde kunden mitarbeiter',
    'destinataire utilisateur destinatario destinataria destinatário destinatária usuario usuaria usuário utente ontvanger gebruiker odbiorca',
    'użytkownik alıcı kullanıcı получатель получателя абонент пользователь пользователя адресат сотрудник 收件人 用户 受信者 宛先 ユーザー 수신자 사용자',
    'المستلم المستخدم',
  ].join(' '),
  // Their names can be any word.
  username: 'user users username usernames login logins handle handles nickname nicknames',
  field: [
    'field fields property properties parameter parameters param params argument arguments attribute attributes column columns key keys',
    'variable variables placeholder placeholders filter filters header headers option options token tokens method methods function functions',
    'type types enum schema entity element elements tag tags block blocks layout partial helper reading setting permission permissions scope',
    'scopes action actions stream streams',
  ].join(' '),
  // An SMS's sender can be a word, and is ours.
  sender: 'sender senders originator absender',
};

const ANNOUNCED: ReadonlyMap<string, Announced> = new Map(
  (['person', 'username', 'field', 'sender'] as const).flatMap((announced) =>
    ANNOUNCING[announced].split(' ').map((word) => [word, announced] as const),
  ),
);

export const announcedBy = (word: string): Announced | undefined => ANNOUNCED.get(word.toLowerCase());
