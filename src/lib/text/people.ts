import { anyOf, CAPITAL, HAN, HANGUL, KATAKANA, LETTER, LETTER_OR_DIGIT } from './letters.ts';
import { MASK, type Masking, maskingAfter, maskingOf, maskingsFor } from './mask.ts';
import { isHost } from './tokens.ts';
import { isVocabulary } from './vocabulary.ts';

/** Zedekiah, O'Neil, Müller-Lüdenscheidt, Z., Захар, van der Berg */
const WORD = `[${CAPITAL}][${LETTER}'’-]{0,40}\\.?`;
const NAME = `${WORD}(?:,? (?:(?:de|da|di|van|von|der|den|bin|al|el|la|le|du|dos|ter|y) ){0,2}${WORD}){0,3}`;
const START = `(?<![${LETTER_OR_DIGIT}_])`;
const END = `(?![${LETTER}])`;

/** The words of the second group are also of other things: `Cache Miss Error`. */
const TITLES = `(?:${anyOf(
  'Mrs?|Ms|Mx|Mister|Madam|Dr|Prof',
  'Herrn?|Frau|Hr',
  'Monsieur|Madame|Mademoiselle|Mme|Mlle',
  'Señora?|Senhora?|Sra|Srta|Doña|Signora?',
  'Dhr|Mevr|Mevrouw|Sayın',
  '[Гг]-н|[Гг]-жа|[Гг]осподин|[Гг]оспожа',
)})|(Miss|Sir|Don|Fr|M|Sr|Sig|Pani?|Bayan|Bay)`;
/** Mr. Dr. Zedekiah Quillfeather */
const TITLED = new RegExp(`${START}(?:${TITLES})(\\.? (?:(?:Dr|Prof|Mr|Mrs|Herr|Frau)\\.? )*)(${NAME})`, 'g');

const withoutTitled: Masking = (text) =>
  text.replace(TITLED, (all: string, ambiguous: string | undefined, between: string, name: string) => {
    const isOther = ambiguous !== undefined && name.split(' ').every(isVocabulary);
    return isOther ? all : `${all.slice(0, -name.length - between.length)}${between}${MASK}`;
  });

/** श्री रामेश्वर प्रसाद का …, السيد كريم, คุณสมชาย: up to three words */
const TITLED_ELSEWHERE = new RegExp(
  `(?<![${LETTER}])((?:श्रीमती|श्री|सुश्री|السيدة|السيد|מר|גברת) |คุณ ?|นางสาว ?|นาย ?)[${LETTER}]{2,40}(?: (?!(?:का|की|के|को|ने|से|में|पर|नहीं|है|غير|لا|לא|אינו)${END})[${LETTER}]{2,40}){0,2}`,
  'g',
);

