import { expect, test } from 'vitest';
import { InputError, mayBeAboutTheRequest, type ServiceProblem, withExample } from './errors.ts';

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

test("an example follows what is wrong with a form's field, on one line", () => {
  expect(withExample(new InputError('rows', 'There is no row.', 'user-1\nuser-2'))).toBe(
    'There is no row. For example: user-1, user-2',
  );
  expect(withExample(new InputError('rows', 'There is no row.'))).toBe('There is no row.');
});
