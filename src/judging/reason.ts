import { CLASS_NAME, type Field, fieldsIn, STATED_STATUS } from './answer-fields.ts';

/** Why a provider refused, as far as its answer says. */
export interface Reason {
  sentence: string | null;
  code: string | null;
  /** The command of SMTP that was refused. */
  command: string | null;
}

/** `replyMessage`, `status_text`: these stand where `message` does. */
const SAYS =
  /^(?:reply|response|result|return|ret|resp|status|api|failed|message|err|error|fail)(?:message|msg|text|desc|description|reason|info|details)$/;
/** `resultCode`: where `code` does. */
const GIVES_CODE = /^(?:reply|result|return|ret|resp|messageerror|deliveryerror|failure)code$/;

/** Names of fields by their place: the first that says something is taken. */
const placesOf = (names: string): ReadonlyMap<string, number> =>
  new Map(names.split(' ').map((name, place) => [name, place]));

const SENTENCE_FIELDS = placesOf(
  'diagnosticcode errordescription errormessage providerresponse message answer reason errortext text details description detail error errors title fehlermeldung fehler meldung erro errore mensaje mensagem messaggio descripcion descricao descrizione response rejectreason deliverystatusdetails statusdetails detailedstatus statusmessage statusdescription statusreason errordetails failurereason errmsg errormsg msg beforejson',
);
const CODE_FIELDS = placesOf(
  'errorcode code responsecode statuscode status httpstatuscode error name type detailedstatus reasoncode rejectreason answer cause errcode result',
);

/** 401, 80300007, 5.1.1, invalid_grant, messaging/invalid-argument, UNREGISTERED, invalidArgument, isv.AMOUNT_NOT_ENOUGH */
const CODE =
  /^(?=.{3,80}$)(?:\d{3,6}|(?:8[01]|99)\d{6}|\d\.\d{1,3}\.\d{1,3}|[A-Za-z]+(?:[_/-][A-Za-z]+)+|[A-Z]{4,}|[a-z]+[A-Z][A-Za-z]+|[A-Za-z]+(?:\.[A-Za-z]*[A-Z_][A-Za-z_]*)+)$/;
const NAME_FIELDS = /^(?:name|code|error|errorcode|type|status)$/;
const COMMAND = /^(?:CONN|EHLO|HELO|AUTH|MAIL FROM|RCPT TO|DATA)(?= [A-Z\d-]{4,14}$|$)/;
/** These are codes only with their field's name: 'bounceclass=10'. */
const CODE_BY_FIELD =
  /^(?:(?:errcode|errorcode|statuserrorcode)=\d{1,3}|code=\d{1,2}|bounceclass=\d{1,3}|typecode=\d{1,6}|status=[1-9]\d?|(?:(?:bounce)?subtype|delaytype|bounceclassification)=[A-Za-z]{4,40})$/;
/** Fields whose value is written with their name. */
const NUMBERED =
  /^(?:(?:status)?err(?:or)?code|code|bounceclass|typecode|status|(?:bounce)?subtype|delaytype|bounceclassification)$/;
