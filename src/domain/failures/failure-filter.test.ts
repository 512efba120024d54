import { describe, expect, test } from 'vitest';
import { aFailedEvent, at } from '../service/event.testing.ts';
import { MOST_ID_BYTES } from '../text/bounded-id.ts';
import { ALL_FAILURES, asKept, matcherOf } from './failure-filter.ts';
import { judge } from './judge.ts';

describe('a filter as stored', () => {
  const typed = {
    ...ALL_FAILURES,
    workflows: ['Order-Shipped'],
    subscribers: ['anna@example.com', 'user-1', 'x'.repeat(MOST_ID_BYTES + 1)],
    contexts: ['user:anna@example.com', 'tenant:acme'],
    tags: ['Anna@example.com', 'beta'],
  };

  test('has masked contacts, and nothing else changed', () => {
    const kept = asKept(typed);
    expect(JSON.stringify(kept)).not.toMatch(/anna/i);
    expect(kept).toEqual({
      ...typed,
      subscribers: [expect.stringContaining('•'), 'user-1', expect.stringMatching(/^x+…/)],
      contexts: [expect.stringContaining('•'), 'tenant:acme'],
      tags: [expect.stringContaining('•'), 'beta'],
    });
  });

  test('stays the same when stored again', () => {
    const kept = asKept(typed);
    expect(asKept(kept)).toEqual(kept);
  });
});

describe('a filter of failures', () => {
  const [failure] = judge(aFailedEvent({ workflow: null, contextKeys: ['tenant:acme', 'region:eu'] }), at(60)).failures;
  if (failure === undefined) throw new Error('The event has no failure.');

  test('by a name matches no failure without one', () => {
    for (const name of ['null', '', 'order-shipped'])
      expect(matcherOf({ ...ALL_FAILURES, workflows: [name] })(failure)).toBe(false);
  });

  test('is met by any of several values, with each of its conditions met', () => {
    const contexts = ['region:us', 'region:eu'];
    expect(matcherOf({ ...ALL_FAILURES, contexts })(failure)).toBe(true);
    expect(matcherOf({ ...ALL_FAILURES, contexts, channels: ['EMAIL'] })(failure)).toBe(true);
    expect(matcherOf({ ...ALL_FAILURES, contexts, channels: ['sms'] })(failure)).toBe(false);
    expect(matcherOf(ALL_FAILURES)(failure)).toBe(true);
  });
});
