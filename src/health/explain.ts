import type { Environment } from '../lib/environment.ts';
import { type Explanation, OVERSIZED, problemAt, ServiceError } from '../lib/errors.ts';
import { DAY_MS, MINUTE_MS } from '../lib/time/durations.ts';
import { describeDuration } from '../lib/time/time-range.ts';
import type { GapCause } from '../polling/gap.ts';
import type { EnvironmentHealth } from './reading.ts';
import type { EnvironmentStatus } from './status.ts';

/** Explains what happened to a request to the Notification Service, and what to do next: an entry for each row of the field notes. */
export function explainServiceProblem(error: ServiceError, environment: Environment): Explanation {
  const [why, next] = reasonFor(error, environment);
  const [act = 'read from', subject] = WRITES[error.operation] ?? [];
  if (subject === undefined || !error.outcomeUnknown)
    return { what: `Couldn't ${act} ${environment.label}: ${why}.`, next };
  const maybe = `${subject} may or may not have gone through.`;
  return { what: `No clear answer from ${environment.label}: ${why}. ${maybe}`, next: 'Check before you retry.' };
}

const WRITES: { readonly [operation: string]: readonly [act: string, subject: string, shorten: string] | undefined } = {
  triggerEvents: ['send the test to', 'The test', 'Shorten the payload, or send fewer rows at once.'],
  updateCredentials: ['update the credentials in', 'The credentials update', 'Shorten the credentials.'],
};

const OWNERS = "contact the service's owners";
const IN_A_MINUTE = 'Try again in a minute.';

/** `why` continues a sentence, without a full stop; `next` is one or two sentences. */
type Reason = readonly [why: string, next: string];

function reasonFor(
  { problem, operation }: ServiceError,
  { apiUrlVariable: url, apiKeyVariable: key }: Environment,
): Reason {
  const shorten = WRITES[operation]?.[2];
  const words = 'message' in problem ? said(problem.message) : '';
  const status = 'status' in problem ? problem.status : null;
  switch (problem.kind) {
    case 'refused': {
      const fix =
        problem.fields.length === 0 ? 'Change the request and try again.' : `Check ${problem.fields.join(', ')}.`;
      return [`it refused the request (${status})${words}`, fix];
    }
    case 'key-refused':
      if (status === 403) return [`the API key doesn't allow this (403)${words}`, `Check the permissions of ${key}.`];
      return [`the API key was refused (${status})`, `Check ${key}.`];
    case 'beyond-plan':
      // Only this operation asks for a period.
      if (operation !== 'listEvents') return [`its plan doesn't allow this (402)${words}`, "Check the plan's limits."];
      return [`the period asked for is beyond what its plan keeps (402)${words}`, 'Ask for a more recent period.'];
    case 'still-running': {
      const next = shorten === undefined ? IN_A_MINUTE : 'Wait a minute, then check whether it went through.';
      return ['the same request is still running there (409)', next];
    }
    case 'too-large':
      return [`the request is larger than it takes (413)${words}`, shorten ?? 'Ask for less: fewer or shorter values.'];
    case 'rate-limited': {
      const bulk = ' A trigger costs as much of it as 100 other requests, however many events are in it.';
      const next = `${again(problem.retryAfterMs)}${operation === 'triggerEvents' ? bulk : ''}`;
      return ['its rate limit is used up (429)', next];
    }
    case 'service-error': {
      const id = problem.errorId === null ? '' : `, error ID ${problem.errorId}`;
      return [`it reported an error of its own (${status}${id})`, `Try again in a minute; if it persists, ${OWNERS}.`];
    }
    case 'gateway': {
      if (problem.status >= 500) return [`a gateway in front of it answered instead (${status})`, IN_A_MINUTE];
      const isRefusal = status === 401 || status === 403;
      if (!isRefusal) return [`something else answered at its address (${status})`, `Check ${url}.`];
      const next = `Check ${url}, and the firewall, VPN or sign-in proxy on the way to it.`;
      return [`something in front of it refused the request (${status})`, next];
    }
    case 'unreadable': {
      const { wrong } = problem;
      const check = `Check ${url}; if it's right, ${OWNERS}.`;
      if (wrong === null) return [`the response (${status}) isn't from a Notification Service`, check];
      const what = wrong === OVERSIZED ? `has ${OVERSIZED}` : `doesn't follow its contract (${wrong})`;
      return [
        `its response (${status}) ${what}`,
        `Report it to the service's owners, if ${url} is the service's address.`,
      ];
    }
    case 'no-progress': {
      const why = `its list announces more events, but repeats the same ones (${problem.pages} pages)`;
      return [why, "Try a shorter period; if it persists, report it to the service's owners."];
    }
    case 'timed-out':
      return [`it didn't answer within ${seconds(problem.afterMs)}`, IN_A_MINUTE];
    case 'unreachable':
      return ['there is no connection to it', `Try again in a minute; if it persists, check ${url} and the network.`];
    case 'busy':
      return [`too many requests queued (waited ${seconds(problem.waitedMs)})`, 'Try again in a moment.'];
  }
}

/** Returns the service's own words without their full stop, since the surrounding sentence has one. */
function said(message = ''): string {
  const words = message.trim().replace(/\.+$/, '');
  return words === '' ? '' : `: ${words}`;
}

