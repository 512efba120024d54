import { describe, expect, test } from 'vitest';
import { aWorkflow } from '../../domain/service/event.testing.ts';
import { suggestWorkflows, workflowNamed } from './suggest-workflows.ts';

const named = (identifier: string, name = identifier) => aWorkflow({ identifier, name });
const store = {
  workflows: async () => [
    named('payment-failed', 'Payment failed'),
    named('order-shipped', 'Order shipped'),
    named('weekly', 'Orders of the week'),
  ],
};
const suggested = async (typed: string) =>
  (await suggestWorkflows('production', typed, store)).map((one) => one.identifier);

describe('suggesting workflows', () => {
  test('offers all, the most recently seen first, before anything is typed', async () => {
    expect(await suggested('')).toEqual(['payment-failed', 'order-shipped', 'weekly']);
  });

  test('matches identifier or name, with prefix matches first', async () => {
    expect(await suggested('ORDER')).toEqual(['order-shipped', 'weekly']);
    expect(await suggested('week')).toEqual(['weekly']);
    expect(await suggested('failed')).toEqual(['payment-failed']);
  });
});

describe('a workflow that a command names', () => {
  const known = {
    workflows: async () => [
      named('order-shipped', 'Order shipped'),
      named('Order-Shipped', 'Old orders'),
      named('news-1', 'Weekly news'),
      named('news-2', 'Other news'),
      named('news-3', 'other news'),
    ],
  };
  const found = async (typed: string) => {
    const workflow = await workflowNamed('production', typed, known);
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
  ])('is found by its identifier first, then in any case, also by its name: %s', async (typed, workflow) => {
    expect(await found(typed)).toBe(workflow);
  });
});
