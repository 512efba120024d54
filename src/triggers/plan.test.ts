import { describe, expect, test } from 'vitest';
import { type JsonObject, Payload } from '../lib/text/payload.ts';
import { needsPreview, parseRecipients, planTrigger } from './plan.ts';

function planned(text: string, advanced: JsonObject = {}) {
  const filled = { environment: 'production', workflow: 'order-shipped', rows: parseRecipients(text) };
  return planTrigger({
    ...filled,
    payload: new Payload({ orderId: '', total: 5 }),
    advanced: new Payload(advanced),
  });
}

describe('planning a trigger', () => {
  test("overrides the common payload with a row's own", () => {
    const { events } = planned('user-1\nuser-2 {"orderId": "A-17"}');
    expect(events.map(({ payload }) => payload.forTrigger())).toEqual([
      { orderId: '', total: 5 },
      { orderId: 'A-17', total: 5 },
    ]);
  });

  test('counts an identical row once, and accepts several different ones per subscriber', () => {
    const { events } = planned('user-1 {"a": 1}\nuser-2\nuser-1 {"a": 2}\nuser-2\nuser-1 {"a": 1}');
    expect(events.map(({ subscriberId }) => subscriberId)).toEqual(['user-1', 'user-2', 'user-1']);
  });

  test('counts a row once whose payload becomes that of another, whatever the order of its keys', () => {
    const count = (text: string) => planned(text).events.length;
    expect(count('user-1\nuser-1 {"total": 5}\nuser-1 {"total": 5, "orderId": ""}')).toBe(1);
    expect(count('user-1 {"a": {"b": 1, "c": 2}}\nuser-1 {"a": {"c": 2, "b": 1}}')).toBe(1);
    expect(count('user-1\nuser-1 {"total": "5"}')).toBe(2);
  });

  test('accepts up to a hundred rows', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`).join('\n');
    expect(planned(ids(100)).events).toHaveLength(100);
    expect(() => planned(ids(101))).toThrow('101 rows, but at most 100 at once.');
  });
});

test('a preview is required for several events, for a profile and in a protected environment', () => {
  const [open, locked] = [{ isProtected: false }, { isProtected: true }];
  expect(needsPreview(planned('user-1'), open)).toBe(false);
  expect(needsPreview(planned('user-1\nuser-2'), open)).toBe(true);
  expect(needsPreview(planned('user-1', { profile: { locale: 'en' } }), open)).toBe(true);
  expect(needsPreview(planned('user-1'), locked)).toBe(true);
});
