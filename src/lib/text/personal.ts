import { anyOf, CAPITAL, HAN, LETTER, LETTER_OR_DIGIT } from './letters.ts';
import { MASK, type Masking, maskingAfter, maskingOf, maskingsFor } from './mask.ts';

const START = `(?<![${LETTER_OR_DIGIT}])`;
const END = `(?![${LETTER_OR_DIGIT}])`;
const WORD_END = `(?![${LETTER}])`;

/** Masks what follows one of the words: `between` is what can stand between the two. */
function after(words: string, between: string, value: string): Masking {
  const pattern = new RegExp(`(${START}(?:${words})${WORD_END}${between})${value}`, 'gi');
  return maskingsFor(new RegExp(words, 'i'), [maskingAfter(pattern)]);
}
const IS = '[\\s:=#]{0,3}(?:(?:is|no|nr|number|id|ist|est|es)\\.?[\\s:=#]{1,3}){0,2}["\'«“]?';

/** Of numbers that no check digit proves: `accounts.ts` masks the others without a word. */
const ACCOUNT_WORDS = anyOf(
  'pan|iban|card (?:no|nr|number)|cvv|cvc|ssn',
  'kreditkarte|kartennummer|kontonummer',
  'tarjeta',
  'cartão',
  'номер карты',
);
/** `DE89 3704 0044`, `4111-1111`, `123` */
const ACCOUNT = `[A-Z]{0,2}\\d(?:[ -]?[A-Z\\d]){2,33}${END}`;

/** `12345678 sort code 20-00-00`, as British banks write it, in either order. */
const SORT_CODE =
  /(?<!\d)(?:\d{6,8}[,;]? )?sort ?code[\s:=]{0,2}\d\d-?\d\d-?\d\d(?:[,;]? (?:account (?:number |no\.? )?)?\d{6,8})?(?!\d)/gi;

/** What states give people. */
const DOCUMENT_WORDS = anyOf(
  'passport|reisepass|passeport|pasaporte|passaporte|passaporto|паспорт',
  "(?:personal)?ausweis|identity card|id card|national id|carte d[’']identité|documento",
  "driv(?:er[’']?s?|ing) licen[cs]e|führerschein|permis de conduire",
  'aadhaar|nif|nie|dni|cpf|cnp|nino|pesel|codice fiscale|tax id|steuer-?id|personnummer|инн|снилс',
);
/** `C01X00T47`, `123.456.789-09` */
const DOCUMENT = `(?=[A-Z\\d.-]{0,20}\\d)[A-Z\\d][A-Z\\d.-]{4,20}${END}`;

const DEVICE_WORDS = anyOf(
  'idfa|idfv|gaid|aaid|adid|oaid|imei|imsi|udid',
  '(?:google |apple |android )?(?:advertis(?:ing|er)|advertisement|ad|device|vendor|android|installation)[ _-]?(?:id|identifier)s?',
  'device',
  'gerät(?:e-id)?',
  'appareil',
  'dispositivo',
  'устройство',
);
/** `357805023984942`, `38400000-8cf0-11bd-b23e-10b96e40000d` */
const DEVICE = `(?=[\\w-]{0,40}\\d)[\\w-]{8,64}${END}`;

const CARRIER_WORDS = anyOf(
  'parcel|package|shipment|tracking|track|consignment|waybill|awb',
  'ups|dhl|fedex|usps|dpd|gls|hermes',
  'paket|sendung|sendungsnummer|paketnummer',
  'colis|suivi',
  'envío|paquete',
  'encomenda',
  'pacco',
  'przesyłka',
  'посылка|трек-номер|трек',
  '荷物|追跡番号',
  '运单号|快递',
);
/** `00340434161094015902`, `RR 123 456 789 DE` */
const TRACKING = `(?=[A-Z]{0,4}\\d)[A-Z\\d]{2,5}(?:[ -]?[A-Z]{0,2}\\d{2,8}){1,6}[A-Z]{0,2}${END}`;

/** Needs no word. */
const PARCEL = anyOf(
  '1Z ?(?:[A-Z\\d] ?){15}[A-Z\\d]', // UPS
  '[A-Z]{2} ?\\d{3} ?\\d{3} ?\\d{3} ?[A-Z]{2}', // the Universal Postal Union's S10
  '9[2-5]\\d{18,20}', // USPS
  '00\\d{18}', // SSCC
  'JJD\\d{12,18}', // DHL
);

