import { describe, expect, test } from 'vitest';
import { InputError } from '../lib/errors.ts';
import { ALL_FAILURES, typedFilter } from './filter.ts';

describe('a typed filter', () => {
  test('matches all where nothing was typed', () => {
    expect(typedFilter({})).toEqual(ALL_FAILURES);
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
  });
});
