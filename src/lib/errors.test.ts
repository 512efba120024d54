import { describe, expect, test } from 'vitest';
import {
  eventGone,
  InputError,
  MembershipUnknownError,
  mayBeAboutTheRequest,
  NotAuthorizedError,
  NotOperatorError,
  OperatorsUnknownError,
  RefusedDataError,
  ServiceError,
  type ServiceProblem,
  withExample,
} from './errors.ts';

describe("a service's problem", () => {
  test.each<[ServiceProblem, boolean]>([
    [{ kind: 'refused', status: 422, message: '', fields: [] }, true],
    [{ kind: 'too-large', message: '' }, true],
    [{ kind: 'unreadable', status: 200, wrong: null }, true],
    [{ kind: 'timed-out', afterMs: 1 }, true],
    [{ kind: 'gateway', status: 500 }, true],
    [{ kind: 'key-refused', status: 401 }, false],
    [{ kind: 'rate-limited', retryAfterMs: 1 }, false],
    [{ kind: 'busy', waitedMs: 1 }, false],
  ])('may be due to the request or not: %j', (problem, mayBe) => {
    expect(mayBeAboutTheRequest(problem)).toBe(mayBe);
  });

  test('is in the message of its error, with the operation and the environment, and keeps its cause', () => {
    const cause = new Error('ECONNRESET');
    const error = new ServiceError('production', 'listEvents', { kind: 'unreachable' }, { cause });
    expect(error).toMatchObject({
      name: 'ServiceError',
      message: 'listEvents in production: unreachable',
      cause,
      outcomeUnknown: false,
    });
    const write = new ServiceError('production', 'trigger', { kind: 'unreachable' }, { outcomeUnknown: true });
    expect(write.outcomeUnknown).toBe(true);
  });
});

describe('an error', () => {
  const cause = new Error('the cause');

  test.each<[Error, string, string]>([
    [new ServiceError('production', 'getEvent', { kind: 'busy', waitedMs: 1 }), 'ServiceError', 'production'],
    [new InputError('env', 'There is no such environment.'), 'InputError', 'no such environment'],
    [new NotOperatorError(true), 'NotOperatorError', 'not an operator'],
    [new NotAuthorizedError('guest', true), 'NotAuthorizedError', 'not for a guest'],
    [new MembershipUnknownError(cause), 'MembershipUnknownError', "couldn't check whether somebody is a member"],
    [new OperatorsUnknownError(cause), 'OperatorsUnknownError', "couldn't check whether somebody is an operator"],
    [new RefusedDataError('22021', cause), 'RefusedDataError', 'the store refused the data: 22021'],
  ])('is called by its class in the log, with what happened: %s', (error, name, message) => {
    expect(error.name).toBe(name);
    expect(error.message).toContain(message);
  });

  test.each([
    new MembershipUnknownError(cause),
    new OperatorsUnknownError(cause),
    new RefusedDataError('22021', cause),
  ])('keeps its cause: %s', (error) => {
    expect(error.cause).toBe(cause);
  });

  test('about an event that is gone says what may have happened to it', () => {
    expect(eventGone()).toMatchObject({
      field: 'event',
      message: 'The service no longer has this event.',
      example: null,
      next: 'It may be past retention.',
    });
  });
});

test("an example follows what is wrong with a form's field, on one line", () => {
  expect(withExample(new InputError('rows', 'There is no row.', 'user-1\nuser-2'))).toBe(
    'There is no row. For example: user-1, user-2',
  );
  expect(withExample(new InputError('rows', 'There is no row.'))).toBe('There is no row.');
});
