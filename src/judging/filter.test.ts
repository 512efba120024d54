import { describe, expect, test } from 'vitest';
import { InputError } from '../lib/errors.ts';
import { MOST_ID_BYTES } from '../lib/text/shown-id.ts';
import { ALL_FAILURES, storableFilter, typedFilter } from './filter.ts';

describe('a filter as stored', () => {
  const typed = {
    ...ALL_FAILURES,
    workflows: ['Order-Shipped'],
    subscribers: ['anna@example.com', 'user-1', 'x'.repeat(MOST_ID_BYTES + 1)],
    contexts: ['user:anna@example.com', 'tenant:acme'],
    tags: ['Anna@example.com', 'beta'],
  };

  test('has masked contacts, and nothing else changed', () => {
    const kept = storableFilter(typed);
    expect(JSON.stringify(kept)).not.toMatch(/anna/i);
    expect(kept).toEqual({
      ...typed,
      subscribers: [expect.stringContaining('•'), 'user-1', expect.stringMatching(/^x+…/)],
      contexts: [expect.stringContaining('•'), 'tenant:acme'],
      tags: [expect.stringContaining('•'), 'beta'],
    });
  });

  test('stays the same when stored again', () => {
    const kept = storableFilter(typed);
    expect(storableFilter(kept)).toEqual(kept);
  });
});

describe('a typed filter', () => {
  test('matches all where nothing was typed', () => {
    expect(typedFilter({})).toEqual(ALL_FAILURES);
  });

  test('has contacts as they are stored, which is what they are compared with', () => {
    const typed = typedFilter({
      subscriber: ['anna@example.com', 'alex@example.com'],
      context: ['user:anna@example.com'],
    });
    expect(typed).toMatchObject({ subscribers: ['a•••@example.com'], contexts: [expect.not.stringContaining('anna')] });
  });

  test('has values as they are meant', () => {
    const typed = typedFilter({
      channel: ['In-App'],
      severity: ['High'],
      verdict: ['partly failed'],
      workflow: ['Order'],
    });
    expect(typed).toMatchObject({
      channels: ['in_app'],
      severities: ['high'],
      verdicts: ['partly-failed'],
      workflows: ['Order'],
    });
  });

  test('has each value once, however often and in whatever form it was typed', () => {
    const typed = typedFilter({ channel: ['in_app', 'in-app', 'email'], workflow: ['invoice', 'invoice', 'Invoice'] });
    expect(typed).toMatchObject({ channels: ['in_app', 'email'], workflows: ['invoice', 'Invoice'] });
  });

  test('refuses a verdict that there is none of', () => {
    expect(() => typedFilter({ verdict: ['broken'] })).toThrow(InputError);
    expect(() => typedFilter({ severity: ['Critical'] })).toThrow(InputError);
  });
});
