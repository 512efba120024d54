/** The reason for a failure in a provider's response. */
export interface Reason {
  readonly sentence: string | null;
  /** The code that distinguishes reasons: '401', '21211', 'invalid_grant', 'messaging/invalid-argument'. */
  readonly code: string | null;
}

/** A text or number in a response, with its field's name in lowercase. */
interface Said {
  readonly name: string;
  readonly value: string;
}

const MAX_DEPTH = 6;
const MAX_SAID = 200;

/** The fields in which providers explain errors, the most informative first. */
const SENTENCE_FIELDS = [
  'diagnosticcode',
  'error_description',
  'errormessage',
  'error_message',
  'message',
  'reason',
  'error-text',
  'details',
  'description',
  'detail',
  'error',
  'errors',
  'title',
  'response',
  'body',
  'text',
];
const CODE_FIELDS = [
  'errorcode',
  'error_code',
  'code',
  'responsecode',
  'statuscode',
  'status',
  'httpstatuscode',
  'error',
];

/** 401, 5.1.1, invalid_grant, messaging/invalid-argument, UNREGISTERED, invalidArgument */
const CODE =
  /^(?=.{3,80}$)(?:\d{3,6}|\d\.\d{1,3}\.\d{1,3}|[A-Za-z]+(?:[_/-][A-Za-z]+)+|[A-Z]{4,}|[a-z]+[A-Z][A-Za-z]+)$/;
const UNSPECIFIC = 4;

/** `"name":"value"` in truncated JSON. */
const FIELD = /"([\w-]{1,40})"\s*:\s*(?:"((?:[^"\\]|\\.)*)|(\d{3,6})\b)/g;
const STACK = /\s+at (?:(?:async |new )?[\w.<>$[\] ]{1,80} \(|file:|node:|\/).*$/s;
const ERROR_CLASS = /^(?:uncaught )?(?:[A-Z][A-Za-z]*)?(?:Error|Exception): (?=\S)/i;

/** Sentences of the service and its providers that say nothing. */
const EMPTY_SENTENCES = [
  /^(?:an? )?(?:unexpected |unknown |internal |generic )?(?:provider |server |service |api |request )?(?:error|exception|failure|failed)(?: has)?(?: occurred)?$/i,
  /^error (?:while )?sending (?:the )?(?:message|e-?mail|sms|push|notification)$/i,
  /^there was one or more errors when trying to execute the notification$/i,
  /^request failed with status code \d{3}$/i,
  /^(?:(?:http |error )?[45]\d\d:? )?(?:bad request|unauthorized|payment required|forbidden|not found|method not allowed|not acceptable|conflict|gone|unprocessable (?:entity|content)|internal server error|service unavailable)$/i,
  /^(?:message )?(?:(?:hard |soft )?bounced?|could not be delivered|dropped|rejected|blocked|spam|complaint|unsubscribed|undelivered|deferred)$/i,
  /^(?:something went wrong|execution failed|\[object object\]|)$/i,
];

/** Returns whether a sentence says only that something failed: 'Unexpected provider error', 'Bad Request', nothing at all. */
export function saysNothing(sentence: string): boolean {
  const words = sentence.trim().replace(/[.!]$/, '');
  return EMPTY_SENTENCES.some((empty) => empty.test(words));
}

/** Extracts the reason from a provider's response, which must be scrubbed: JSON, truncated JSON or text. */
export function reasonIn(raw: string): Reason {
  const text = raw.trim();
  if (!/^"?[{[]/.test(text)) return { sentence: plainSentence(text), code: null };
  const said = everythingSaid(text);
  return { sentence: sentenceOf(said), code: codeOf(said) };
}

function everythingSaid(json: string): Said[] {
  try {
    return saidIn(JSON.parse(json));
  } catch {
    // Truncated, as long responses are: reads whatever has the shape of a field.
    return [...json.matchAll(FIELD)].map(([, name = '', text, number]) => ({
      name: name.toLowerCase(),
      value: text === undefined ? (number ?? '') : unescaped(text),
    }));
  }
}

function unescaped(text: string): string {
  return text
    .replace(/\\[nrt]/g, ' ')
    .replace(/\\(.)/g, '$1')
    .trim();
}

/** Returns the texts and numbers of a parsed response, the outermost first. */
function saidIn(json: unknown): Said[] {
  const said: Said[] = [];
  let level: { name: string; value: unknown }[] = [{ name: 'message', value: json }];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const next: { name: string; value: unknown }[] = [];
    for (const { name, value } of level.slice(0, MAX_SAID)) {
      const inner = innerOf(name, value);
      if (inner !== null) next.push(...inner);
      else if (typeof value === 'string' || typeof value === 'number') said.push({ name, value: `${value}`.trim() });
    }
    level = next;
  }
  return said;
}

/** Returns the contents of an object, a list or a text that is itself JSON; null for anything else. */
function innerOf(name: string, value: unknown): { name: string; value: unknown }[] | null {
  if (typeof value === 'string') return jsonInside(name, value);
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return value.map((item: unknown) => ({ name, value: item }));
  return Object.entries(value).map(([key, item]: [string, unknown]) => ({ name: key.toLowerCase(), value: item }));
}

function jsonInside(name: string, text: string): { name: string; value: unknown }[] | null {
  if (!/^\s*[{[]/.test(text)) return null;
  try {
    return innerOf(name, JSON.parse(text));
  } catch {
    // A text that begins with a bracket isn't necessarily JSON.
    return null;
  }
}

function sentenceOf(said: readonly Said[]): string | null {
  const sentences = SENTENCE_FIELDS.flatMap((field) => said.filter(({ name }) => name === field))
    .map(({ value }) => plainSentence(value))
    .filter((sentence) => sentence !== null);
  const informative = sentences.filter((sentence) => !saysNothing(sentence));
  return informative.find((sentence) => !CODE.test(sentence)) ?? informative[0] ?? sentences[0] ?? null;
}

function plainSentence(text: string): string | null {
  const sentence = text
    .replace(/^"(.*)"$/, '$1')
    .replace(STACK, '')
    .replace(ERROR_CLASS, '')
    .trim();
  return sentence === '' || sentence === '{}' || /^[\d\s]+$/.test(sentence) ? null : sentence;
}

/** Returns the most informative code: the provider's own, then an HTTP status, then the client's name for it (`EAUTH`). */
function codeOf(said: readonly Said[]): string | null {
  const codes = CODE_FIELDS.flatMap((field) => said.filter(({ name, value }) => name === field && CODE.test(value)));
  const ranked = codes.map(({ value }) => ({ value, rank: rankOf(value) })).filter(({ rank }) => rank < UNSPECIFIC);
  return ranked.sort((a, b) => a.rank - b.rank)[0]?.value ?? null;
}

/** The lower, the more informative. */
function rankOf(code: string): number {
  if (/^\d{4,6}$/.test(code) || code.includes('/')) return 0;
  if (/^[45]\d\d$/.test(code)) return 2;
  if (/^\d{3}$/.test(code) || saysNothing(code)) return UNSPECIFIC;
  return /^(?:E[A-Z]+|ERR_\w+)$/.test(code) ? 3 : 1;
}
