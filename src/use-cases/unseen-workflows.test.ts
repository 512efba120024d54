import { expect, test } from 'vitest';
import { anEnvironment } from '../domain/environment.testing.ts';
import { unseenWorkflows } from './unseen-workflows.ts';

const environments = [anEnvironment(), anEnvironment({ name: 'staging' })];
const store = {
  workflowNames: async (environment: string) => (environment === 'production' ? ['order-shipped'] : ['Refund']),
};

test('workflows that no environment has are named with the nearest one seen', async () => {
  expect(await unseenWorkflows(['ordr-shipped', 'Order-Shipped', 'refund', 'launch'], environments, store)).toEqual([
    { name: 'ordr-shipped', meant: 'order-shipped' },
    { name: 'launch', meant: null },
  ]);
});
