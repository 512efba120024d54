/** Of what the next word is the name: of somebody, of a step's or the API's own field, or of our sender. */
export type Announced = 'person' | 'username' | 'field' | 'sender';

const WORDS: Readonly<Record<Announced, string>> = {
  person: [
    'recipient recipients subscriber subscribers contact contacts customer customers client clients member members owner owners person persons',
    'employee employees patient patients guest guests named called mailbox empfänger empfängers benutzer benutzers nutzer kunde kunden mitarbeiter',
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
    WORDS[announced].split(' ').map((word) => [word, announced] as const),
  ),
);

export const announcedBy = (word: string): Announced | undefined => ANNOUNCED.get(word.toLowerCase());