const GREETINGS = anyOf(
  'hi|hello|hey|dear|greetings|good (?:morning|afternoon|evening)|hallo|guten (?:tag|morgen|abend)|liebe[rs]?|sehr geehrte[rs]?|moin|servus',
  'bonjour|bonsoir|salut|ch(?:er|ère)|hola|buenos días|estimad[oa]|querid[oa]|olá|prezad[oa]|car[oa]|ciao|gentile|buongiorno|salve',
  'beste|geachte|hoi|hej|kære|kjære|bäste|szanown[ya]|cześć|witaj|merhaba|sayın|здравствуйте|привет|уважаем(?:ый|ая)|дорог(?:ой|ая)',
);
/** `Hi there,`, `the host said hello from …` */
const NO_GREETED = `(?:the|to|from|there|all|everyone|valued|user|sender|postmaster|admin(?:istrator)?|customer|recipient|client|colleagues?|sir|madam|message|name|host|command|required|rejected|received|is|was|not)${END}`;
/** `Zedekiah` before a comma; up to four words without one. */
const GREETED_NAME = `(?:${anyOf(
  `[^\\s,.!:;"'•<>()@][^,.!:;"'•<>()@]{0,40}(?=[,!])`,
  `[${LETTER}][${LETTER}'’-]{0,40}(?: [${LETTER}][${LETTER}'’-]{0,40}){0,3}(?![${LETTER}@.\\d-])`,
)})`;
/** `Hi Zedekiah, your overdraft …`: a message begins with it, up to the end of a quote or bracket. */
const GREETED = new RegExp(
  `${START}(?<!(?:server|client) )((?:${GREETINGS}) )(?!${NO_GREETED})${GREETED_NAME}(?:([,!] ?)[^"”»“<>()[\\]{}|;\\\\]+)?`,
  'gi',
);

/** `Hi! Your overdraft …` */
const UNNAMED =
  /(?<![\p{Lu}\p{Ll}])((?:hi|hello|hey|hallo|hola|bonjour|ciao|привет)! ?)[\p{Lu}\p{Ll}][^"”»“<>()[\]{}|;\\]+/giu;

const CLOSINGS = anyOf(
  '(?:[Bb]est|[Kk]ind|[Ww]arm) [Rr]egards|[Rr]egards|[Ss]incerely|[Cc]heers|[Ss]igned(?: off)? by',
  '[Mm]it freundlichen Grüßen|[Vv]iele Grüße',
  '[Cc]ordialement',
  '[Ss]aludos|[Aa]tentamente',
  '[Aa]tenciosamente',
  '[Cc]ordiali saluti',
  '[Gg]roeten',
  '[Сс] уважением',
);
/** `Kind regards, Zedekiah` */
const SIGNED = new RegExp(`${START}((?:${CLOSINGS}),? )(${NAME})`, 'g');

const ROLE = anyOf(
  'The|This|That|Your|Our|An?|User|Recipient|Contact|Customer|Subscriber|Member|Client|Employee|It|He|She|They|Who',
  'Der|Die|Das|Herr|Frau|Kunde',
  'Le|La|El',
  'Он|Она|Пользователь|Получатель|Абонент|Сотрудник|Сотрудница',
);
const LEFT = anyOf(
  `(?:has |have |had )?(?:left|quit|resigned|retired|unsubscribed|opted out|blocked (?:you|the bot|us)|moved|passed away|died)${END}`,
  'is (?:no longer|out of (?:the )?office|on (?:vacation|leave|holiday)|away|deceased)|no longer works|does(?:n.t| not) work here|will be back',
  'hat (?:das|die|unser|den)|ist (?:nicht mehr|ausgeschieden|im Urlaub|verstorben|abwesend)|arbeitet nicht mehr',
  "a quitté|n['’]est plus|ne travaille plus|est (?:absent|parti|décédé)|ya no|ha dejado|dejó|não trabalha|deixou|saiu|ha lasciato|non lavora|werkt niet|nie pracuje|opuścił",
  'больше не|покинул|уволил|не работает|в отпуске|отписал|заблокировал|скончал',
);
/** `The recipient Zedekiah Quillfeather has left` */
const WHO_LEFT = new RegExp(`${START}((?:(?:${ROLE}) )?)(${NAME})(?= (?:${LEFT}))`, 'g');

/** `Zedekiah's mailbox` */
const WHOSE = new RegExp(
  `${START}(${NAME})(?=['’]s (?:mailbox|inbox|account|phone|device|number|e-?mail|calendar)${END})`,
  'g',
);

const HONORED = new RegExp(
  anyOf(
    // 山田太郎様, 张伟先生
    `(?<![${HAN}${KATAKANA}])(?!お客|皆|各|先方|高客|用户|尊敬)[${HAN}${KATAKANA}＝ ]{1,14}?(?=(?:様|さま|さん|氏|殿|くん|ちゃん|先生|女士|小姐)(?![${HAN}]))`,
    // 김철수님
    `(?<![${HANGUL}])(?!고객|회원|사용자|수신자)[${HANGUL}]{2,4}(?= ?(?:님|씨)(?:[은는이가의에께을를]|[^${HANGUL}]|$))`,
  ),
  'g',
);
/** 宛先: 山田太郎 */
const LABELED = new RegExp(
  `((?:${anyOf(
    '宛先|受信者|受取人|氏名|ユーザー',
    '收件人|联系人|用户|客户',
    '수신자|받는 사람',
  )})[\\s:：]{1,2})[${HAN}${KATAKANA}${HANGUL}]{2,12}(?=[\\s,、。，様さ先님의은는]|$)`,
  'g',
);

/** 用户欧阳锋已注销 */
const ATTACHED = new RegExp(
  `((?:用户|收件人|客户|联系人|会员|ユーザー|受信者))(?![账帐名不未已无没拒余的端设输组标号邮信授权取关被登])[${HAN}${KATAKANA}]{2,5}?(?=已|不存|未|无|没有|拒|被|的|关闭|取消|は|が|の)`,
  'g',
);

/** `@izzyblum`, but neither the domain of an address nor a version: `pkg@1.2` */
const HANDLE = new RegExp(
  `(?<![${LETTER_OR_DIGIT}_.@/•-])@(?!\\d+(?:\\.\\d+)*(?![${LETTER}_]))[${LETTER_OR_DIGIT}_][${LETTER_OR_DIGIT}_.]{2,40}(?![${LETTER_OR_DIGIT}_/@-])`,
  'g',
);

/** `izzyblum#4821` */
const TAGGED = /(?<![\w./-])([a-z][\w.]{1,31})#\d{4}(?!\w)/gi;

/** Names that a sentence announces, and user names. */
export const PEOPLE_MASKINGS: readonly Masking[] = [
  maskingsFor(new RegExp(`[${CAPITAL}]`), [
    withoutTitled,
    maskingAfter(SIGNED),
    maskingOf(WHOSE, (all) => (isVocabulary(all) ? all : MASK)),
    maskingOf(WHO_LEFT, (all, role, name) => (!name.includes(' ') && isVocabulary(name) ? all : `${role}${MASK}`)),
  ]),
  maskingsFor(/[\u0590-\u06ff\u0900-\u097f\u0e00-\u0e7f]/, [maskingAfter(TITLED_ELSEWHERE)]),
  maskingsFor(new RegExp(`(?:${GREETINGS})[ !]`, 'i'), [
    maskingAfter(UNNAMED),
    maskingOf(GREETED, (_, greeting, end: string | undefined) => `${greeting}${MASK}${end ? `${end}${MASK}` : ''}`),
  ]),
  maskingsFor(new RegExp(`[${HAN}${KATAKANA}${HANGUL}]`), [
    maskingAfter(LABELED),
    maskingAfter(ATTACHED),
    maskingOf(HONORED, MASK),
  ]),
  maskingsFor(/@/, [maskingOf(HANDLE, (all) => (isHost(all.slice(1)) ? all : `@${MASK}`))]),
  maskingsFor(/[a-z\d_.]#\d{4}/i, [maskingOf(TAGGED, (all, name) => (isVocabulary(name) ? all : MASK))]),
];
