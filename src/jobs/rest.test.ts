import { expect, test } from 'vitest';
import { ServiceError } from '../domain/errors.ts';
import { createRest } from './rest.ts';

const SECOND_MS = 1_000;

function limited(retryAfterMs: number): ServiceError {
  return new ServiceError('production', 'listEvents', { kind: 'rate-limited', retryAfterMs });
}

test('rests for as long as a rate limit asks, and at most five minutes', () => {
  let now = 0;
  const rest = createRest(() => new Date(now));
  expect(rest.after(limited(3 * SECOND_MS))).toBe(3 * SECOND_MS);
  now = 2_999;
  expect(rest.isResting()).toBe(true);
  expect(rest.leftMs()).toBe(1);
  now = 3_000;
  expect(rest.isResting()).toBe(false);
  expect(rest.leftMs()).toBe(0);
  expect(rest.after(limited(86_400 * SECOND_MS))).toBe(300 * SECOND_MS);
});

test("doesn't rest after other errors", () => {
  const rest = createRest(() => new Date(0));
  expect(rest.after(new ServiceError('production', 'listEvents', { kind: 'unreachable' }))).toBe(0);
  expect(rest.isResting()).toBe(false);
});

test('ends if the clock was set back by more than it can last', () => {
  let now = 10 * 3_600 * SECOND_MS;
  const rest = createRest(() => new Date(now));
  rest.after(limited(60 * SECOND_MS));
  now -= 3_600 * SECOND_MS;
  expect(rest.isResting()).toBe(false);
});
