import { expect, test } from 'vitest';
import { recordWorkflows } from '../changes/workflows.ts';
import { aWorkflow } from '../service/event.testing.ts';
import { NOON } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { unseenNames } from './filter-conditions.ts';

describeStore('Unseen names', (store) => {
  test('are those of workflows, channels and severities that no environment has, with the nearest one seen', async () => {
    const { db } = store();
    const seen = { production: 'order-shipped', staging: 'Refund' };
    for (const [environment, name] of Object.entries(seen)) {
      const events = [{ workflow: aWorkflow({ identifier: name, name }), createdAt: NOON }];
      await db.transaction((sql) => recordWorkflows(sql, environment, events, NOON));
    }
    const environments = Object.keys(seen).map((name) => ({ name }));
    const filter = {
      ...EVERYTHING,
      workflows: ['ordr-shipped', 'Order-Shipped', 'refund', 'launch'],
      ...{ channels: ['mail', 'SMS'], severities: ['high', 'critical'], providers: ['any'] },
    };
    expect(await unseenNames(db, filter, environments)).toEqual([
      { noun: 'workflow', name: 'ordr-shipped', similar: 'order-shipped' },
      { noun: 'workflow', name: 'launch', similar: null },
      { noun: 'channel', name: 'mail', similar: 'email' },
      { noun: 'severity', name: 'critical', similar: null },
    ]);
  });
});
