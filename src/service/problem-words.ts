import type { Environment } from '../lib/environment.ts';
import type { Explanation } from '../lib/errors.ts';
import { describeDuration } from '../lib/time/durations.ts';
import type { ServiceError, ServiceProblem } from './service-error.ts';

const RETRY = 'try again in a minute';
const OWNERS = "contact the service's owners";

type Problem = ServiceProblem | { kind: ServiceProblem['kind'] | 'not-running' };

/** Why it failed, what may help at once, and what helps if it persists. URL, KEY and POLL stand for environment variables. */
type ProblemReason = readonly [why: string, step: string | null, lastingStep: string | null];
const PROBLEM_REASONS: Record<Problem['kind'], ProblemReason> = {
  'not-running': ["Notif wasn't running", null, null],
  refused: ['it refused the request', 'change the request', OWNERS],
  'key-refused': ['the API key was refused', null, 'check KEY and its permissions'],
  'other-environment': [
    "its API key is another environment's",
    null,
    'check KEY; an environment that was set up anew needs a new name in NOTIF_ENVIRONMENTS',
  ],
  'beyond-plan': ["its plan didn't allow this", null, "check the plan's limits, and how far back it reaches"],
  'rate-limited': ['its rate limit was used up', null, 'raise POLL or get a larger plan'],
  'service-error': ['it reported an error of its own', RETRY, OWNERS],
  gateway: [
    'a gateway or proxy answered in its place',
    RETRY,
    'check the service, the gateway, VPN or proxy on the way to it, and URL',
  ],
  unreadable: [
    "its response didn't follow its contract",
    null,
    `check that URL leads to a Notification Service; if it does, ${OWNERS}`,
  ],
  'timed-out': ["it didn't answer in time", RETRY, OWNERS],
  unreachable: ['there was no connection to it', RETRY, 'check that the service runs, the network and URL'],
  busy: ['too many requests were queued', RETRY, null],
};

const CONNECTIONS: readonly (readonly [code: RegExp, ...ProblemReason])[] = [
  [/^(ENOTFOUND|EAI_)/, "its name isn't known to DNS", RETRY, 'check the name in URL, and DNS'],
  [/^ECONNREFUSED/, 'it refused the connection', RETRY, 'check that the service runs, and the port in URL'],
  [/^(EPROTO|ERR_SSL)/, "it doesn't speak TLS", null, 'check https and the port in URL'],
  [
    /^ERR_PROXY/,
    'the proxy let nothing through',
    null,
    'check HTTPS_PROXY and HTTP_PROXY, or name its host in NO_PROXY',
  ],
  [
    /CERT|TLS|^UNABLE_TO_VERIFY/,
    "its certificate isn't trusted",
    null,
    'check URL; for a CA of your own, set NODE_EXTRA_CA_CERTS',
  ],
];

const WRONG_ADDRESS: ProblemReason = [
  'there is no Notification Service at this address',
  null,
  "check URL, which has no /v1 at its end; if it's right, check the gateway, VPN or proxy on the way to it",
];

/** Problems of these kinds don't carry their HTTP status. */
const STATUSES: { [Kind in Problem['kind']]?: number } = { 'rate-limited': 429, 'beyond-plan': 402 };

export const WEB_PAGE = 'a web page';

/** What answers there has no such path, sends people elsewhere, or shows them a page. */
function isOfAnother(problem: Problem): boolean {
  if (problem.kind === 'gateway' && 'status' in problem) return problem.status === 404 || problem.status < 400;
  return problem.kind === 'unreadable' && 'wrong' in problem && problem.wrong === WEB_PAGE;
}

function reasonOf(problem: Problem): ProblemReason {
  if (isOfAnother(problem)) return WRONG_ADDRESS;
  const code = 'code' in problem ? (problem.code ?? '') : '';
  const [, ...reason] = CONNECTIONS.find(([pattern]) => pattern.test(code)) ?? [null, ...PROBLEM_REASONS[problem.kind]];
  return reason;
}

const statusOf = (problem: Problem): number | undefined =>
  'status' in problem ? problem.status : STATUSES[problem.kind];

const WRITES = {
  triggerEvents: { act: 'send the test to', subject: 'The test' },
  updateCredentials: { act: 'update the credentials in', subject: 'The credentials update' },
};

export type WriteName = keyof typeof WRITES;

const isWrite = (operation: string): operation is WriteName => Object.hasOwn(WRITES, operation);

export function failedRequest(error: ServiceError, environment: Environment): Explanation {
  const { problem, operation, outcomeUnknown } = error;
  const [, step, lastingStep] = reasonOf(problem);
  const why = whyOf(problem);
  const { act, subject } = isWrite(operation) ? WRITES[operation] : { act: 'read from', subject: null };
  if (subject !== null && outcomeUnknown) {
    const maybe = `${subject} may or may not have gone through.`;
    return { what: `No clear answer from ${environment.label}: ${why}. ${maybe}`, next: 'Check before you retry.' };
  }
  const first = problem.kind === 'rate-limited' ? `try again in ${describeDuration(problem.retryAfterMs)}` : step;
  const steps = [first, lastingStep].filter((each) => each !== null).join('; if it persists, ');
  return { what: `Couldn't ${act} ${environment.label}: ${why}.`, next: sentence(steps, environment) };
}

function factsOf(problem: Problem): string {
  const message = 'message' in problem ? (problem.message ?? '').trim().replace(/\.+$/, '') : '';
  const facts = [
    statusOf(problem),
    'errorId' in problem && problem.errorId !== null ? `error ID ${problem.errorId}` : null,
    'wrong' in problem ? problem.wrong : null,
    'code' in problem ? problem.code : null,
    'namesake' in problem ? problem.namesake : null,
  ].filter((fact) => fact != null);
  const inBrackets = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  return message === '' ? inBrackets : `${inBrackets}: ${message}`;
}

type Variables = Pick<Environment, 'apiUrlVariable' | 'apiKeyVariable'> & { pollVariable?: string };

function sentence(steps: string, { apiUrlVariable, apiKeyVariable, pollVariable }: Variables): string {
  const names = { URL: apiUrlVariable, KEY: apiKeyVariable, POLL: pollVariable ?? 'NOTIF_POLL_SECONDS' };
  const named = steps.replace(/\b(?:URL|KEY|POLL)\b/g, (what) => names[what as keyof typeof names]);
  return named === '' ? '' : `${named.charAt(0).toUpperCase()}${named.slice(1)}.`;
}

/** Of a problem that persists: without what may help at once. */
export function lastingProblem(problem: Problem, variables: Variables): { why: string; next: string } {
  const [, , lastingStep] = reasonOf(problem);
  return { why: whyOf(problem), next: sentence(lastingStep ?? '', variables) };
}

/** Excludes the service's own words, since a channel sees this. */
export function briefWhy(problem: ServiceProblem): { headline: string; text: string } {
  const [headline] = reasonOf(problem);
  const status = statusOf(problem);
  return { headline, text: status === undefined ? headline : `${headline} (${status})` };
}

export const whyOf = (problem: Problem): string => `${reasonOf(problem)[0]}${factsOf(problem)}`;
