import { describe, expect, test } from 'vitest';
import { aWorkflow } from '../service/event.testing.ts';
import { suggestWorkflows, workflowNamed } from './workflows.ts';

const named = (identifier: string, name = identifier) => aWorkflow({ identifier, name });
const recent = [
  named('payment-failed', 'Payment failed'),
  named('order-shipped', 'Order shipped'),
  named('weekly', 'Orders of the week'),
];
const suggested = (typed: string) => suggestWorkflows(recent, typed).map(({ identifier }) => identifier);

describe('suggesting workflows', () => {
  test('offers all, the most recently seen first, before anything is typed', () => {
    expect(suggested('')).toEqual(['payment-failed', 'order-shipped', 'weekly']);
  });

  test('matches identifier or name, with prefix matches first', () => {
    expect(suggested('ORDER')).toEqual(['order-shipped', 'weekly']);
    expect(suggested('week')).toEqual(['weekly']);
    expect(suggested('failed')).toEqual(['payment-failed']);
  });
});

describe('a workflow that a command names', () => {
  const known = [
    named('order-shipped', 'Order shipped'),
    named('Order-Shipped', 'Old orders'),
    named('news-1', 'Weekly news'),
    named('news-2', 'Other news'),
    named('news-3', 'other news'),
  ];
  const found = (typed: string) => {
    const workflow = workflowNamed(known, typed);
    return typeof workflow === 'string' ? workflow : (workflow?.identifier ?? null);
  };

  test.each([
    ['order-shipped', 'order-shipped'],
    ['Order-Shipped', 'Order-Shipped'],
    ['NEWS-1', 'news-1'],
    ['weekly  News', 'news-1'],
    ['other news', 'several'],
    ['ORDER-SHIPPED', 'several'],
    ['ordr-shipped', null],
  ])('is found by its identifier first, then in any case, also by its name: %s', (typed, workflow) => {
    expect(found(typed)).toBe(workflow);
  });
});
