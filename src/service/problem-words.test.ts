import { expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import { briefWhy, failedRequest } from './problem-words.ts';
import { ServiceError, type ServiceProblem } from './service-error.ts';

const production = anEnvironment();
const CHECK_ADDRESS =
  "Check NOTIF_PRODUCTION_API_URL, which has no /v1 at its end; if it's right, check the gateway, VPN or proxy on the way to it.";

test.each<[problem: ServiceProblem, why: string, next: string]>([
  [
    { kind: 'refused', status: 422, message: 'limit: invalid; page: invalid.' },
    'it refused the request (422): limit: invalid; page: invalid.',
    "Change the request; if it persists, contact the service's owners.",
  ],
  [
    { kind: 'key-refused', status: 403, message: 'This address is not on the allow list' },
    'the API key was refused (403): This address is not on the allow list.',
    'Check NOTIF_PRODUCTION_API_KEY and its permissions.',
  ],
  [
    { kind: 'rate-limited', retryAfterMs: 5_000 },
    'its rate limit was used up (429).',
    'Try again in 5 s; if it persists, raise NOTIF_POLL_SECONDS or get a larger plan.',
  ],
  [
    { kind: 'unreadable', status: 200, wrong: 'transactionId: expected string' },
    "its response didn't follow its contract (200, transactionId: expected string).",
    "Check that NOTIF_PRODUCTION_API_URL leads to a Notification Service; if it does, contact the service's owners.",
  ],
  [
    { kind: 'unreachable', code: 'ECONNREFUSED' },
    'it refused the connection (ECONNREFUSED).',
    'Try again in a minute; if it persists, check that the service runs, and the port in NOTIF_PRODUCTION_API_URL.',
  ],
  [
    { kind: 'unreachable', code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
    "its certificate isn't trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE).",
    'Check NOTIF_PRODUCTION_API_URL; for a CA of your own, set NODE_EXTRA_CA_CERTS.',
  ],
  [
    { kind: 'unreachable', code: 'ERR_PROXY proxy.example.com:3128 407' },
    'the proxy let nothing through (ERR_PROXY proxy.example.com:3128 407).',
    'Check HTTPS_PROXY and HTTP_PROXY, or name its host in NO_PROXY.',
  ],
  [{ kind: 'gateway', status: 404 }, 'there is no Notification Service at this address (404).', CHECK_ADDRESS],
  [{ kind: 'gateway', status: 302 }, 'there is no Notification Service at this address (302).', CHECK_ADDRESS],
  [
    { kind: 'unreadable', status: 200, wrong: 'a web page' },
    'there is no Notification Service at this address (200, a web page).',
    CHECK_ADDRESS,
  ],
])('a problem of the service says why nothing was read, and what to do about it: %o', (problem, why, next) => {
  const error = new ServiceError('production', 'listEvents', problem);
  expect(failedRequest(error, production)).toEqual({ what: `Couldn't read from production: ${why}`, next });
});

test.each<[problem: ServiceProblem, headline: string, code: string]>([
  [{ kind: 'key-refused', status: 401, message: 'secret' }, 'the API key was refused', ' (401)'],
  [{ kind: 'rate-limited', retryAfterMs: 1 }, 'its rate limit was used up', ' (429)'],
  [{ kind: 'beyond-plan', message: 'secret' }, "its plan didn't allow this", ' (402)'],
  [{ kind: 'timed-out' }, "it didn't answer in time", ''],
])('a channel is told why once, with its code: %o', (problem, headline, code) => {
  expect(briefWhy(problem)).toEqual({ headline, text: `${headline}${code}` });
});

test('a rate limit that lasts longer is said in minutes', () => {
  const error = new ServiceError('production', 'listEvents', { kind: 'rate-limited', retryAfterMs: 5_400_000 });
  expect(failedRequest(error, production).next).toContain('Try again in 90 min;');
});

test.each([
  ['triggerEvents', "Couldn't send the test to production", 'The test'],
  ['updateCredentials', "Couldn't update the credentials in production", 'The credentials update'],
])("%s that failed claims neither success nor failure if its outcome isn't known", (operation, failed, subject) => {
  const explained = (outcomeUnknown: boolean) =>
    failedRequest(new ServiceError('production', operation, { kind: 'timed-out' }, { outcomeUnknown }), production);
  expect(explained(false).what).toBe(`${failed}: it didn't answer in time.`);
  expect(explained(true)).toEqual({
    what: `No clear answer from production: it didn't answer in time. ${subject} may or may not have gone through.`,
    next: 'Check before you retry.',
  });
});

test('a variable keeps its name, whatever is in that of its environment', () => {
  const turkey = anEnvironment({ apiUrlVariable: 'NOTIF_TURKEY_API_URL', apiKeyVariable: 'NOTIF_TURKEY_API_KEY' });
  const error = new ServiceError('turkey', 'listEvents', { kind: 'gateway', status: 404 });
  expect(failedRequest(error, turkey).next).toContain('NOTIF_TURKEY_API_URL');
});
