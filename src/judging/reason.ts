import { jsonIn } from '../lib/text/scrub.ts';

export interface Reason {
  sentence: string | null;
  code: string | null;
  command: string | null;
}

/** `replyMessage`, `status_text` */
const SAYS =
  /^(?:reply|response|result|return|ret|resp|status|api|failed)(?:message|msg|text|desc|description|reason|info)$/;
const GIVES_CODE = /^(?:reply|result|return|ret|resp)code$/;

const placesOf = (names: string): ReadonlyMap<string, number> =>
  new Map(names.split(' ').map((name, place) => [name, place]));

const SENTENCE_FIELDS = placesOf(
  'diagnosticcode errordescription errormessage providerresponse message answer reason errortext text details description detail error errors title fehlermeldung fehler meldung erro errore mensaje mensagem messaggio descripcion descricao descrizione response rejectreason deliverystatusdetails statusdetails statusmessage statusdescription statusreason errordetails failurereason errmsg errormsg msg beforejson',
);
const CODE_FIELDS = placesOf(
  'errorcode code responsecode statuscode status httpstatuscode error name type reasoncode rejectreason answer cause errcode',
);

/** 401, 5.1.1, invalid_grant, messaging/invalid-argument, UNREGISTERED, invalidArgument, isv.AMOUNT_NOT_ENOUGH */
const CODE =
  /^(?=.{3,80}$)(?:\d{3,6}|\d\.\d{1,3}\.\d{1,3}|[A-Za-z]+(?:[_/-][A-Za-z]+)+|[A-Z]{4,}|[a-z]+[A-Z][A-Za-z]+|[A-Za-z]+(?:\.[A-Za-z]*[A-Z_][A-Za-z_]*)+)$/;
/** SDKs write DeviceNotRegistered in `NAME_FIELDS`; AxiosError, used for everything, isn't a code. */
const CLASS_NAME = /^(?=.{3,80}$)(?!\w*Error$)[A-Z][a-z]+[A-Z][A-Za-z]+$/;
const NAME_FIELDS = /^(?:name|code|error|errorcode|type|status)$/;
/** 'com.amazonaws.sns#ThrottledException' */
const AWS_TYPE = /^[a-z\d.]{3,60}#(?=[A-Z])/;
const COMMAND = /^(?:CONN|EHLO|HELO|AUTH|MAIL FROM|RCPT TO|DATA)(?= [A-Z\d-]{4,14}$|$)/;
/** These are codes only with their field's name: 'bounceclass=10'. */
const CODE_BY_FIELD =
  /^(?:(?:errcode|errorcode|statuserrorcode)=\d{1,3}|(?:code|bounceclass)=\d{1,2}|status=[1-9]\d?|(?:bounce)?subtype=[A-Za-z]{4,40})$/;
const NUMBERED = /^(?:(?:status)?err(?:or)?code|code|bounceclass|status|(?:bounce)?subtype)$/;
/** What SES and Resend say of a bounce beside a reply that they may have made up. */
const BOUNCE_KIND = /^(?:bounce)?subtype=(?!general$|undetermined$)[A-Za-z]{4,40}$/i;

