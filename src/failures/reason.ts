import { jsonIn } from '../lib/text/scrub.ts';

export interface Reason {
  sentence: string | null;
  code: string | null;
  command: string | null;
}

const SENTENCE_FIELDS =
  'diagnosticcode errordescription errormessage providerresponse message reason errortext text details description detail error errors title response rejectreason deliverystatusdetails statusdetails statusmessage statusdescription statusreason errordetails failurereason errmsg errormsg msg'.split(
    ' ',
  );
const CODE_FIELDS =
  'errorcode code responsecode statuscode status httpstatuscode error name type reasoncode rejectreason responsedata'.split(
    ' ',
  );

/** 401, 5.1.1, invalid_grant, messaging/invalid-argument, UNREGISTERED, invalidArgument */
const CODE =
  /^(?=.{3,80}$)(?:\d{3,6}|\d\.\d{1,3}\.\d{1,3}|[A-Za-z]+(?:[_/-][A-Za-z]+)+|[A-Z]{4,}|[a-z]+[A-Z][A-Za-z]+)$/;
/** SDKs write DeviceNotRegistered in `NAME_FIELDS`; AxiosError, used for everything, isn't a code. */
const CLASS_NAME = /^(?=.{3,80}$)(?!\w*Error$)[A-Z][a-z]+[A-Z][A-Za-z]+$/;
const NAME_FIELDS = /^(?:name|code|error|errorcode|type|status)$/;
/** 'com.amazonaws.sns#ThrottledException' */
const AWS_TYPE = /^[a-z\d.]{3,60}#(?=[A-Z])/;
const COMMAND = /^(?:CONN|EHLO|HELO|AUTH|MAIL FROM|RCPT TO|DATA)(?= [A-Z\d-]{4,14}$|$)/;
/** These are codes only with their field's name: 'bounceclass=10'. */
const CODE_BY_FIELD =
  /^(?:(?:errcode|errorcode|statuserrorcode)=\d{1,3}|(?:code|bounceclass)=\d{1,2}|status=[1-9]\d?|(?:bounce)?subtype=[A-Za-z]{4,40})$/;

