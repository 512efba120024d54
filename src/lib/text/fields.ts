import { anyOf } from './letters.ts';

/**
 * What a field holds by its name, in JSON, in a form or in a sentence: `content` of a message, `values` of a template, or of a `person` their name,
 * address, birthday, card, device or parcel.
 */
export type FieldKind = 'content' | 'values' | 'person';

const words = (text: string) => text.split(' ');

/** Each beginning with each end; `-` is none. */
const combined = (beginnings: string, ends: string) =>
  words(beginnings).flatMap((beginning) => words(ends).map((end) => `${beginning}${end}`.replaceAll('-', '')));

const CONTENT = [
  ...combined(
    '- message msg sms email mail push html plain text',
    'subject body content contents html text preheader snippet caption',
  ),
  ...words('subjectline headline title alert preview betreff nachricht nachrichtentext inhalt objet contenu corps'),
  ...words('asunto contenido cuerpo mensaje assunto mensagem oggetto messaggio onderwerp bericht temat treść тема'),
  ...words('текст сообщение 件名 本文 主题 正文 内容 短信内容 제목 본문 내용 الموضوع الرسالة'),
];
const VALUES = [
  ...combined(
    'template dynamictemplate merge content custom personalization personalisation',
    'data value values var vars variable variables param params parameter parameters model field fields arg args',
  ),
  ...words('personalization personalizations personalisations substitution substitutions mergetag mergetags'),
  ...words('placeholder placeholders replacements'),
];
const PERSON = [
  ...combined(
    'first last middle given family full display nick sur maiden user screen accountholder recipient customer contact subscriber client',
    'name names',
  ),
  ...combined('patient member guest to profile real legal', 'name names'),
  ...words('userprincipalname upn login handle salutation greeting cardholder vorname nachname familienname anrede'),
  ...words('benutzername prénom prenom nom identifiant nombre apellido apellidos sobrenome nome cognome voornaam'),
  ...words('achternaam imię nazwisko имя фамилия отчество логин фио 氏名 名前 お名前 姓名 用户名 이름 성명 الاسم'),
  ...words(
    'birth birthdate birthday birthyear dateofbirth dob geburtsdatum geburtstag geboren datedenaissance fechadenacimiento nacimiento nascimento',
  ),
  ...words('датарождения 生年月日 生日 생년월일'),
  ...combined(
    'ship shipping bill billing deliver delivery home postal street mailing residential customer',
    'to address address1 address2 addressline addressline1 addressline2',
  ),
  ...combined('address addressline', '1 2 3'),
  ...words('street streetname streetline streetno streetnumber city town zip zipcode postcode postalcode plz'),
  ...words('anschrift lieferadresse straße strasse wohnort dirección direccion domicilio endereço indirizzo ulica'),
  ...words('住所 地址 주소 адресдоставки'),
  ...combined('card creditcard debitcard bankcard', 'no number'),
  ...words('pan iban bic card ccnum ccnumber cvv cvc kontonummer kreditkarte carte tarjeta ssn socialsecurity'),
  ...words('socialsecuritynumber taxid passport passportno passportnumber nationalid steuerid personnummer'),
  ...words('idfa idfv gaid aaid adid oaid imei imsi udid androidid deviceid deviceidentifier deviceudid'),
  ...combined('- google apple', 'advertisingid advertiserid advertisingidentifier'),
  ...combined(
    'recipient recipients user users customer customers subscriber subscribers visitor visitors opener clicker enduser',
    'ip ipaddr ipaddress',
  ),
  ...combined(
    'parcel package shipment tracking consignment sendungs paket waybill awb',
    'no nr num number nummer code',
  ),
  ...words('parcel waybill awb colis'),
];

const KINDS: ReadonlyMap<string, FieldKind> = new Map([
  ...CONTENT.map((name) => [name, 'content'] as const),
  ...VALUES.map((name) => [name, 'values'] as const),
  ...PERSON.map((name) => [name, 'person'] as const),
]);

const SENDERS = new Set([
  ...combined('from sender', '- number id name phonenumber'),
  ...words('originator absender expéditeur remitente remetente mittente afzender отправитель 发件人 送信者'),
]);

/** IDs that a provider's support asks for: `requestId`, `trace-id`, `campaign number`. */
const SHOWN_ID = new RegExp(
  `^(?:[a-z]{0,12}?(?:${anyOf(
    'request|req|trace|trx|correlation|message|msg|ray|template|campaign|commit|revision|build|batch|job|event',
    'transaction|error|log|ref|reference|account|acct|project|app|application|service|sender|from|brand|queue|smtp|operation|activity',
    'call|sms|status|span|debug|internal|execution|notification|workflow|integration|environment|tenant|subscription|rule|policy|group|incident',
  )})(?:id|sid|uuid|guid|sha|hash|no|nr|num|number|context)|x?(?:id|sid|uuid|guid|sha|commit|revision|build|trace|traceparent|cfray|ray))$`,
);

const SENTENCE =
  /(?:message|reason|description|details?|errors?|title|response|msg|text|cause|explanation|diagnosticcode|fault|why|note|info|descripci[oó]n|descri[cç][aã]o|descrizione|fehler(?:meldung)?|meldung|grund|errore?|motivo|motif|raison)$/;

/** What words before a sign say of the value after it. */
export interface Label {
  kind: FieldKind | null;
  /** Whether it's the sender, whose number and name are ours. */
  isSender: boolean;
  /** Whether it's an ID that a provider's support asks for: of a request, a template, an account. */
  isShownId: boolean;
}

/** Reads the last one, two or three words. */
export function readLabel(label: string): Label {
  const lastWords = label.split(' ').slice(-3);
  const names = lastWords.map((_, index) => plainName(lastWords.slice(index).join(' ')));
  return {
    kind: names.map((name) => KINDS.get(name)).find((kind) => kind !== undefined) ?? null,
    isSender: names.some((name) => SENDERS.has(name)),
    isShownId: names.some((name) => SHOWN_ID.test(name)),
  };
}

export const fieldKind = (name: string): FieldKind | null => KINDS.get(plainName(name)) ?? null;

export const isShownId = (label: string): boolean => readLabel(label).isShownId;

/** Whether an ID can follow without a sign: `queue id 4XyZ12AbCd`. */
export const isShownIdName = (name: string): boolean => SHOWN_ID.test(plainName(name));

/** Whether a field of JSON holds a sentence of the provider's. '' is the whole answer. */
export const isSentenceField = (name: string): boolean => name === '' || SENTENCE.test(plainName(name));

/** A name that is longer is read from so far before its end. */
const LONGEST_NAME = 60;

/** `firstName`, `first_name`, `user.first-name` and `X-First-Name` are one: what stands behind the last point or bracket counts. */
function plainName(name: string) {
  const last = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('['), name.length - LONGEST_NAME - 1) + 1);
  return (/[\s_\-"'`\]*?]/.test(last) ? last.replace(/^x-|[\s_\-"'`\]*?]+/gi, '') : last).toLowerCase();
}
