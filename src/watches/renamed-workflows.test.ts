import { expect, test } from 'vitest';
import { aWorkflow } from '../service/event.testing.ts';
import { at, NOON, openedEnvironment, reading, record, trackedEvent } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { EVERYTHING, UNFILTERED, type WatchFilter } from './settings.ts';
import { madeWatch } from './watches.testing.ts';
import { watchWithId } from './watches.ts';

const WORKFLOW = { id: 'w1', identifier: 'order-shipped' };

describeStore('a watch for a workflow', (store) => {
  const watching = async (filter: Partial<WatchFilter>) => {
    const settings = { ...UNFILTERED, filter: { ...EVERYTHING, ...filter } };
    return (await madeWatch(store().db, { channel: 'C1', createdBy: 'U1', settings }, at(-1))).id;
  };
  const workflowsOf = async (id: string) => (await watchWithId(store().db, id))?.settings.filter.workflows;
  const see = async (now: Date, name: string) => {
    const event = trackedEvent({
      eventKey: name,
      createdAt: now,
      workflow: aWorkflow({ ...WORKFLOW, name }),
    });
    await record(store(), await openedEnvironment(store()), reading({ trackedEvents: [event] }), now);
  };

  test('that is renamed stays on it, by its identifier', async () => {
    const named = await watching({ workflows: ['order shipped', 'Welcome'] });
    const another = await watching({ workflows: ['Welcome'] });
    const elsewhere = await watching({ workflows: ['Order shipped'], environments: ['staging'] });
    await see(NOON, 'Order shipped');
    expect(await workflowsOf(named)).toEqual(['order shipped', 'Welcome']);
    await see(at(5), 'Order sent');
    await see(at(6), 'Parcel sent');
    expect(await workflowsOf(named)).toEqual(['order shipped', 'Welcome', 'order-shipped']);
    expect(await workflowsOf(another)).toEqual(['Welcome']);
    expect(await workflowsOf(elsewhere)).toEqual(['Order shipped']);
  });

  test('whose earlier event is read late stays as it is', async () => {
    const named = await watching({ workflows: ['Order shipped'] });
    await see(NOON, 'Order sent');
    await see(at(-5), 'Order shipped');
    expect(await workflowsOf(named)).toEqual(['Order shipped']);
  });
});
