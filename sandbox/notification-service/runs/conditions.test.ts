import { describe, expect, test } from 'vitest';
import type { StepFilter } from '../entities.ts';
import { allow, type Facts } from './steps.ts';

const facts: Facts = { payload: { amount: 20, plan: 'pro', tags: ['a', 'b'] }, subscriber: { locale: 'de' } };
const part = (field: string, operator: string, value: string, on: 'payload' | 'subscriber' = 'payload') => ({
  ...{ field, operator, value, on },
});
const filter = (change: Partial<StepFilter>): StepFilter => ({
  ...{ isNegated: false, type: 'GROUP', value: 'AND', children: [] },
  ...change,
});

describe('conditions', () => {
  test.each([
    ['plan', 'EQUAL', 'pro', 'free'],
    ['plan', 'NOT_EQUAL', 'free', 'pro'],
    ['amount', 'LARGER', '19', '20'],
    ['amount', 'LARGER_EQUAL', '20', '21'],
    ['amount', 'SMALLER', '21', '20'],
    ['amount', 'SMALLER_EQUAL', '20', '19'],
    ['amount', 'BETWEEN', '10, 20', '21, 30'],
    ['amount', 'NOT_BETWEEN', '21, 30', '10, 20'],
    ['plan', 'LIKE', 'pr', 'fr'],
    ['plan', 'NOT_LIKE', 'fr', 'pr'],
    ['plan', 'IN', 'free, pro', 'free'],
    ['plan', 'NOT_IN', 'free', 'free, pro'],
    ['tags', 'ANY_IN', 'b, c', 'c'],
    ['tags', 'ALL_IN', 'a, b, c', 'a, c'],
  ])('compare %s by %s: with %j true, with %j false', (field, operator, right, wrong) => {
    expect(allow([filter({ children: [part(field, operator, right)] })], facts)).toBe(true);
    expect(allow([filter({ children: [part(field, operator, wrong)] })], facts)).toBe(false);
  });

  test('are joined by AND or OR, negated, and all must allow a step', () => {
    const [yes, no] = [part('plan', 'EQUAL', 'pro'), part('locale', 'EQUAL', 'en', 'subscriber')];
    expect(allow([filter({ children: [yes, no] })], facts)).toBe(false);
    expect(allow([filter({ value: 'OR', children: [yes, no] })], facts)).toBe(true);
    expect(allow([filter({ isNegated: true, children: [no] })], facts)).toBe(true);
    expect(allow([filter({ children: [yes] }), filter({ children: [no] })], facts)).toBe(false);
  });

  test('let a step run if nothing is known about their fields', () => {
    expect(allow([filter({}), filter({ children: [part('missing', 'EQUAL', 'x')] })], facts)).toBe(true);
    expect(allow([filter({ isNegated: true, children: [part('missing', 'EQUAL', 'x')] })], facts)).toBe(true);
    expect(allow([filter({ children: [part('plan', 'SOUNDS_LIKE', 'x')] })], facts)).toBe(true);
  });
});
