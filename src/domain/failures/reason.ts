import { isJson, type Said, saidIn, withoutRequest } from './answer.ts';

/** The reason for a failure in a provider's response. */
export interface Reason {
  readonly sentence: string | null;
  /** The code that distinguishes reasons: '401', '21211', 'invalid_grant', 'messaging/invalid-argument'. */
  readonly code: string | null;
}

/** The fields in which providers explain errors, the most informative first. */
const SENTENCE_FIELDS = [
  'diagnosticcode',
  'errordescription',
  'errormessage',
  'message',
  'reason',
  'errortext',
  'details',
  'description',
  'detail',
  'error',
  'errors',
  'title',
  'response',
];
const CODE_FIELDS = ['errorcode', 'code', 'responsecode', 'statuscode', 'status', 'httpstatuscode', 'error'];

/** 401, 5.1.1, invalid_grant, messaging/invalid-argument, UNREGISTERED, invalidArgument */
const CODE =
  /^(?=.{3,80}$)(?:\d{3,6}|\d\.\d{1,3}\.\d{1,3}|[A-Za-z]+(?:[_/-][A-Za-z]+)+|[A-Z]{4,}|[a-z]+[A-Z][A-Za-z]+)$/;
const UNSPECIFIC = 4;

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
  if (!isJson(text)) return { sentence: plainSentence(text), code: null };
  const said = saidIn(text);
  return { sentence: sentenceOf(said), code: codeOf(said) };
}

function sentenceOf(said: readonly Said[]): string | null {
  const sentences = SENTENCE_FIELDS.flatMap((field) => said.filter(({ name }) => name === field))
    .map(({ value }) => plainSentence(value))
    .filter((sentence) => sentence !== null);
  const informative = sentences.filter((sentence) => !saysNothing(sentence));
  return informative.find((sentence) => !CODE.test(sentence)) ?? informative[0] ?? sentences[0] ?? null;
}

function plainSentence(text: string): string | null {
  const sentence = withoutRequest(
    text
      .replace(/^"(.*)"$/, '$1')
      .replace(STACK, '')
      .replace(ERROR_CLASS, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return sentence === '' || sentence.startsWith('{') || /^[\d\s]+$/.test(sentence) ? null : sentence;
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
