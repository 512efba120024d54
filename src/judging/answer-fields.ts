import { jsonIn } from '../lib/text/scrub.ts';

// Turns what a provider answered, in any form, into fields with a text each.

/** `name` is without case, spaces, `_` and `-`. */
export type Field<Value = unknown> = readonly [name: string, value: Value];

/** SDKs write DeviceNotRegistered as a name or code; AxiosError, used for everything, isn't a code. */
export const CLASS_NAME = /^(?=.{3,80}$)(?!\w*Error$)[A-Z][a-z]+[A-Z][A-Za-z]+$/;
export const STATED_STATUS = /\bstatus code ([45]\d\d)$/i;
/** 'com.amazonaws.sns#ThrottledException' */
const AWS_TYPE = /^[a-z\d.]{3,60}#(?=[A-Z])/;

/** 'HTTPError: {"errors":[…', 'Status code: 400\nBody: {\n  "code": …', '403 {"error": …' */
const BEFORE_JSON = /^([^{}[\]]{1,120}?)(?:: |(?<=^[45]\d\d) )(?=\{\s{0,4}"|\[\s{0,4}[{"])/;
const CLASS = /^\w*(?:Error|Exception)$/;
const STATUS_BEFORE = /^[45]\d\d$|(?<=\bstatus(?: code)?:? )[45]\d\d\b/i;
/** What prints an error so. The groups, joined, are what it says: `(: )` separates two of them. */
const STRUCTS = [
  // Go: {400 Permission to … 21408 https://…}
  /^\{(\d{3} \p{L}.*?)\}?$/su,
  // older Node: { [Error: Not sent] code: 'EENVELOPE', response: '550 …' }
  /^\{ \[(?:\w{0,40}Error: )?([^\]]{1,999}?)\s?\](?:\s+(?:code|name): '\w+',?)?(?:\s+(?:response|data(?=: '\d{3}[ -]))(: )'([^']*))?.*$/su,
  // Python: {'jane@acme.example': (550, b'…')}
  /^\{u?'[^']{0,99}': (\(\d{3}, .*)$/su,
];
/** AWS: <Error><Code>MessageRejected</Code><Message>Email address is not verified.</Message> */
const XML = /^.*?<Code>(\w{3,60})<\/Code>\s*<Message>([^<]{3,})(?:<.*)?$/s;
/** PHP: ["code"]=> string(15) "MessageRejected" */
const VAR_DUMP = /\["(\w{2,40})"\]\s*=>\s*string\(\d+\) "/g;
/** Discord: {"embeds": ["Embed size exceeds …"]} */
const FIELD_ERROR = /^\{"((?!errors?"|messages?"|details?")\w{2,20})": ?\["(\d|[A-Z]\S* [^"]+)"\]\}$/;
/** Node prints an error's fields behind its stack: `{ code: 'EAUTH', responseCode: 535 }`. */
const PRINTED = /(?<![\p{L}\p{N}_])'?([A-Za-z_]{2,40})'?: (?:'([^'\n]*)'|"([^"\n]*)"|(\d{1,6})(?=\s*[,}]|$)|[{[])/gu;

/** A request has these fields. In a `response`, `data` and `body` are the answer. */
const REQUEST =
  /^(?:config|request|headers|data|body|text|payload|params|variables|options|html|content|notification|devicetokens|channeldata)$/;
/** Fields in which a webhook reports errors, beside what was sent. */
const REPORTS = /^(?:data|payload|body|errors|bounce|failed|messages)$/;
/** OneSignal: {"invalid_player_ids": ["id"]} */
const INVALID_IDS = /^invalid_[a-z_]{3,40}s$/;
const ANSWER = /^(?:data|body)$/;
/** `INSUFFICIENT_CREDIT`, but not `QUEUED` */
const SHOUTED_STATUS = /^[A-Z]+(?:_[A-Z]+)+$/;
const ERROR_NAME = /^(?:[a-z]+(?:_[a-z]+)+|unauthorized|forbidden|invalid|throttled)$/;

/** Firebase's SDK quotes an answer that it doesn't know. */
const QUOTED_ANSWER = /^An unknown server error was returned\. Raw server response: "(.*?)"?\.? Status code: \d{3}$/s;

export const fieldName = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

/** All that an answer says, the outermost first; an answer that isn't JSON is one 'message'. */
export function fieldsIn(raw: string): readonly Field<string>[] {
  const [prefix = '', before = ''] = BEFORE_JSON.exec(raw.trim()) ?? [];
  const text = unwrapped(raw.trim().slice(prefix.length));
  const answer = isJson(text) ? parsed(text) : null;
  return [
    ...(answer === null ? [['message', text] as const, ...printedFields(text)] : textFields(answer)),
    ['beforejson', before.replace(CLASS, '')],
    ['status', STATUS_BEFORE.exec(before)?.[0] ?? ''],
  ];
}

/** What stands in an answer that is printed, dumped or XML. */
function unwrapped(answer: string): string {
  const text = withoutStruct(answer).replace(XML, (_, code, words) => `${words} (${code})`);
  const form = (all: string, name: string, why: string) => (REQUEST.test(fieldName(name)) ? all : `${name}: ${why}`);
  return text.replace(VAR_DUMP, (_, name: string) => `'${name}': "`).replace(FIELD_ERROR, form);
}

function withoutStruct(answer: string): string {
  for (const struct of STRUCTS) {
    const said = struct.exec(answer);
    if (said !== null) return said.slice(1).join('');
  }
  return answer;
}

/** Whether a text begins as JSON does, also JSON in quotes: `"{\"code\": …`. */
const isJson = (text: string) => /^"?\s{0,4}[{[]\s{0,20}(?:\\?["{[\]}\d]|null|true|false|$)/.test(text);

/** The fields of an error that Node printed, up to where its request begins. */
function printedFields(text: string): readonly Field<string>[] {
  if (!text.includes(': ')) return [];
  const fields = [...text.matchAll(PRINTED)].map(([, name = '', ...said]) => [fieldName(name), said.join('')] as const);
  const request = fields.findIndex(([name]) => REQUEST.test(name));
  return fields.slice(0, request === -1 ? undefined : request);
}

/** All texts and numbers of an answer, level by level: what stands outside is about all that is inside. */
function textFields(answer: unknown): readonly Field<string>[] {
  const fields: Field<string>[] = [];
  let level: Field[] = [['message', answer]];
  while (level.length > 0) {
    const values = level.map(([name, value]): Field => [name, insideText(value)]);
    for (const [name, value] of values)
      if (typeof value === 'string' || typeof value === 'number')
        fields.push([name, `${value}`.trim().replace(AWS_TYPE, '')]);
    level = values.flatMap(fieldsOf);
  }
  return fields;
}

/** The fields inside a field, without those that may repeat what was sent. */
function fieldsOf([parent, value]: Field): Field[] {
  if (Array.isArray(value)) return value.map((item: unknown) => [parent, item]);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]: Field): Field[] => {
    const name = fieldName(key);
    if (INVALID_IDS.test(key)) return [['code', key]];
    if (parent === 'errors' && areSentences(item)) return [['errors', `${key}: ${item.join(', ')}`]];
    if (name === 'response' && typeof insideText(item) === 'object' && statesStatus(value)) return [['refusal', item]];
    if (mayBeAnswer(name, value, parent)) return answerIn([name, item], value, parent);
    // In an exception or beside a code, `text` says what is wrong. Any other is the message that was sent.
    const isNumberACode = 'status' in value;
    const isText = name === 'text' && (/exception$/.test(parent) || isError(value, 'text', isNumberACode));
    if (!isText && REQUEST.test(name)) return errorsInRequest([name, item], value);
    const isPrivate = key.startsWith('_') && key !== '__type';
    return isPrivate ? [] : [[name, item]];
  });
}

