import { expect, test } from 'vitest';
import { mayBeAboutTheRequest, type ServiceProblem } from './service-error.ts';

test.each<[ServiceProblem, boolean]>([
  [{ kind: 'refused', status: 422, message: '' }, true],
  [{ kind: 'unreadable', status: 200, wrong: null }, true],
  [{ kind: 'timed-out' }, true],
  [{ kind: 'gateway', status: 500 }, true],
  [{ kind: 'key-refused', status: 401 }, false],
  [{ kind: 'rate-limited', retryAfterMs: 1 }, false],
  [{ kind: 'busy' }, false],
])("a service's problem may be due to the request or not: %j", (problem, mayBe) => {
  expect(mayBeAboutTheRequest(problem)).toBe(mayBe);
});
