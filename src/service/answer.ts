import { OVERSIZED, type ServiceProblem } from '../lib/errors.ts';
import { isObject } from '../lib/text/payload.ts';
import { FreeText } from '../lib/text/scrub.ts';
import type { ExchangeOutcome } from './exchange.ts';
import { retryAfterMs, WINDOW_MS } from './limits.ts';
import { type BodyReader, errorIdOf } from './reader.ts';

type Answer<Result> =
  | { readonly kind: 'read'; readonly result: Result; readonly odd: readonly string[] }
  | { readonly kind: 'not-found' }
  | ServiceProblem;

/** Statuses that a firewall, a sign-in proxy or another site gives with a page of its own, and the service with other meanings. */
const GATE_STATUSES = new Set([401, 403, 404]);
const PAGE = /^\s{0,100}</;
/** What NestJS and Express say of an address without a route: then the address isn't the API's, and nothing was looked for. */
const MISSING_ROUTE = /^Cannot (?:GET|POST|PATCH) /;

/** Classifies an outcome by the field notes' table "Transport", and reads an answer: no unread one leaves this function. */
export function classify<Result>(outcome: ExchangeOutcome, read: BodyReader<Result>, now: number): Answer<Result> {
  if (outcome.kind === 'timed-out') return { kind: 'timed-out', afterMs: outcome.afterMs };
  if (outcome.kind === 'disconnected') return { kind: 'unreachable' };
  const { status, headers, text } = outcome;
  const body = parseJson(text);
  if (status >= 200 && status < 300) {
    if (body === undefined && status !== 204)
      return { kind: 'unreadable', status, wrong: text === null ? OVERSIZED : null };
    const answer = read(unwrap(body));
    if (!answer.ok) return { kind: 'unreadable', status, wrong: answer.reason };
    return { kind: 'read', result: answer.value, odd: answer.odd };
  }
  const own = parseErrorBody(body);
  const isGate = own === null ? PAGE.test(text ?? '') : status === 404 && MISSING_ROUTE.test(own.message);
  if (isGate && GATE_STATUSES.has(status)) return { kind: 'gateway', status };
  if (status === 404) return { kind: 'not-found' };
  const { message, fields, errorId } = own ?? { message: '', fields: [], errorId: null };
  if (status === 400 || status === 422) return { kind: 'refused', status, message, fields };
  if (status === 401) return { kind: 'key-refused', status };
  if (status === 402) return { kind: 'beyond-plan', message };
  if (status === 403) return { kind: 'key-refused', status, ...(message && { message }) };
  if (status === 409) return { kind: 'still-running' };
  if (status === 413) return { kind: 'too-large', message };
  if (status === 429) return { kind: 'rate-limited', retryAfterMs: retryAfterMs(headers, now) ?? WINDOW_MS };
  if (own === null) return { kind: 'gateway', status };
  return status >= 500 ? { kind: 'service-error', status, errorId } : { kind: 'refused', status, message, fields };
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** Unwraps `{"data": …}`, around single answers. A bare subscriber has a `data` field among others (field notes, "Transport"). */
function unwrap(body: unknown): unknown {
  return isObject(body) && 'data' in body && Object.keys(body).length === 1 ? body.data : body;
}

const MAX_FIELDS = 10;
const ERROR_ID = /^[\w-]{1,64}$/;

/** Scrubbed. Null for a body without a message, a status code and an error ID: something in front of the service responded. */
function parseErrorBody(body: unknown) {
  if (!isObject(body)) return null;
  const { statusCode, message, errors, errorId } = body;
  // A message can also be a list, or another error body.
  const inner = isObject(message) ? message.message : message;
  const messages = [inner].flat().filter((one) => typeof one === 'string');
  if (messages.length === 0 && !statusCode && !errorId) return null;
  // The service uses 'general' for what belongs to no field.
  const fields = Object.keys(isObject(errors) ? errors : {}).filter((name) => name !== 'general');
  return {
    message: new FreeText(messages.join('; ')).toString(),
    fields: fields.slice(0, MAX_FIELDS).map((name) => new FreeText(name).toString()),
    errorId: typeof errorId === 'string' && ERROR_ID.test(errorId) ? errorIdOf(errorId) : null,
  };
}

/** Returns whether a write that ended in a problem may have gone through. At a 408, the service or a proxy in front of it stopped waiting. */
export function isOutcomeUnknown(outcome: ExchangeOutcome): boolean {
  if (outcome.kind === 'timed-out') return true;
  if (outcome.kind === 'disconnected') return outcome.mayHaveArrived;
  const { status } = outcome;
  return status < 300 || status === 408 || status === 409 || status >= 500;
}
