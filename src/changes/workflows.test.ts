import { describe, expect, test } from 'vitest';
import { workflowChange } from './workflows.ts';

describe('a workflow, between an event and a newer one', () => {
  const NAMES = { identifier: 'order-shipped', name: 'Order shipped' };
  const WORKFLOW = { ...NAMES, id: 'w1', variables: ['orderId', 'total'], deletedAt: null };

  test.each([
    [{ variables: ['orderId'] }, ['variables changed']],
    [{ name: 'Order sent', variables: ['id'] }, ['variables changed', 'renamed from Order shipped']],
    [{ id: 'w2' }, ['created again']],
  ])('has changed if it has %j', (change, aspects) => {
    expect(workflowChange(WORKFLOW, { ...WORKFLOW, ...change })?.aspects).toEqual(aspects);
  });

  test.each([
    ['the same in another order', { variables: ['total', 'orderId', 'total'] }],
    ['no variables, which an event may leave out', { variables: [] }],
    ['no ID', { id: null }],
  ])("hasn't changed if it has %s", (_, change) => {
    expect(workflowChange(WORKFLOW, { ...WORKFLOW, ...change })).toBeNull();
  });
});