/** 'HTTPError: {"errors":[…', 'Status code: 400\nBody: {\n  "code": …', '403 {"error": …' */
const BEFORE_JSON = /^([^{}[\]]{1,120}?)(?:: |(?<=^[45]\d\d) )(?=\{\s{0,4}"|\[\s{0,4}[{"])/;
const CLASS = /^\w*(?:Error|Exception)$/;
const STATUS_BEFORE = /^[45]\d\d$|(?<=\bstatus(?: code)?:? )[45]\d\d\b/i;
/** '{400 Permission to … 21408 https://…}', or older Node's '{ [Error: Not sent] code: 'EENVELOPE', response: '550 …' }' */
const STRUCT =
  /^\{(\d{3} \p{L}.*?)\}?$|^\{ \[(?:\w{0,40}Error: )?([^\]]{1,999}?)\s?\](?:\s+(?:code|name): '\w+',?)?(?:\s+(?:response|data(?=: '\d{3}[ -]))(: )'([^']*))?.*$|^\{u?'[^']{0,99}': (\(\d{3}, .*)$/su;
/** AWS's XML, PHP's `["code"]=> string(15) "MessageRejected"`, and `{ "embeds": ["Embed size exceeds …"] }`. */
const XML = /^.*?<Code>(\w{3,60})<\/Code>\s*<Message>([^<]{3,})(?:<.*)?$/s;
const VAR_DUMP = /\["(\w{2,40})"\]\s*=>\s*string\(\d+\) "/g;
const FIELD_ERROR = /^\{"((?!errors?"|messages?"|details?")\w{2,20})": ?\["(\d|[A-Z]\S* [^"]+)"\]\}$/;
/** '\n    at send (/app/mail.js:3:1)…' */
const STACK = /(?<!\s)\s+at (?:(?:async |new )?[\w.<>$[\] ]{1,80} \(|file:|node:|\/).*$/s;
/** 'Uncaught AxiosError [EAUTH]: ' */
const ERROR_CLASS = /^(?:\{ )?(?:uncaught )?(?:[A-Z][A-Za-z]*)?(?:Error|Exception)(?: \[\w+\])?: (?=\S)/i;
/** Node prints an error's fields behind its stack: `{ code: 'EAUTH', responseCode: 535 }`. */
const PRINTED = /(?<![\p{L}\p{N}_])'?([A-Za-z_]{2,40})'?: (?:'([^'\n]*)'|"([^"\n]*)"|(\d{1,6})(?=\s*[,}]|$)|[{[])/gu;

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
  const [prefix = '', before = ''] = BEFORE_JSON.exec(raw.trim()) ?? [];
  const unwrapped = raw
    .trim()
    .slice(prefix.length)
    .replace(STRUCT, (_, ...found) => found.slice(0, 5).join(''))
    .replace(XML, (_, code, words) => `${words} (${code})`);
  const form = (all: string, name: string, why: string) => (REQUEST.test(fieldName(name)) ? all : `${name}: ${why}`);
  const text = unwrapped.replace(VAR_DUMP, (_, name: string) => `'${name}': "`).replace(FIELD_ERROR, form);
  const answer = isJson(text) ? parsed(text) : null;
  const said = answer === null ? [['message', text] as const, ...printedFields(text)] : textFields(answer);
  const fields: Field<string>[] = [
    ...said,
    ['beforejson', before.replace(CLASS, '')],
    ['status', STATUS_BEFORE.exec(before)?.[0] ?? ''],
  ];
  const command = fields.flatMap(([name, value]) => (name === 'command' ? (COMMAND.exec(value) ?? []) : []));
  return { sentence: sentenceOf(fields), code: codeOf(fields), command: command[0] ?? null };
}

function rankOf(name: string, places: ReadonlyMap<string, number>): number {
  const place = places.get(name);
  if (place !== undefined) return place;
  const usual = SAYS.test(name) ? 'message' : GIVES_CODE.test(name) ? 'code' : '';
  return places.get(usual) ?? -1;
}

/** Those of the fields that have a place, in its order. */
function inOrder(fields: readonly Field<string>[], places: ReadonlyMap<string, number>): Field<string>[] {
  const placed = fields.map((field) => ({ field, place: rankOf(field[0], places) }));
  const listed = placed.filter(({ place }) => place >= 0).sort((a, b) => a.place - b.place);
  return listed.map(({ field }) => field);
}

function sentenceOf(fields: readonly Field<string>[]) {
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

function plainSentence(text: string) {
  const whole = text.replace(/^"(.*)"$/, (_, inside: string) => inside).replace(STACK, '');
  const sentence = withoutRequest(whole.replace(ERROR_CLASS, '').replace(/\s+/g, ' ').trim());
  return /^(?:\{|\[ ?[{"'[\]]|(?:[\d\s]*|\[object \w+\]|undefined|null)$)/.test(sentence) ? null : sentence;
}

/** A provider's own number comes first, the client's name for it (`EAUTH`) last. */
function codeOf(fields: readonly Field<string>[]) {
  const named = inOrder(fields, CODE_FIELDS).filter(([name, value]) => isCode(name, value));
  const codes = named.map(([, code]) => code).filter((code) => !saysNothing(code));
  const written = fields.flatMap(([name, value]) => (NUMBERED.test(name) ? [`${name}=${value}`] : []));
  const status = fields.find(([name, value]) => STATUS_FIELD.test(name) && HTTP.test(value))?.[1];
  const best =
    codes.find((code) => OWN_CODE.test(code)) ??
    written.find((code) => BOUNCE_KIND.test(code)) ??
    codes.find((code) => !/^\d{3}$/.test(code) && !CLIENT_CODE.test(code)) ??
    written.find((code) => CODE_BY_FIELD.test(code)) ??
    written.find((code) => status !== undefined && /^code=[45]\d\d$/.test(code) && code !== `code=${status}`) ??
    codes.find((code) => HTTP.test(code)) ??
    codes.find((code) => /^[1-9]\d\d$/.test(code) && !code.startsWith('2')) ??
    codes.find((code) => CLIENT_CODE.test(code)) ??
    fields.flatMap(([, value]) => STATED_STATUS.exec(value)?.[1] ?? [])[0] ??
    null;
  const isNumber = best !== null && best !== status && /^(?:[a-z]+=)?\d+$/.test(best);
  return isNumber && TELLING_STATUS.test(status ?? '') ? `${best}, HTTP ${status}` : best;
}

/** A status that is evidence beside a number that only its provider knows. */
const STATUS_FIELD = /^(?:http)?status(?:code)?$/;
const TELLING_STATUS = /^(?:401|402|403|407|429|5\d\d)$/;
const OWN_CODE = /^\d{4,6}$|\//;
const HTTP = /^[3-6]\d\d$/;
const CLIENT_CODE = /^(?:E[A-Z]+|ERR_\w+)$/;
const STATED_STATUS = /\bstatus code ([45]\d\d)$/i;

function isCode(name: string, value: string) {
  if (/^err(?:or)?code$/.test(name) && /^\d{1,3}$/.test(value)) return false;
  return CODE.test(value) || (NAME_FIELDS.test(name) && CLASS_NAME.test(value));
}

type Field<Value = unknown> = readonly [name: string, value: Value];

/** A request has these fields. In a `response`, `data` and `body` are the answer. */
const REQUEST =
  /^(?:config|request|headers|data|body|text|payload|params|variables|options|html|content|notification|devicetokens|channeldata)$/;
const ANSWERS = /^(?:data|payload|body|errors|bounce|failed|messages)$/;
/** 'payload: {"to": …' */
const REQUEST_PART =
  /(?<![\p{L}\p{N}_]|\b(?:GET|POST|PUT|PATCH|response) )["'`]?(?:config|request|headers|data|body|text|payload)["'`]?\s?(?:[:=]|=>)\s?["'`{[].*$/isu;

export const fieldName = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');
const isJson = (text: string) => /^"?\s{0,4}[{[]\s{0,20}(?:\\?["{[\]}\d]|null|true|false|$)/.test(text);

function withoutRequest(sentence: string) {
  const { index } = (/[:=]/.test(sentence) && REQUEST_PART.exec(sentence)) || {};
  return index === undefined ? sentence : sentence.slice(0, index).replace(/[\s,;:({[-]+$/, '');
}

function printedFields(text: string) {
  if (!text.includes(': ')) return [];
  const fields = [...text.matchAll(PRINTED)].map(([, name = '', ...said]) => [fieldName(name), said.join('')] as const);
  const request = fields.findIndex(([name]) => REQUEST.test(name));
  return fields.slice(0, request === -1 ? undefined : request);
}

function textFields(answer: unknown) {
  const fields: Field<string>[] = [];
  for (let level: Field[] = [['message', answer]]; level.length > 0; ) {
    const values = level.map(([name, value]): Field => [name, insideText(value)]);
    for (const [name, value] of values)
      if (typeof value === 'string' || typeof value === 'number')
        fields.push([name, `${value}`.trim().replace(AWS_TYPE, '')]);
    level = values.flatMap(fieldsOf);
  }
  return fields;
}

function fieldsOf([parent, value]: Field): Field[] {
  if (Array.isArray(value)) return value.map((item: unknown) => [parent, item]);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]: Field): Field[] => {
    const name = fieldName(key);
    if (INVALID_IDS.test(key)) return [['code', key]];
    if (name === 'response' && typeof insideText(item) === 'object' && statesStatus(value)) return [['refusal', item]];
    if (
      name === 'responsedata' ||
      (ANSWER.test(name) && (/^(?:response|refusal)$/.test(parent) || 'statusCode' in value || hasStatus(value)))
    )
      return typeof insideText(item) === 'object'
        ? [[name, item]]
        : isAnswer(name, value, parent)
          ? [['answer', item]]
          : [];
    // Any other `text` is the message.
    const isText = name === 'text' && (/exception$/.test(parent) || isError(value, 'text', 'status' in value));
    if (isText || !REQUEST.test(name)) return key.startsWith('_') && key !== '__type' ? [] : [[name, item]];
    if ('config' in value || 'request' in value || 'message' in value) return [];
    const inside = insideText(item);
    return isNotOk(value) && isNamedError(inside) ? [[name, inside]] : errorsIn([name, inside]);
  });
}

const INVALID_IDS = /^invalid_[a-z_]{3,40}s$/; // OneSignal: {"invalid_player_ids": ["id"]}
const ANSWER = /^(?:data|body)$/;

/** Text in an answer is what was sent, repeated, unless a status says that it was refused. */
function isAnswer(name: string, value: object, parent: string) {
  return name === 'responsedata' ? statesStatus(value) : parent === 'refusal' || hasStatus(value);
}

function hasStatus(value: object) {
  const { status, statusCode }: { status?: unknown; statusCode?: unknown } = value;
  return /^[45]\d\d$/.test(`${statusCode ?? status}`);
}

const statesStatus = (value: object) => 'message' in value && STATED_STATUS.test(`${value.message}`);

/** `INSUFFICIENT_CREDIT`, but not `QUEUED` */
const SHOUTED_STATUS = /^[A-Z]+(?:_[A-Z]+)+$/;

/** Errors that a webhook reports: `errors: [{ code: '40300', title }]`, `payload: { code, reason }`, `data: { bounce }`, `messages: [{ status }]`. */
function errorsIn([name, sent]: Field): Field[] {
  if (typeof sent !== 'object' || sent === null || !ANSWERS.test(name)) return [];
  const isListed = name === 'errors' && 'code' in sent && typeof sent.code === 'string';
  const hasCode = Object.keys(sent).some((key) => /^err(?:or)?code$/.test(fieldName(key)));
  const isRefused = name === 'messages' && 'status' in sent && SHOUTED_STATUS.test(`${sent.status}`);
  if (
    isRefused ||
    isNotOk(sent) ||
    hasCode ||
    /^(?:bounce|failed)$/.test(name) ||
    isError(sent, isListed ? 'title' : 'reason')
  )
    return [[name, sent]];
  return Object.entries(sent).flatMap(([key, item]: Field) => errorsIn([Array.isArray(sent) ? name : key, item]));
}

function isNotOk(value: object) {
  const { ok, status, success }: { ok?: unknown; status?: unknown; success?: unknown } = value;
  return ok === false || success === false || status === 'error';
}

/** `{ status: 'error', data: { code: 'FromAddressMissing', message } }` */
const isNamedError = (value: unknown) =>
  typeof value === 'object' && value !== null && 'code' in value && CLASS_NAME.test(`${value.code}`);

/** A number could be a code that was sent, such as a password. */
function isError(value: object, sentence: string, isNumberACode = true) {
  if (!(sentence in value) || !('code' in value)) return false;
  return ERROR_NAME.test(`${value.code}`) || (isNumberACode && /^\d{3,6}$/.test(`${value.code}`));
}

const ERROR_NAME = /^(?:[a-z]+(?:_[a-z]+)+|unauthorized|forbidden|invalid|throttled)$/;

/** Firebase's SDK quotes an answer that it doesn't know. */
const QUOTED_ANSWER = /^An unknown server error was returned\. Raw server response: "(.*?)"?\.? Status code: \d{3}$/s;

function insideText(value: unknown) {
  if (typeof value !== 'string') return value;
  const text = value.replace(QUOTED_ANSWER, (_, answer: string) => answer).trim();
  return isJson(text) ? (parsed(text) ?? text) : text;
}

function parsed(json: string) {
  const text = json.replace(/\p{Cc}/gu, ' ');
  return jsonIn(text) ?? jsonIn(completed(text)) ?? null;
}

/** Completes truncated JSON by dropping its last, partial item. */
function completed(json: string) {
  let [read, whole, ends] = ['', '', ''];
  for (const [token] of json.matchAll(/"(?:\\.|[^"\\])*(?:"|$)|[{}[\],]|[^"{}[\],]+/g)) {
    if (token === ',') whole = read + ends;
    if (token === '{' || token === '[') ends = `${token === '{' ? '}' : ']'}${ends}`;
    if (token === '}' || token === ']') ends = ends.slice(1);
    read += token;
  }
  return whole;
}