const ONE_TIME = anyOf(
  '(?:one[- ]?time|verification|confirmation|security|login|log-in|sign-?in|access|auth(?:entication)?|activation|pass|otp|2fa|mfa|reset)[ -]?(?:code|pin|password)',
  'otp|passcode|pin|tan',
  '(?:bestätigungs|sicherheits|verifizierungs|zugangs|anmelde)code',
  'code de (?:connexion|vérification|confirmation|sécurité)',
  'código de (?:verificación|verificação|acceso|acesso|seguridad|segurança)',
  'codice di (?:verifica|accesso|conferma)',
  'код(?: подтверждения| доступа| входа)?',
  '验证码|驗證碼',
  '認証コード|確認コード',
  '인증번호',
);
const ANY_CODE = 'code|kod|код|código|codice';
const TYPE_IT = 'enter|use|type|gib|saisissez|utilisez|usa|введите';
const SO_AS_TO = 'to|um|pour|para|per|чтобы';
const COPULA = '(?:is|was|ist|lautet|est|es|é|è|—|–|-|:|=)';
const CODE = `(?<![${LETTER_OR_DIGIT}.])(?:[A-Z]{1,3}-)?(?:\\d{3}[ -]\\d{3}|\\d\\d(?:[ -]\\d\\d){2}|\\d{4,8})${END}`;

/** The first group of each stays: it's empty where the code comes first. */
const ONE_TIME_CODES = [
  // Your verification code is 123456
  `(${START}(?:${ONE_TIME})[\\s:=#]{0,2}(?:${COPULA}\\s?)?["'«“(]?)${CODE}`,
  // 123456 is your code
  `()${CODE}(?=["'»”)]? ${COPULA} [^\\d\\n.;]{0,20}?(?:${ONE_TIME}|${ANY_CODE})${WORD_END})`,
  // code 123456 expires in five minutes
  `((?<!(?:error|status|response|reply|short|reason) )${START}code )${CODE}(?= (?:expire|is valid|valid for|gültig|läuft|abgelaufen))`,
  // code: 123456 in the message
  `(${START}code ?[:=]? ?)${CODE}(?= in (?:the |its )?(?:body|text|message|content|sms))`,
  // 123456 to log in
  `()${CODE}(?= (?:${SO_AS_TO}) (?:log|sign|verify|confirm|continue|reset|sich|vous|entrar|iniciar|войти))`,
  // Enter 123456
  `(${START}(?:${TYPE_IT}) )${CODE}`,
];
/** Where none of it is, no pattern of a code fits. */
const SIGNS_OF_CODES = anyOf(ONE_TIME, ANY_CODE, TYPE_IT, `\\d (?:${SO_AS_TO}) `);

const RECIPIENTS_IP_WORDS = anyOf(
  "(?:recipient|user|customer|subscriber|visitor|reader|opener|clicker|end[- ]?user)(?:['’]s|s['’]?)?[ _-]?ip(?: ?addr(?:ess)?)?",
  'viewer|visitor|opener|clicker',
  '(?:opened|click(?:ed)?|opt(?:ed)?[- ]in|unsubscribed|logged in|signed in|geöffnet|angeklickt)(?: [a-z]{1,12}){0,3} (?:from|by|at|von|aus)(?: ip(?: address)?)?',
  'ip (?:of|address of) (?:the )?(?:recipient|user|customer|subscriber)',
);
const IP = `(?:${anyOf(
  '(?:\\d{1,3}\\.){3}\\d{1,3}(?![.\\d/])',
  '(?:[\\da-f]{1,4}:){3,7}[\\da-f]{1,4}',
  '(?:[\\da-f]{1,4}:){1,6}:(?:[\\da-f]{1,4}:?){0,6}',
)})`;

const BIRTHDAY_WORDS = anyOf(
  'born(?: on)?|geb\\.|birthday|birth ?date|date of birth|dob',
  'geboren(?: am)?|geburts(?:tag|datum)',
  'née?(?: le)?|date de naissance',
  'nacid[oa](?: el)?|nascid[oa](?: em)?|nat[oa] il|fecha de nacimiento',
  'дата рождения|родил(?:ся|ась)',
  '生年月日',
  '出生日期',
  '생년월일',
);
const DATE = `(?:${anyOf(
  `\\d{1,4}[-./年 ]{1,2}(?:\\d{1,2}|[${LETTER}]{3,9}\\.?)[-./月 ]{1,2}\\d{1,4}日?`,
  `[${LETTER}]{3,9} \\d{1,2},? \\d{4}`,
)})`;

/** Where somebody is, to some meters: `52.520008, 13.404954` */
const PLACE = /(?<![\w.])-?\d{1,2}\.\d{4,},? ?-?\d{1,3}\.\d{4,}(?![\w.])/g;

const STREET_START = `(?<![${LETTER_OR_DIGIT}.])`;
const HOUSE = `\\d{1,5}[a-zA-Z]?(?![${LETTER}\\d.,:]\\d)`;
const STREET_WORD = `[${LETTER}][${LETTER}'’.-]{1,40}`;
const STREET_NAME = `[${CAPITAL}][${LETTER}'’.-]{1,40}`;

const FRENCH_ARTICLE = "(?:de|du|des|la|le|les|l['’]|d['’])";