/** `errors: { to: ['contains a blocked address'] }` */
const areSentences = (item: unknown): item is string[] =>
  Array.isArray(item) && item.length > 0 && item.every((text) => typeof text === 'string' && text.includes(' '));

/** Whether a field of a failed request is the provider's answer, and not what was sent. `around` is the object that has it. */
function mayBeAnswer(name: string, around: object, parent: string): boolean {
  if (name === 'responsedata') return true;
  if (!ANSWER.test(name)) return false;
  return parent === 'response' || parent === 'refusal' || 'statusCode' in around || hasStatus(around);
}

/** Text is what was sent, repeated, unless a status of 4xx or 5xx says that it was refused. An object is read anyway. */
function answerIn([name, item]: Field, around: object, parent: string): Field[] {
  if (typeof insideText(item) === 'object') return [[name, item]];
  const isRefused = name === 'responsedata' ? statesStatus(around) : parent === 'refusal' || hasStatus(around);
  return isRefused ? [['answer', item]] : [];
}

/** What stands in fields of a request can still be what a webhook reports; beside `config`, `request` or `message` it's what was sent. */
function errorsInRequest([name, item]: Field, around: object): Field[] {
  if ('config' in around || 'request' in around || 'message' in around) return [];
  const inside = insideText(item);
  return isNotOk(around) && isNamedError(inside) ? [[name, inside]] : errorsIn([name, inside]);
}

