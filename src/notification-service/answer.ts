import { OVERSIZED, type ServiceProblem } from '../domain/errors.ts';
import { isObject } from '../domain/text/same-json.ts';
import { retryAfterMs } from './allowance.ts';
import { type ExchangeOutcome, isSuccess, NO_CONTENT } from './exchange.ts';
import { type ErrorBody, parseErrorBody } from './schema/error-body.ts';

/** The meaning of an outcome. */
export type Answer =
  /** `body` is undefined for a status without one (204); the operation's reader decides whether that is valid. */
  | { readonly kind: 'ok'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'not-found' }
  /** `retryAfterMs`: when the service asks Notif to retry. Null if it doesn't say. */
  | { readonly kind: 'problem'; readonly problem: ServiceProblem; readonly retryAfterMs: number | null };

/** Used for a 429 that doesn't say when to retry: the service's windows last 5 s (field notes, "Transport"). */
const RATE_WINDOW_MS = 5_000;

/** Classifies an outcome by the field notes' table "Transport". */
export function classify(outcome: ExchangeOutcome, now: number): Answer {
  switch (outcome.kind) {
    case 'timed-out':
      return problem({ kind: 'timed-out', afterMs: outcome.afterMs });
    case 'disconnected':
      return problem({ kind: 'unreachable' });
    case 'answered':
      return judgeAnswer(outcome, now);
  }
}

function judgeAnswer({ status, headers, text }: Extract<ExchangeOutcome, { kind: 'answered' }>, now: number): Answer {
  if (status === NO_CONTENT) return { kind: 'ok', status, body: undefined };
  const body = parseJson(text);
  if (isSuccess(status)) {
    return body === undefined
      ? problem({ kind: 'unreadable', status, wrong: text === null ? OVERSIZED : null })
      : { kind: 'ok', status, body: unwrap(body) };
  }
  const own = parseErrorBody(body);
  if (own === null && isPage({ headers, text }) && GATE_STATUSES.has(status)) {
    return problem({ kind: 'gateway', status });
  }
  if (status === 404) return isMissingRoute(own) ? problem({ kind: 'gateway', status }) : { kind: 'not-found' };
  const waitMs = retryAfterMs(headers, now);
  return problem(problemOf(status, own, waitMs), waitMs);
}

function problem(what: ServiceProblem, waitMs: number | null = null): Answer {
  return { kind: 'problem', problem: what, retryAfterMs: waitMs };
}

function problemOf(status: number, body: ErrorBody | null, waitMs: number | null): ServiceProblem {
  switch (status) {
    case 400:
    case 422:
      return { kind: 'refused', status, message: body?.message ?? '', fields: body?.fields ?? [] };
    case 401:
      return { kind: 'key-refused', status };
    case 403:
      return { kind: 'key-refused', status, ...(body?.message ? { message: body.message } : {}) };
    case 402:
      return { kind: 'beyond-plan', message: body?.message ?? '' };
    case 409:
      return { kind: 'still-running' };
    case 413:
      return { kind: 'too-large', message: body?.message ?? '' };
    case 429:
      return { kind: 'rate-limited', retryAfterMs: waitMs ?? RATE_WINDOW_MS };
  }
  if (body === null) return { kind: 'gateway', status };
  if (status >= 500) return { kind: 'service-error', status, errorId: body.errorId };
  return { kind: 'refused', status, message: body.message, fields: body.fields };
}

const BYTE_ORDER_MARK = /^\uFEFF/;

/** Returns undefined for invalid JSON; JSON itself has no `undefined`. */
function parseJson(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text.replace(BYTE_ORDER_MARK, ''));
  } catch {
    return undefined;
  }
}

/** Unwraps `{"data": …}`, around single answers. A bare subscriber has a `data` field among others (field notes, "Transport"). */
function unwrap(body: unknown): unknown {
  if (!isObject(body) || !('data' in body)) return body;
  return Object.keys(body).length === 1 ? body.data : body;
}

/** Statuses that a firewall, a sign-in proxy or another site gives with a page of its own, and the service with other meanings. */
const GATE_STATUSES = new Set([401, 403, 404]);
const PAGE = /^[\uFEFF\s]{0,100}<(?:!doctype html|html)\b/i;

/** Returns whether the response is HTML: then it's from something in front of the service, or the address isn't the service's. */
function isPage({ headers, text }: Pick<Extract<ExchangeOutcome, { kind: 'answered' }>, 'headers' | 'text'>): boolean {
  const type = headers.get('content-type') ?? '';
  return /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type) || (text !== null && PAGE.test(text));
}

/** What NestJS and Express say of an address without a route: then the address isn't the API's, and nothing was looked for. */
const MISSING_ROUTE = /^Cannot (?:GET|POST|PATCH) /;

function isMissingRoute(body: ErrorBody | null): boolean {
  return body !== null && MISSING_ROUTE.test(body.message);
}

/** The service or a proxy in front of it stopped waiting; the status doesn't say for what. */
const REQUEST_TIMED_OUT = 408;

/** Returns whether a write with this problem may have gone through. */
export function isOutcomeUnknown(what: ServiceProblem, outcome: ExchangeOutcome): boolean {
  switch (what.kind) {
    case 'timed-out':
    case 'service-error':
    case 'unreadable':
    case 'still-running':
      return true;
    case 'gateway':
      return what.status >= 500 || what.status === REQUEST_TIMED_OUT;
    case 'refused':
      return what.status === REQUEST_TIMED_OUT;
    case 'unreachable':
      return outcome.kind === 'disconnected' && outcome.mayHaveArrived;
    default:
      return false;
  }
}
