import { withPauses } from '../lib/pauses.ts';
import { writingFieldsAsText } from '../lib/text/json-text.ts';
import { parsingJson } from '../lib/text/large-json.ts';
import { maskValues } from '../lib/text/mask.ts';
import { isObject } from '../lib/text/payload.ts';
import { scrub } from '../lib/text/scrub.ts';
import type { ExchangeOutcome } from './exchange.ts';
import { RATE_WINDOW_MS, retryAfterMs } from './limits.ts';
import { WEB_PAGE } from './problem-words.ts';
import { errorIdOf, type Parse, wrongIn } from './schema.ts';
import type { ServiceProblem } from './service-error.ts';

export const OVERSIZED = 'more than 32 MB';
/** The service answers these, too, but never with a page of markup. */
const GATEWAY_STATUSES = new Set([400, 401, 403, 404]);
/** These refuse the request whoever answers, but for a page with a status of those above. */
const REFUSING_STATUSES = new Set([400, 409, 413, 422]);
const MARKUP = /^\s{0,100}</;
/** NestJS and Express answer like this for an unknown path. */
const MISSING_ROUTE = /^Cannot (?:GET|POST|PATCH) /;

/** Of an error, so many fields are named. */
const MAX_FIELDS = 10;
const ERROR_ID = /^[\w-]{1,64}$/;

type Answer<Result> = { kind: 'read'; result: Result } | { kind: 'not-found' } | ServiceProblem;

interface Reading<Result> {
  parse: Parse<Result>;
  /** Fields that `parse` gets as JSON. */
  fieldsAsText: readonly string[];
  /** It's masked in what the service says. */
  apiKey: string;
  now: number;
}

/** Reads an answer, or says which problem it is. */
export async function classify<Result>(
  outcome: ExchangeOutcome,
  { fieldsAsText, parse, apiKey, now }: Reading<Result>,
): Promise<Answer<Result>> {
  if (outcome.kind === 'timed-out') return outcome;
  if (outcome.kind === 'disconnected') return { kind: 'unreachable', code: outcome.code };
  const { status, headers, text } = outcome;
  const readable = await withPauses(writingFieldsAsText(text ?? '', fieldsAsText));
  const body = await withPauses(parsingJson(readable));
  if (status >= 200 && status < 300) {
    if (body === undefined && status !== 204) return { kind: 'unreadable', status, wrong: wrongInText(text) };
    const { success, data, error } = await parse(unwrap(body));
    return success ? { kind: 'read', result: data } : { kind: 'unreadable', status, wrong: wrongIn(error) };
  }
  const explained = parseErrorBody(body, apiKey);
  const { message = '', errorId = null } = explained ?? {};
  const isMissingRoute = status === 404 && MISSING_ROUTE.test(message);
  const isGateway = explained === null ? MARKUP.test(text ?? '') : isMissingRoute;
  if (isGateway && GATEWAY_STATUSES.has(status)) return { kind: 'gateway', status };
  if (status === 404) return { kind: 'not-found' };
  if (status === 401) return { kind: 'key-refused', status };
  if (status === 403) return { kind: 'key-refused', status, ...(message && { message }) };
  if (status === 402) return { kind: 'beyond-plan', message };
  if (status === 429) return { kind: 'rate-limited', retryAfterMs: retryAfterMs(headers, now) ?? RATE_WINDOW_MS };
  if (explained === null && !REFUSING_STATUSES.has(status)) return { kind: 'gateway', status };
  return status >= 500 ? { kind: 'service-error', status, errorId } : { kind: 'refused', status, message };
}

function wrongInText(text: string | null): string | null {
  if (text === null) return OVERSIZED;
  return MARKUP.test(text) ? WEB_PAGE : null;
}

/** A bare subscriber has a field `data` of its own (docs/service.md). */
function unwrap(body: unknown): unknown {
  return isObject(body) && 'data' in body && Object.keys(body).length === 1 ? body.data : body;
}

/** Returns null if a gateway or proxy answered. Ignores values of `errors`: they repeat the request. */
function parseErrorBody(body: unknown, apiKey: string): { message: string; errorId: string | null } | null {
  if (!isObject(body)) return null;
  const { statusCode, message, errors, errorId } = body;
  const messages = textsIn(message);
  if (messages.length === 0 && !statusCode && !errorId) return null;
  const fields = Object.entries(isObject(errors) ? errors : {}).slice(0, MAX_FIELDS);
  const reasons = fields.flatMap(([name, error]) => {
    const texts = isObject(error) ? textsIn(error.messages) : [];
    if (name === 'general') return texts;
    if (texts.length === 0) return `${name}: invalid`;
    return texts.map((text) => (text.includes(name) ? text : `${name}: ${text}`));
  });
  return {
    message: scrub(maskValues((reasons.length === 0 ? messages : reasons).join('; '), [apiKey])),
    errorId: typeof errorId === 'string' && ERROR_ID.test(errorId) ? errorIdOf(errorId) : null,
  };
}

function textsIn(value: unknown): string[] {
  return [value].flat().flatMap((words) => (typeof words === 'string' && words !== '' ? words : []));
}