function hasStatus(value: object): boolean {
  const { status, statusCode }: { status?: unknown; statusCode?: unknown } = value;
  return /^[45]\d\d$/.test(`${statusCode ?? status}`);
}

const statesStatus = (value: object) => 'message' in value && STATED_STATUS.test(`${value.message}`);

/** Errors that a webhook reports: `errors: [{ code: '40300', title }]`, `payload: { code, reason }`, `data: { bounce }`, `messages: [{ status }]`. */
function errorsIn([name, sent]: Field): Field[] {
  if (typeof sent !== 'object' || sent === null || !REPORTS.test(name)) return [];
  if (reportsError(name, sent)) return [[name, sent]];
  return Object.entries(sent).flatMap(([key, item]: Field) => errorsIn([Array.isArray(sent) ? name : key, item]));
}

function reportsError(name: string, sent: object): boolean {
  if (name === 'bounce' || name === 'failed' || isNotOk(sent)) return true;
  if (name === 'messages' && 'status' in sent && SHOUTED_STATUS.test(`${sent.status}`)) return true;
  if (Object.keys(sent).some((key) => /^err(?:or)?code$/.test(fieldName(key)))) return true;
  const isListed = name === 'errors' && 'code' in sent && typeof sent.code === 'string';
  return isError(sent, isListed ? 'title' : 'reason');
}

/** `{ ok: false }`, `{ success: false }`, `{ status: 'error' }` */
function isNotOk(value: object): boolean {
  const { ok, status, success }: { ok?: unknown; status?: unknown; success?: unknown } = value;
  return ok === false || success === false || status === 'error';
}

/** `{ status: 'error', data: { code: 'FromAddressMissing', message } }` */
const isNamedError = (value: unknown) =>
  typeof value === 'object' && value !== null && 'code' in value && CLASS_NAME.test(`${value.code}`);

/** Whether an object states an error, with its `code` beside a `sentence`. A number could also be a code that was sent, such as a password. */
function isError(value: object, sentence: string, isNumberACode = true): boolean {
  if (!(sentence in value) || !('code' in value)) return false;
  return ERROR_NAME.test(`${value.code}`) || (isNumberACode && /^\d{3,6}$/.test(`${value.code}`));
}

/** JSON that stands in a text is read, too. */
function insideText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.replace(QUOTED_ANSWER, (_, answer: string) => answer).trim();
  return isJson(text) ? (parsed(text) ?? text) : text;
}

function parsed(json: string): unknown {
  const text = json.replace(/\p{Cc}/gu, ' ');
  return jsonIn(text) ?? jsonIn(completed(text)) ?? null;
}

/** Completes truncated JSON by dropping its last, partial item: `whole` is what was read up to the last comma, `ends` what closes it. */
function completed(json: string): string {
  let [read, whole, ends] = ['', '', ''];
  for (const [token] of json.matchAll(/"(?:\\.|[^"\\])*(?:"|$)|[{}[\],]|[^"{}[\],]+/g)) {
    if (token === ',') whole = read + ends;
    if (token === '{' || token === '[') ends = `${token === '{' ? '}' : ']'}${ends}`;
    if (token === '}' || token === ']') ends = ends.slice(1);
    read += token;
  }
  return whole;
}
