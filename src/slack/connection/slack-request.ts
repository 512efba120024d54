import type { IncomingHttpHeaders } from 'node:http';
import { isValidSlackRequest } from '@slack/bolt';
import { z } from 'zod';
import type { SlackDelivery } from './delivery.ts';

export type SlackRequest =
  | { readonly is: 'refused'; readonly status: 400 | 401; readonly reason: Refusal }
  /** Slack checks that the address is Notif's, and expects this in return ("url_verification event"). */
  | { readonly is: 'challenge'; readonly challenge: string }
  /** Slack checks the certificate ("ssl_check"). The request isn't signed, and Notif does nothing. */
  | { readonly is: 'certificate-check' }
  | { readonly is: 'delivery'; readonly delivery: Omit<SlackDelivery, 'acknowledge' | 'abandon'> };

export type Refusal = 'no-signature' | 'wrong-time' | 'wrong-signature' | 'unreadable';

export interface PostedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How far a request's time can be from Notif's ("Verifying requests from Slack"). After that an intercepted signature is useless. */
const TOLERANCE_MS = 5 * 60_000;

const FORM = 'application/x-www-form-urlencoded';

/** Ignores the rest if the signature wasn't made with `signingSecret`. `now` is in milliseconds. */
export function parseSlackRequest(request: PostedRequest, signingSecret: string, now: number): SlackRequest {
  if (isCertificateCheck(request)) return { is: 'certificate-check' };
  const forged = refusalOf(request, signingSecret, now);
  if (forged !== null) return { is: 'refused', status: 401, reason: forged };
  const body = bodyOf(request);
  if (body === null) return { is: 'refused', status: 400, reason: 'unreadable' };
  if (body.type === 'url_verification') return { is: 'challenge', challenge: String(body.challenge) };
  return { is: 'delivery', delivery: deliveryOf(request, body) };
}

function isCertificateCheck({ headers, body }: PostedRequest): boolean {
  return isForm(headers) && new URLSearchParams(body).get('ssl_check') === '1';
}

/** Bolt compares signatures in constant time. */
function refusalOf({ headers, body }: PostedRequest, signingSecret: string, now: number): Refusal | null {
  const signature = headers['x-slack-signature'];
  const timestamp = headers['x-slack-request-timestamp'];
  if (typeof signature !== 'string' || typeof timestamp !== 'string') return 'no-signature';
  const seconds = Number(timestamp);
  if (!(Math.abs(now - seconds * 1000) <= TOLERANCE_MS)) return 'wrong-time';
  const signed = { 'x-slack-signature': signature, 'x-slack-request-timestamp': seconds };
  return isValidSlackRequest({ signingSecret, body, headers: signed, nowMilliseconds: now }) ? null : 'wrong-signature';
}

const Body = z.record(z.string(), z.unknown());

/** Events are JSON, a command is a form with its fields, an interaction a form whose `payload` is JSON. */
function bodyOf({ headers, body }: PostedRequest): Record<string, unknown> | null {
  if (!isForm(headers)) return parsed(body);
  const form = Object.fromEntries(new URLSearchParams(body));
  return form.payload === undefined ? form : parsed(form.payload);
}

function parsed(json: string): Record<string, unknown> | null {
  try {
    return Body.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    // Signed but not JSON: refused as unreadable.
    return null;
  }
}

function isForm(headers: IncomingHttpHeaders): boolean {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() === FORM;
}

/** Its ID is the signature, which is only the same for the same body in the same second. */
function deliveryOf({ headers }: PostedRequest, body: Record<string, unknown>) {
  const retryNum = Number(headers['x-slack-retry-num']);
  return {
    id: String(headers['x-slack-signature']),
    type: typeOf(body),
    body,
    retryNum: Number.isInteger(retryNum) ? retryNum : undefined,
    retryReason: one(headers['x-slack-retry-reason']),
  };
}

function typeOf(body: Record<string, unknown>): SlackDelivery['type'] {
  if ('event' in body) return 'events_api';
  return 'command' in body ? 'slash_commands' : 'interactive';
}

function one(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
