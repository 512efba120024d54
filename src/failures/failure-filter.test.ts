import { describe, expect, test } from 'vitest';
import { MOST_ID_BYTES } from '../lib/text/shown-id.ts';
import { ALL_FAILURES, asKept } from './filter.ts';

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