/** What SES and Resend say of a bounce beside a reply that they may have made up. */
const BOUNCE_KIND = /^(?:bounce)?subtype=(?!general$|undetermined$)[A-Za-z]{4,40}$/i;
/** '\n    at send (/app/mail.js:3:1)…' */
const STACK = /(?<!\s)\s+at (?:(?:async |new )?[\w.<>$[\] ]{1,80} \(|file:|node:|\/).*$/s;
/** 'Uncaught AxiosError [EAUTH]: ' */
const ERROR_CLASS = /^(?:\{ )?(?:uncaught )?(?:[A-Z][A-Za-z]*)?(?:Error|Exception)(?: \[\w+\])?: (?=\S)/i;
/** 'payload: {"to": …' */
const REQUEST_PART =
  /(?<![\p{L}\p{N}_]|\b(?:GET|POST|PUT|PATCH|response) )["'`]?(?:config|request|headers|data|body|text|payload)["'`]?\s?(?:[:=]|=>)\s?["'`{[].*$/isu;

/** '21408', '80300007' (Huawei), '99991663' (Feishu), 'EC_ABSENT_SUBSCRIBER', 'messaging/invalid-argument': a provider's own, by its form. */
const OWN_CODE = /^\d{4,6}$|^(?:8[01]|99)\d{6}$|^EC_|\//;
/** 'EAUTH', 'ERR_BAD_REQUEST': what the client that sent it calls the trouble. */
const CLIENT_CODE = /^(?:E[A-Z]+|ERR_\w+)$/;
const HTTP_STATUS = /^[3-6]\d\d$/;
const STATUS_FIELD = /^(?:http)?status(?:code)?$/;
/** A status that is evidence beside a number that only its provider knows. */
const TELLING_STATUS = /^(?:401|402|403|407|429|5\d\d)$/;

const EMPTY_SENTENCES = [
  /^(?:an? )?(?:unexpected |unknown |internal |generic )?(?:provider |server |service |api |request )?(?:error|exception|failure|failed)(?: has)?(?: occurred)?$/i,
  /^error (?:while )?sending (?:the )?(?:message|e-?mail|sms|push|notification)$/i,
  /^there was one or more errors when trying to execute the notification$/i,
  /^request failed with status code \d{3}$/i,
  /^(?:(?:http |error )?[45]\d\d:? )?(?:bad request|unauthorized|payment required|forbidden|not found|method not allowed|not acceptable|conflict|gone|unprocessable (?:entity|content)|internal server error|service unavailable)$/i,
  /^(?:access denied|permission denied|validation (?:failed|error|errors?)|invalid (?:request|input|data|parameters?))$/i,
  // A page that repeats its title and names its server.
  /^(?:[45]\d\d )?(bad gateway|service (?:temporarily )?unavailable|gateway time-?out|forbidden|not found|unauthorized|internal server error)(?: \1| [45]\d\d| cloudflare| (?:nginx|openresty|apache)\S{0,40})+…?$/i,
  /^(?:message )?(?:(?:hard |soft )?bounced?|could not be delivered|dropped|rejected|blocked|spam|complaint|unsubscribed|undelivered|deferred)$|^(?:delivery|sending|send)[_ ]failed$/i,
  /^(?:received )?(?:unexpected response code|(?:http )?status(?: code)?:? \d{3}(?: body)?)$/i,
  /^(?:something went wrong|unsuccessful|execution failed|fetch failed|success|message sent,? (?:but )?not delivered|no error|slack_webapi_platform_error|\[object object\]|)$/i,
];

export function saysNothing(sentence: string): boolean {
  const words = sentence.trim().replace(/[.!]$/, '');
  return EMPTY_SENTENCES.some((empty) => empty.test(words));
}

export function reasonIn(raw: string): Reason {
  const fields = fieldsIn(raw);
  const command = fields.flatMap(([name, value]) => (name === 'command' ? (COMMAND.exec(value) ?? []) : []));
  return { sentence: sentenceOf(fields), code: codeOf(fields), command: command[0] ?? null };
}

/** The first that says something; else a code, else what says nothing, else the error's name. */
function sentenceOf(fields: readonly Field<string>[]): string | null {
  let code: string | null = null;
  let empty: string | null = null;
  for (const [name, value] of inOrder(fields, SENTENCE_FIELDS)) {
    const sentence = name === 'answer' && CODE.test(value) ? null : plainSentence(value);
    if (sentence === null) continue;
    if (saysNothing(sentence)) empty ??= sentence;
    else if (!CODE.test(sentence)) return sentence;
    else code ??= sentence;
  }
  return code ?? empty ?? nameOf(fields) ?? null;
}

/** 'InactiveRecipientsError' says more than nothing. */
const nameOf = (fields: readonly Field<string>[]) =>
  fields.find(([name, value]) => name === 'name' && /^(?:[A-Z][a-z]+){2,6}Error$/.test(value))?.[1];

/** Returns null for what is no sentence: a number, or JSON. */
function plainSentence(text: string): string | null {
  const whole = text.replace(/^"(.*)"$/, (_, inside: string) => inside).replace(STACK, '');
  const sentence = withoutRequest(whole.replace(ERROR_CLASS, '').replace(/\s+/g, ' ').trim());
  return /^(?:\{|\[ ?[{"'[\]]|(?:[\d\s]*|\[object \w+\]|undefined|null)$)/.test(sentence) ? null : sentence;
}

function withoutRequest(sentence: string): string {
  // The pattern is slow, and most sentences hold no request.
  const index = /[:=]/.test(sentence) ? REQUEST_PART.exec(sentence)?.index : undefined;
  return index === undefined ? sentence : sentence.slice(0, index).replace(/[\s,;:({[-]+$/, '');
}

function codeOf(fields: readonly Field<string>[]): string | null {
  const status = fields.find(([name, value]) => STATUS_FIELD.test(name) && HTTP_STATUS.test(value))?.[1] ?? '';
  const code = bestCode(fields, status);
  const isNumber = code !== null && code !== status && /^(?:[a-z]+=)?\d+$/.test(code);
  return isNumber && TELLING_STATUS.test(status) ? `${code}, HTTP ${status}` : code;
}

/** A provider's own number comes first, the client's name for it (`EAUTH`) last. */
function bestCode(fields: readonly Field<string>[], status: string): string | null {
  const named = inOrder(fields, CODE_FIELDS).filter(([name, value]) => isCode(name, value));
  const codes = named.map(([, code]) => code).filter((code) => !saysNothing(code));
  const written = fields.flatMap(([name, value]) =>
    NUMBERED.test(name) ? [`${name}=${value.replaceAll(' ', '')}`] : [],
  );
  const isOtherThanStatus = (code: string): boolean =>
    status !== '' && /^code=[45]\d\d$/.test(code) && code !== `code=${status}`;
  return (
    codes.find((code) => OWN_CODE.test(code)) ??
    written.find((code) => BOUNCE_KIND.test(code)) ??
    // 'invalid_grant', '5.1.1'
    codes.find((code) => !/^\d{3}$/.test(code) && !CLIENT_CODE.test(code)) ??
    written.find((code) => CODE_BY_FIELD.test(code)) ??
    // 'code=412' beside the status 400
    written.find(isOtherThanStatus) ??
    codes.find((code) => HTTP_STATUS.test(code)) ??
    // '801'; 2xx is a success
    codes.find((code) => /^[1-9]\d\d$/.test(code) && !code.startsWith('2')) ??
    codes.find((code) => CLIENT_CODE.test(code)) ??
    // in a sentence: 'Request failed with status code 410'
    fields.flatMap(([, value]) => STATED_STATUS.exec(value)?.[1] ?? [])[0] ??
    null
  );
}

/** A code by its form; a name of a class only in a field for names. */
function isCode(name: string, value: string): boolean {
  if (/^err(?:or)?code$/.test(name) && /^\d{1,3}$/.test(value)) return false;
  // `recipient_delivery_report_sms` says what reports it.
  if (name === 'type' && /report|receipt|event/.test(value)) return false;
  if (name === 'result') return OWN_CODE.test(value);
  return CODE.test(value) || (NAME_FIELDS.test(name) && CLASS_NAME.test(value));
}

/** Those of the fields that have a place, in its order. */
function inOrder(fields: readonly Field<string>[], places: ReadonlyMap<string, number>): Field<string>[] {
  const placed = fields.map((field) => ({ field, place: rankOf(field[0], places) }));
  const listed = placed.filter(({ place }) => place >= 0).sort((a, b) => a.place - b.place);
  return listed.map(({ field }) => field);
}

/** Returns -1 for a field without a place. */
function rankOf(name: string, places: ReadonlyMap<string, number>): number {
  const place = places.get(name);
  if (place !== undefined) return place;
  if (SAYS.test(name)) return places.get('message') ?? -1;
  return (GIVES_CODE.test(name) ? places.get('code') : undefined) ?? -1;
}