/** 'HTTPError: {"errors":[…', 'Status code: 400\nBody: {\n  "code": …' */
const BEFORE_JSON = /^[\w\s.,:/()-]{1,80}?: (?=\{\s{0,4}"|\[\s{0,4}[{"])/;
/** '{400 Permission to … 21408 https://…}', or older Node's '{ [Error: Not sent] code: 'EENVELOPE', response: '550 …' }' */
const STRUCT =
  /^\{(\d{3} \p{L}.*?)\}?$|^\{ \[(?:\w{0,40}Error: )?([^\]]{1,999}?)\s?\](?:\s+(?:code|name): '\w+',?)?(?:\s+(?:response|data(?=: '\d{3}[ -]))(: )'([^']*))?.*$|^\{u?'[^']{0,99}': (\(\d{3}, .*)$/su;
/** AWS's XML, PHP's `["code"]=> string(15) "MessageRejected"`, and `{ "embeds": ["Embed size exceeds …"] }`. */
const XML = /^.*?<Code>(\w{3,60})<\/Code>\s*<Message>([^<]{3,})(?:<.*)?$/s;
const VAR_DUMP = /\["(\w{2,40})"\]\s*=>\s*string\(\d+\) "/g;
const FIELD_ERROR = /^\{"((?!errors?"|messages?"|details?")\w{2,20})": ?\["(\d|[A-Z]\S* [^"]+)"\]\}$/;
/** '\n    at send (/app/mail.js:3:1)…' */
const STACK = /\s+at (?:(?:async |new )?[\w.<>$[\] ]{1,80} \(|file:|node:|\/).*$/s;
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
  /^(?:message )?(?:(?:hard |soft )?bounced?|could not be delivered|dropped|rejected|blocked|spam|complaint|unsubscribed|undelivered|deferred)$/i,
  /^(?:something went wrong|unsuccessful|execution failed|message sent,? (?:but )?not delivered|no error|slack_webapi_platform_error|\[object object\]|)$/i,
];

export const saysNothing = (sentence: string) =>
  EMPTY_SENTENCES.some((empty) => empty.test(sentence.trim().replace(/[.!]$/, '')));

export function reasonIn(raw: string): Reason {
  const unwrapped = raw.trim().replace(BEFORE_JSON, '').replace(STRUCT, '$1$2$3$4$5').replace(XML, '$2 ($1)');
  const form = (all: string, name: string, why: string) => (REQUEST.test(fieldName(name)) ? all : `${name}: ${why}`);
  const text = unwrapped.replace(VAR_DUMP, "'$1': \"").replace(FIELD_ERROR, form);
  const answer = isJson(text) ? parsed(text) : null;
  const fields = answer === null ? [['message', text] as const, ...printedFields(text)] : textFields(answer);
  const command = fields.flatMap(([name, value]) => (name === 'command' ? (COMMAND.exec(value) ?? []) : []));
  return { sentence: sentenceOf(fields), code: codeOf(fields), command: command[0] ?? null };
}

function sentenceOf(fields: readonly Field<string>[]) {
  const ranked = SENTENCE_FIELDS.flatMap((field) => fields.filter(([name]) => name === field));
  const sentences = ranked.flatMap(([, value]) => plainSentence(value) ?? []);
  const informative = sentences.filter((sentence) => !saysNothing(sentence));
  return informative.find((sentence) => !CODE.test(sentence)) ?? informative[0] ?? sentences[0] ?? null;
}

function plainSentence(text: string) {
  const whole = text.replace(/^"(.*)"$/, '$1').replace(STACK, '');
  const sentence = withoutRequest(whole.replace(ERROR_CLASS, '').replace(/\s+/g, ' ').trim());
  return /^(?:\{|\[ ?[{"'[\]]|(?:[\d\s]*|\[object \w+\]|undefined|null)$)/.test(sentence) ? null : sentence;
}

/** A provider's own number comes first, the client's name for it (`EAUTH`) last. */
function codeOf(fields: readonly Field<string>[]) {
  const named = CODE_FIELDS.flatMap((field) => fields.filter(([name, value]) => name === field && isCode(name, value)));
  const codes = named.map(([, code]) => code).filter((code) => !saysNothing(code));
  const ranked = [
    codes.find((code) => OWN_CODE.test(code)),
    codes.find((code) => !/^\d{3}$/.test(code) && !CLIENT_CODE.test(code)),
    fields.map(([name, value]) => `${name}=${value}`).find((written) => CODE_BY_FIELD.test(written)),
    codes.find((code) => HTTP.test(code)),
    codes.find((code) => CLIENT_CODE.test(code)),
    ...fields.map(([name, value]) => INVALID_IDS.exec(name)?.[0] ?? STATED_STATUS.exec(value)?.[1]),
  ];
  return ranked.find((code) => code !== undefined) ?? null;
}

const OWN_CODE = /^\d{4,6}$|\//;
const HTTP = /^[3-6]\d\d$/;
const CLIENT_CODE = /^(?:E[A-Z]+|ERR_\w+)$/;
const INVALID_IDS = /^invalid[a-z]{3,40}s$/; // 'invalid_player_ids'
const STATED_STATUS = /\bstatus code ([45]\d\d)$/i;

function isCode(name: string, value: string) {
  if (/^err(?:or)?code$/.test(name) && /^\d{1,3}$/.test(value)) return false;
  return CODE.test(value) || (NAME_FIELDS.test(name) && CLASS_NAME.test(value));
}

type Field<Value = unknown> = readonly [name: string, value: Value];

/** A request has these fields. In a `response`, `data` and `body` are the answer. */
const REQUEST =
  /^(?:config|request|headers|data|body|text|payload|params|variables|options|html|content|notification|devicetokens|channeldata)$/;
const ANSWERS = /^(?:data|payload|body|errors|bounce|failed)$/;
/** 'payload: {"to": …' */
const REQUEST_PART =
  /(?<![\p{L}\p{N}_]|\b(?:GET|POST|PUT|PATCH|response) )["'`]?(?:config|request|headers|data|body|text|payload)["'`]?\s?(?:[:=]|=>)\s?["'`{[].*$/isu;

export const fieldName = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');
const isJson = (text: string) => /^"?\s{0,4}[{[]\s{0,20}(?:\\?["{[\]}\d]|null|true|false|$)/.test(text);

function withoutRequest(sentence: string) {
  const { index } = REQUEST_PART.exec(sentence) ?? {};
  return index === undefined ? sentence : sentence.slice(0, index).replace(/[\s,;:({[-]+$/, '');
}

function printedFields(text: string) {
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
    const isAnswer = (parent === 'response' || 'statusCode' in value) && (name === 'data' || name === 'body');
    // Any other `text` is the message.
    const isText = name === 'text' && (/exception$/.test(parent) || ('status' in value && isError(value, 'text')));
    if (isAnswer ? typeof insideText(item) === 'object' : isText || !REQUEST.test(name))
      return key.startsWith('_') && key !== '__type' ? [] : [[name, item]];
    return 'config' in value || 'request' in value || 'message' in value ? [] : errorsIn([name, insideText(item)]);
  });
}

/** Errors that a webhook reports: `errors: [{ code: '40300', title }]`, `payload: { code, reason }`, `data: { bounce }`. */
function errorsIn([name, sent]: Field): Field[] {
  if (typeof sent !== 'object' || sent === null || !ANSWERS.test(name)) return [];
  const isListed = name === 'errors' && 'code' in sent && typeof sent.code === 'string';
  const isRefusal = ('ok' in sent && sent.ok === false) || ('status' in sent && sent.status === 'error');
  if (isRefusal || /^(?:bounce|failed)$/.test(name) || isError(sent, isListed ? 'title' : 'reason'))
    return [[name, sent]];
  return Object.entries(sent).flatMap(([key, item]: Field) => errorsIn([Array.isArray(sent) ? name : key, item]));
}

function isError(value: object, sentence: string) {
  return sentence in value && 'code' in value && /^(?:\d{3,6}|[a-z]+(?:_[a-z]+)+)$/.test(`${value.code}`);
}

const insideText = (value: unknown) =>
  typeof value === 'string' && isJson(value.trim()) ? (parsed(value.trim()) ?? value) : value;

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
