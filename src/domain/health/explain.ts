import type { Environment } from '../environment.ts';
import { type Explanation, OVERSIZED, type ServiceError } from '../errors.ts';
import { DAY_MS, MINUTE_MS } from '../time/durations.ts';
import { describeDuration } from '../time/time-range.ts';

/** Explains what happened to a request to the Notification Service, and what to do next: an entry for each row of the field notes. */
export function explainServiceProblem(error: ServiceError, environment: Environment): Explanation {
  const { why, next } = reasonFor(error, environment);
  const write = WRITES.get(error.operation);
  if (write === undefined) return { what: `Couldn't read from ${environment.label}: ${why}.`, next };
  if (!error.outcomeUnknown) return { what: `Couldn't ${write.act} ${environment.label}: ${why}.`, next };
  const maybe = `${write.subject} may or may not have gone through.`;
  return { what: `No clear answer from ${environment.label}: ${why}. ${maybe}`, next: LOOK_FIRST };
}

interface Write {
  readonly act: string;
  readonly subject: string;
  readonly shorten: string;
}

const WRITES: ReadonlyMap<string, Write> = new Map([
  [
    'triggerEvents',
    {
      act: 'send the test to',
      subject: 'The test',
      shorten: 'Shorten the payload, or send fewer rows at once.',
    },
  ],
  [
    'updateCredentials',
    { act: 'update the credentials in', subject: 'The credentials update', shorten: 'Shorten the credentials.' },
  ],
]);
/** The only operation that is asked for a period (contract, "List all events"). */
const WITH_PERIOD = 'listEvents';

/** Field notes, "Transport". */
const BULK_COST = ' A trigger costs as much of it as 100 other requests, however many events are in it.';
const LOOK_FIRST = 'Check before you retry.';

/** `why` continues a sentence, without a full stop; `next` is one or two sentences. */
interface Reason {
  readonly why: string;
  readonly next: string;
}

function reasonFor({ problem, operation }: ServiceError, environment: Environment): Reason {
  const { apiUrlVariable, apiKeyVariable } = environment;
  switch (problem.kind) {
    case 'refused':
      return {
        why: `it refused the request (${problem.status})${said(problem.message)}`,
        next: fixFor(problem.fields),
      };
    case 'key-refused':
      return problem.status === 403
        ? {
            why: `the API key doesn't allow this (403)${said(problem.message ?? '')}`,
            next: `Check the permissions of ${apiKeyVariable}.`,
          }
        : { why: `the API key was refused (${problem.status})`, next: `Check ${apiKeyVariable}.` };
    case 'beyond-plan':
      if (operation !== WITH_PERIOD) {
        return { why: `its plan doesn't allow this (402)${said(problem.message)}`, next: "Check the plan's limits." };
      }
      return {
        why: `the period asked for is beyond what its plan keeps (402)${said(problem.message)}`,
        next: 'Ask for a more recent period.',
      };
    case 'still-running':
      return {
        why: 'the same request is still running there (409)',
        next: WRITES.has(operation) ? 'Wait a minute, then check whether it went through.' : 'Try again in a minute.',
      };
    case 'too-large':
      return {
        why: `the request is larger than it takes (413)${said(problem.message)}`,
        next: WRITES.get(operation)?.shorten ?? 'Ask for less: fewer or shorter values.',
      };
    case 'rate-limited':
      return {
        why: 'its rate limit is used up (429)',
        next: `${again(problem.retryAfterMs)}${operation === 'triggerEvents' ? BULK_COST : ''}`,
      };
    case 'service-error':
      return {
        why: `it reported an error of its own (${problem.status}${problem.errorId === null ? '' : `, error ID ${problem.errorId}`})`,
        next: "Try again in a minute; if it persists, contact the service's owners.",
      };
    case 'gateway':
      return gatewayReason(problem.status, apiUrlVariable);
    case 'unreadable':
      if (problem.wrong !== null) {
        const wrong =
          problem.wrong === OVERSIZED ? `has ${OVERSIZED}` : `doesn't follow its contract (${problem.wrong})`;
        return {
          why: `its response (${problem.status}) ${wrong}`,
          next: `Report it to the service's owners, if ${apiUrlVariable} is the service's address.`,
        };
      }
      return {
        why: `the response (${problem.status}) isn't from a Notification Service`,
        next: `Check ${apiUrlVariable}; if it's right, contact the service's owners.`,
      };
    case 'no-progress':
      return {
        why: `its list announces more events, but repeats the same ones (${problem.pages} pages)`,
        next: "Try a shorter period; if it persists, report it to the service's owners.",
      };
    case 'timed-out':
      return { why: `it didn't answer within ${seconds(problem.afterMs)}`, next: 'Try again in a minute.' };
    case 'unreachable':
      return {
        why: 'there is no connection to it',
        next: `Try again in a minute; if it persists, check ${apiUrlVariable} and the network.`,
      };
    case 'busy':
      return {
        why: `too many requests queued (waited ${seconds(problem.waitedMs)})`,
        next: 'Try again in a moment.',
      };
  }
}

const SENT_AWAY = new Set([401, 403]);

function gatewayReason(status: number, apiUrlVariable: string): Reason {
  if (status >= 500) {
    return { why: `a gateway in front of it answered instead (${status})`, next: 'Try again in a minute.' };
  }
  if (!SENT_AWAY.has(status)) {
    return { why: `something else answered at its address (${status})`, next: `Check ${apiUrlVariable}.` };
  }
  return {
    why: `something in front of it refused the request (${status})`,
    next: `Check ${apiUrlVariable}, and the firewall, VPN or sign-in proxy on the way to it.`,
  };
}

/** Returns the service's own words without their full stop, since the surrounding sentence has one. */
function said(message: string): string {
  const words = message.trim().replace(/\.+$/, '');
  return words === '' ? '' : `: ${words}`;
}

function fixFor(fields: readonly string[]): string {
  return fields.length === 0 ? 'Change the request and try again.' : `Check ${fields.join(', ')}.`;
}

/** Longer than any rate limit's window: a date by a wrong clock, or a number in another unit. */
const NOT_MEANT_MS = DAY_MS;
const LONGEST_IN_SECONDS_MS = 2 * MINUTE_MS;

function again(waitMs: number): string {
  if (waitMs > NOT_MEANT_MS) {
    return `Try again in a few minutes: it asks to wait for ${describeDuration(waitMs)}, which may not be meant.`;
  }
  return `Try again in ${waitMs <= LONGEST_IN_SECONDS_MS ? seconds(waitMs) : describeDuration(waitMs)}.`;
}

function seconds(ms: number): string {
  return `${Math.max(1, Math.ceil(ms / 1_000))} s`;
}
