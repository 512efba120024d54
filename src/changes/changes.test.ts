import { expect, test } from 'vitest';
import { auditEntries } from '../audit/audit.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import { aWorkflow } from '../service/event.testing.ts';
import { anIntegration } from '../service/lists.testing.ts';
import { at, openedEnvironment, reading, record, reportDeploy, trackedEvent } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { changesSince } from './changes.ts';
import { noteIntegrations } from './integrations.ts';
import { type IntegrationState, lastSnapshot, stateOf } from './snapshots.ts';
import { workflowsIn } from './workflows.ts';

const SENDGRID = stateOf(anIntegration());

describeStore('changes of integrations', (store) => {
  const note = (minute: number, integrations: readonly IntegrationState[], serviceEnvironmentId = 'env-1') => {
    const snapshot = { serviceEnvironmentId, integrations, isWhole: true };
    return store().db.transaction((sql) =>
      noteIntegrations(sql, 'production', snapshot, { from: at(minute), to: at(minute + 0.1) }),
    );
  };

  test('are noticed from the second reading on, with the times of both readings', async () => {
    expect(await note(0, [SENDGRID])).toEqual([]);
    expect(await note(2, [SENDGRID])).toEqual([]);
    expect(await note(4, [{ ...SENDGRID, active: false }])).toMatchObject([
      {
        environment: 'production',
        notBefore: at(2),
        at: at(4.1),
        what: { name: 'SendGrid', aspects: ['deactivated'] },
      },
    ]);
    expect(await note(6, [{ ...SENDGRID, active: false }])).toEqual([]);
  });

  test('are ignored if a reading is older than the last, or the key is for another environment', async () => {
    await note(4, [SENDGRID]);
    expect(await note(2, [{ ...SENDGRID, active: false }])).toEqual([]);
    expect(await note(6, [{ ...SENDGRID, key: boundedId('other') }], 'env-2')).toEqual([]);
    expect((await lastSnapshot(store().db, 'production'))?.serviceEnvironmentId).toBe('env-2');
  });

  test('are recorded once by replicas that read concurrently', async () => {
    await note(0, [SENDGRID]);
    const both = await Promise.all([1, 1].map((minute) => note(minute, [{ ...SENDGRID, primary: false }])));
    expect(both.flat()).toHaveLength(1);
  });
});

describeStore('the list of changes', (store) => {
  const deploy = (name: string, minute: number, environment = 'production') =>
    reportDeploy(store(), { environment, name, actor: { userId: 'U0ANN', channel: 'C1' } }, at(minute));
  const list = (query = {}) =>
    changesSince(store().db, { since: at(-60), environments: ['production'], olderThan: null, limit: 2, ...query });

  test('has the newest first, page by page, for the requested environments', async () => {
    for (const minute of [1, 2, 3]) await deploy(`v${minute}`, minute);
    await deploy('elsewhere', 4, 'staging');
    const first = await list();
    expect(first).toMatchObject({ hasOlder: true, items: [{ at: at(3), notBefore: null }, { at: at(2) }] });
    const rest = await list({ olderThan: first.items[1]?.id });
    expect(rest.items.map(({ what }) => what)).toEqual([{ kind: 'deploy', name: 'v1', actor: 'U0ANN' }]);
    expect(rest.hasOlder).toBe(false);
    expect((await list({ since: at(2.5) })).items).toHaveLength(1);
  });

  test('shows since when integrations are compared', async () => {
    const snapshot = { serviceEnvironmentId: 'env-1', integrations: [SENDGRID], isWhole: true };
    for (const minute of [0, 2])
      await store().db.transaction((sql) =>
        noteIntegrations(sql, 'production', snapshot, { from: at(minute), to: at(minute) }),
      );
    expect((await list()).snapshots.get('production')).toMatchObject({ since: at(0), readAt: at(2) });
  });

  test('has a deploy once, however often its report is repeated, and its reporter is in the trail', async () => {
    expect(await Promise.all([deploy('v1', 1), deploy('v1', 1)])).toContain(false);
    expect(await deploy('v1', 9)).toBe(false);
    expect(await deploy('v1', 30)).toBe(true);
    expect((await list()).items).toHaveLength(2);
    const trail = await auditEntries(store().db, { since: at(-60), environments: [], olderThan: null, limit: 9 });
    expect(trail.items).toHaveLength(2);
    expect(trail.items[0]).toMatchObject({ actor: 'U0ANN', channel: 'C1', change: { action: 'deployed' } });
    expect(await deploy('v1', 31, 'staging')).toBe(true);
    expect((await list()).items).toHaveLength(2);
  });

  test('keeps no name of a pipeline’s reporter in the trail', async () => {
    await reportDeploy(store(), { environment: 'production', name: 'v1', actor: null }, at(1));
    const trail = await auditEntries(store().db, { since: at(-60), environments: [], olderThan: null, limit: 9 });
    expect(trail.items).toEqual([]);
  });
});

describeStore('changes of workflows', (store) => {
  const names = { identifier: 'order-shipped', name: 'Order shipped' };
  const WORKFLOW = aWorkflow({ ...names, id: 'workflow-1', variables: ['orderId'] });
  const see = async (minute: number, change: Partial<typeof WORKFLOW> = {}) => {
    const workflow = { ...WORKFLOW, ...change };
    const event = trackedEvent({ eventKey: `event-${minute}`, createdAt: at(minute), workflow });
    await record(store(), await openedEnvironment(store()), reading({ trackedEvents: [event] }), at(minute + 1));
  };
  const list = () =>
    changesSince(store().db, { since: at(-60), environments: ['production'], olderThan: null, limit: 9 });

  test('are noticed by the first event that shows them, since the last that did not', async () => {
    await see(0);
    await see(2);
    expect((await list()).items).toEqual([]);
    await see(4, { variables: ['orderId', 'total'] });
    await see(6, { variables: ['orderId', 'total'] });
    expect((await list()).items).toMatchObject([
      { notBefore: at(2), at: at(5), what: { identifier: 'order-shipped', aspects: ['variables changed'] } },
    ]);
  });

  test('ignore an older event that is read later', async () => {
    await see(4, { variables: ['orderId', 'total'] });
    await see(2);
    expect((await list()).items).toEqual([]);
    const { variables } = (await workflowsIn(store().db, 'production'))[0] ?? {};
    expect(variables).toEqual(['orderId', 'total']);
  });
});
