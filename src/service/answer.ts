import type { z } from 'zod';
import { OVERSIZED, type ServiceProblem } from '../lib/errors.ts';
import { isObject } from '../lib/text/payload.ts';
import { FreeText, jsonIn } from '../lib/text/scrub.ts';
import type { ExchangeOutcome } from './exchange.ts';
import { retryAfterMs, WINDOW_MS } from './limits.ts';
import { errorIdOf, wrongIn } from './schema.ts';

type Answer<Result> =
  | { readonly kind: 'read'; readonly result: Result }
  | { readonly kind: 'not-found' }
  | ServiceProblem;

const GATE_STATUSES = new Set([401, 403, 404]);
const PAGE = /^\s{0,100}</;
/** What NestJS and Express say of an address without a route. */
const MISSING_ROUTE = /^Cannot (?:GET|POST|PATCH) /;

/** By the field notes' table "Transport". `startedAt`: of the first try. */
export function classify<Result>(
  outcome: ExchangeOutcome,
  read: z.ZodType<Result>,
  { startedAt, now }: { readonly startedAt: number; readonly now: number },
): Answer<Result> {
  if (outcome.kind === 'timed-out') return { kind: 'timed-out', afterMs: now - startedAt };
  if (outcome.kind === 'disconnected') return { kind: 'unreachable' };
  const { status, headers, text } = outcome;
  const body = jsonIn(text ?? '');
  if (status >= 200 && status < 300) {
    if (body === undefined && status !== 204)
      return { kind: 'unreadable', status, wrong: text === null ? OVERSIZED : null };
    const { success, data, error } = read.safeParse(unwrap(body));
    return success ? { kind: 'read', result: data } : { kind: 'unreadable', status, wrong: wrongIn(error) };
  }
  const own = parseErrorBody(body);
  const { message = '', fields = [], errorId = null } = own ?? {};
  const isGate = own === null ? PAGE.test(text ?? '') : status === 404 && MISSING_ROUTE.test(message);
  if (isGate && GATE_STATUSES.has(status)) return { kind: 'gateway', status };
  if (status === 404) return { kind: 'not-found' };
  if (status === 401) return { kind: 'key-refused', status };
  if (status === 403) return { kind: 'key-refused', status, ...(message && { message }) };
  if (status === 402) return { kind: 'beyond-plan', message };
  if (status === 429) return { kind: 'rate-limited', retryAfterMs: retryAfterMs(headers, now) ?? WINDOW_MS };
  if (own === null && !REFUSALS.has(status)) return { kind: 'gateway', status };
  return status >= 500 ? { kind: 'service-error', status, errorId } : { kind: 'refused', status, message, fields };
}

const REFUSALS = new Set([400, 409, 413, 422]);

/** A bare subscriber has a `data` field among others (field notes, "Transport"). */
function unwrap(body: unknown): unknown {
  return isObject(body) && 'data' in body && Object.keys(body).length === 1 ? body.data : body;
}

const MAX_FIELDS = 10;
const ERROR_ID = /^[\w-]{1,64}$/;

/** Scrubbed. Null if something in front of the service answered. */
function parseErrorBody(body: unknown) {
  if (!isObject(body)) return null;
  const { statusCode, message, errors, errorId } = body;
  const messages = [message].flat().filter((words) => typeof words === 'string');
  if (messages.length === 0 && !statusCode && !errorId) return null;
  // The service uses 'general' for what belongs to no field.
  const fields = Object.keys(isObject(errors) ? errors : {}).filter((name) => name !== 'general');
  return {
    message: new FreeText(messages.join('; ')).toString(),
    fields: fields.slice(0, MAX_FIELDS).map((name) => new FreeText(name).toString()),
    errorId: typeof errorId === 'string' && ERROR_ID.test(errorId) ? errorIdOf(errorId) : null,
  };
}

export function isOutcomeUnknown(outcome: ExchangeOutcome): boolean {
  if (outcome.kind === 'timed-out') return true;
  if (outcome.kind === 'disconnected') return outcome.mayHaveArrived;
  const { status } = outcome;
  return status < 300 || status === 408 || status === 409 || status >= 500;
}