function again(waitMs: number): string {
  const wait = waitMs <= 2 * MINUTE_MS ? seconds(waitMs) : describeDuration(waitMs);
  // Longer than any rate limit's window: a date by a wrong clock, or a number in another unit.
  if (waitMs > DAY_MS) return `Try again in a few minutes: it asks to wait for ${wait}, which may not be meant.`;
  return `Try again in ${wait}.`;
}

function seconds(ms: number): string {
  return `${Math.max(1, Math.ceil(ms / 1_000))} s`;
}

type Variables = Pick<Environment, 'apiUrlVariable' | 'apiKeyVariable'>;

/** Explains what kept an environment from being read, of which a gap knows only the kind. `next` is null if it passes by itself. */
export function explainGap(cause: GapCause, { apiUrlVariable: url, apiKeyVariable: key }: Variables) {
  const report = "If it persists, report it to the service's owners.";
  const reasons: Readonly<Record<GapCause, readonly [why: string, next: string | null]>> = {
    'not-running': ["Notif wasn't running", null],
    'key-refused': ["the API key was refused, or doesn't allow this", `Check ${key}. ${DETAILS}`],
    'beyond-plan': ["that time is past the plan's retention (402)", null],
    refused: ['the service refused the request', "Contact the people who run Notif: its log has the service's words."],
    'too-large': ['the request was too large for the service (413)', 'Contact the people who run Notif.'],
    'still-running': ['the service said that the same request is running (409)', null],
    'rate-limited': ["the service's rate limit was used up (429)", 'Raise NOTIF_POLL_SECONDS, or get a larger plan.'],
    'service-error': ['the service reported an error of its own', `If it persists, ${OWNERS}.`],
    gateway: ['a gateway in front of the service answered instead', `If it persists, ${OWNERS}, or check ${url}.`],
    unreadable: ["the service's responses couldn't be read", DETAILS],
    'no-progress': ["the service's list repeated the same events", report],
    'timed-out': ["the service didn't answer in time", `If it persists, ${OWNERS}.`],
    unreachable: ['there was no connection to the service', `Check ${url} and the network.`],
    busy: ['too many requests to the service were queued', null],
  };
  const [why, next] = reasons[cause];
  return { why, next };
}

const DETAILS = 'Run /notif status for details.';
const STUCK = 'If it persists, look for "Loop failed" or "Loop timed out" in the log, then restart Notif.';
const RESUMES =
  "It resumes by itself once the database accepts changes. Don't restart Notif: it may not start, and lookups would stop too.";

const REASONS = `For the reasons, search the log for "couldn't be read" and "Event could not be recorded".`;

type Read = Pick<EnvironmentStatus, 'environment' | 'condition' | 'health'>;

/** Returns what is wrong with the reading of an environment, and what to do ('' if it recovers by itself). Null if nothing is wrong. */
export function explainReading({ environment, condition, health }: Read, at: Date): Explanation | null {
  const lastMs = health?.lastSuccessAt ? at.getTime() - health.lastSuccessAt.getTime() : null;
  const last = lastMs === null ? '' : ` Last success ${describeDuration(lastMs)} ago.`;
  if (condition === 'waits-for-store') return { what: `Polling waits for the database.${last}`, next: RESUMES };
  if (health === null) return null;
  const { openGaps, uncheckedMs, behindMs, unreadable, notRecoveredMs } = health;
  switch (condition) {
    case 'failing':
      return explainFailing(health, environment, at);
    case 'silent':
      return { what: `Polling has stalled without an error.${last}`, next: STUCK };
    case 'catching-up': {
      const gaps = openGaps === 1 ? '1 gap' : `${openGaps} gaps`;
      return { what: `${gaps}: ${describeDuration(uncheckedMs)} still to be checked.`, next: '' };
    }
    case 'late': {
      const behind = `Checks for late failures are ${describeDuration(behindMs)} behind`;
      return { what: `${behind}; they catch up when the rate limit allows.`, next: '' };
    }
    case 'incomplete': {
      const events = unreadable === 0 ? [] : [unreadable === 1 ? '1 event' : `${unreadable} events`];
      const all = [...events, ...(notRecoveredMs === 0 ? [] : [describeDuration(notRecoveredMs)])].join(' and ');
      return { what: `${all} of the last day couldn't be read: failures there aren't reported.`, next: REASONS };
    }
    default:
      return null;
  }
}

function explainFailing(health: EnvironmentHealth, environment: Environment, at: Date): Explanation {
  const { failingSince, lastPollAt, problem: met } = health;
  const problem = met && problemAt(at, met, lastPollAt);
  const since = failingSince === null ? '' : ` for ${describeDuration(at.getTime() - failingSince.getTime())}`;
  if (problem === null) return { what: `Every poll has failed${since}.`, next: '' };
  const { what, next } = explainServiceProblem(new ServiceError(environment.name, 'listEvents', problem), environment);
  const isPauseOver = problem.kind === 'rate-limited' && problem.retryAfterMs === 0;
  const explained = since === '' ? what : `${what} Failing${since}.`;
  return { what: explained, next: isPauseOver ? 'Notif tries again at its next poll.' : next };
}
