import { describe, expect, test } from 'vitest';
import { suggestWorkflows } from './suggest-workflows.ts';

const named = (identifier: string, name = identifier) => ({ id: null, identifier, name, variables: [] });
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

  test('offers at most as many as Slack shows', async () => {
    const many = { workflows: async () => Array.from({ length: 300 }, (_, i) => named(`w-${i}`)) };
    expect(await suggestWorkflows('production', 'w', many)).toHaveLength(100);
  });
});