const STREETS = anyOf(
  // 221B Baker Street, 5 N. 12th Ave.
  `${STREET_START}${HOUSE}(?:,? (?:[NSEW]\\.? )?(?:${STREET_NAME}|\\d{1,3}(?:st|nd|rd|th)) ?){1,4}(?:Street|St|Avenue|Ave|Road|Rd|Terrace|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Way|Place|Pl|Square|Sq|Close|Crescent|Parkway|Pkwy|Highway|Hwy|Row|Circle)${WORD_END}\\.?`,
  // Goethestraße 12, Hauptstr. 5
  `${STREET_START}[${CAPITAL}][${LETTER}-]{1,30}(?:[Ss]tra(?:ß|ss)e|[Ss]tr\\.|[Ww]eg|[Pp]latz|[Aa]llee|[Gg]asse|[Rr]ing|damm|ufer|straat|laan|gatan|vägen|gata|vej) ${HOUSE}`,
  // Berliner Straße 12
  `${STREET_START}(?:${STREET_NAME} ){1,2}(?:Straße|Strasse|Str\\.|Weg|Platz|Allee|Gasse) ${HOUSE}`,
  // Am Markt 7, 80331 München
  `${STREET_START}(?:Am|An de[rnm]|Auf de[rm]|Im|In de[rn]|Zu[mr]|Unter den) ${STREET_NAME} ${HOUSE}(?=,? \\d{4,5} )`,
  // 12 bis rue de la Paix
  `${STREET_START}${HOUSE},? (?:bis |ter )?(?:rue|avenue|boulevard|bd|place|chemin|allée|impasse|quai|cours|route)(?: ${FRENCH_ARTICLE}){0,3} ?${STREET_WORD}(?: ${STREET_NAME}){0,3}`,
  // 12 Rue de la Paix, and no "550 Route not found"
  `${STREET_START}${HOUSE},? (?:Rue|Avenue|Boulevard|Place|Chemin|Allée|Impasse|Quai|Cours|Route)(?: ${FRENCH_ARTICLE}){1,3} ?${STREET_WORD}(?: ${STREET_NAME}){0,3}`,
  // Calle de Alcalá 12, ул. Ленина, д. 5
  `${STREET_START}(?:Calle|C/|Avenida|Avda?\\.|Av\\.|Plaza|Paseo|Carrer|Rua|Travessa|Via|Viale|Piazza|Corso|ul\\.|ulica|al\\.|ул\\.|улица|проспект|пр\\.|пер\\.)(?: (?:de|del|la|las|los|da|do|dos|di|della)){0,3}(?: ?${STREET_NAME}){1,4},?(?: (?:n[º°o]\\.?|д\\.|дом) ?)? ?${HOUSE}`,
  // 東京都渋谷区神南1-2-3
  `[${HAN}]{2,4}[都道府県省市][${HAN}]{1,8}[市区町村县][${HAN}\\d−-]{1,20}`,
);
/** `, Springfield, IL 62704`, `, 10969 Berlin` */
const TOWN = `(?:,? (?:apt|suite|unit|floor|#)\\.? ?\\w{1,5})?(?:,? (?:\\d{4,6}(?:-\\d{3,4})? )?${STREET_NAME}(?: ${STREET_NAME}){0,2}){0,2}(?:,? (?:\\d{4,6}(?:-\\d{4})?(?!\\d)|[A-Z]{1,2}\\d[A-Z\\d]? \\d[A-Z]{2}${WORD_END}))?`;

/** Masks a street with its house, and the place that follows. */
const withoutStreets: Masking = maskingsFor(
  /\d[a-zA-Z]?,? (?:[A-Z\u00c0-\u00de]|\d|bis |ter |rue|av|boul|bd|place|chem|all|imp|quai|cours|route)|[a-zß.] \d{1,5}(?!\d)|[都道府県省市]/,
  [maskingOf(new RegExp(`(?:${STREETS})${TOWN}`, 'g'), MASK)],
);

/** Numbers of a person, their device, parcel and address, where a sentence says that they are. */
export const PERSONAL_MASKINGS: readonly Masking[] = [
  after(ACCOUNT_WORDS, IS, ACCOUNT),
  maskingOf(SORT_CODE, MASK),
  after(DOCUMENT_WORDS, IS, DOCUMENT),
  after(DEVICE_WORDS, IS, DEVICE),
  maskingOf(new RegExp(`${START}(?:${PARCEL})${END}`, 'g'), MASK),
  after(CARRIER_WORDS, IS, TRACKING),
  maskingsFor(
    new RegExp(SIGNS_OF_CODES, 'i'),
    ONE_TIME_CODES.map((code) => maskingAfter(new RegExp(code, 'gi'))),
  ),
  after(RECIPIENTS_IP_WORDS, '[\\s:=]{0,2}(?:is |was |of )?[\\["\'(]?', IP),
  after(BIRTHDAY_WORDS, IS, DATE),
  maskingOf(PLACE, MASK),
  withoutStreets,
];
