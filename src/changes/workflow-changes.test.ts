import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { workflowChange } from './readings.ts';

const WORKFLOW = { identifier: 'order-shipped', name: 'Order shipped', variables: ['orderId', 'total'] };

describe('a workflow, between an event and a newer one', () => {
  test.each([
    ['other variables', { variables: ['orderId'] }, ['variables-changed']],
    ['another name', { name: 'Order sent' }, ['renamed']],
    ['both', { name: 'Order sent', variables: ['id'] }, ['variables-changed', 'renamed']],
  ])('has changed if it has %s', (_, change, aspects) => {
    expect(workflowChange(WORKFLOW, { ...WORKFLOW, ...change })?.aspects).toEqual(aspects);
  });

  test('is named, and shown by its new name', () => {
    expect(workflowChange(WORKFLOW, { ...WORKFLOW, name: 'Order sent' })).toEqual({
      kind: 'workflow',
      identifier: 'order-shipped',
      name: 'Order sent',
      aspects: ['renamed'],
    });
  });

  test.each([
    ['the same in another order', { variables: ['total', 'orderId', 'total'] }],
    ['no variables, which an event may leave out', { variables: [] }],
  ])('has not changed if it has %s', (_, change) => {
    expect(workflowChange(WORKFLOW, { ...WORKFLOW, ...change })).toBeNull();
  });

  test('changes back as it changed', () => {
    const workflow = fc.record({
      identifier: fc.constant('order-shipped'),
      name: fc.constantFrom('a', 'b'),
      variables: fc.subarray(['x', 'y', 'z']),
    });
    fc.assert(
      fc.property(workflow, workflow, (one, other) => {
        expect(workflowChange(one, other)?.aspects).toEqual(workflowChange(other, one)?.aspects);
        expect(workflowChange(one, one)).toBeNull();
      }),
    );
  });
});
