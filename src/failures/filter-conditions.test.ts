import { expect, test } from 'vitest';
import { recordWorkflows } from '../changes/workflows.ts';
import { aWorkflow } from '../service/event.testing.ts';
import { NOON } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { unseenWorkflows } from './filter-conditions.ts';

describeStore('Unseen workflows', (store) => {
  test('are those that no environment has, named with the nearest one seen', async () => {
    const { db } = store();
    const seen = { production: 'order-shipped', staging: 'Refund' };
    for (const [environment, name] of Object.entries(seen)) {
      const events = [{ workflow: aWorkflow({ identifier: name, name }), createdAt: NOON }];
      await db.transaction((sql) => recordWorkflows(sql, environment, events, NOON));
    }
    const environments = Object.keys(seen).map((name) => ({ name }));
    const typed = ['ordr-shipped', 'Order-Shipped', 'refund', 'launch'];
    expect(await unseenWorkflows(db, typed, environments)).toEqual([
      { name: 'ordr-shipped', similar: 'order-shipped' },
      { name: 'launch', similar: null },
    ]);
  });
});
