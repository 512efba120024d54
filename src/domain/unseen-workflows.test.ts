import { expect, test } from 'vitest';
import { unseenWorkflows } from './unseen-workflows.ts';

const SEEN = [{ identifier: 'order-shipped', name: 'Order shipped' }];

test('names workflows that were never seen, with the nearest that was', () => {
  expect(unseenWorkflows(['ordr-shipped', 'Order-Shipped', 'order shipped', 'refund'], SEEN)).toEqual([
    { name: 'ordr-shipped', meant: 'order-shipped' },
    { name: 'refund', meant: null },
  ]);
});
