import { expect, test } from 'vitest';
import { stateOf } from '../../domain/changes/integration-readings.ts';
import { anIntegration } from '../../domain/service/integration.testing.ts';
import { at, failureOf, openedEnvironment, reading, record } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';

const SENDGRID = stateOf(anIntegration());

describeStore('the change before an incident', (store) => {
  const readIntegrations = (minute: number, change = {}) => {
    const integrations = [{ ...SENDGRID, ...change }];
    const read = { serviceEnvironmentId: 'env-1', integrations, isWhole: true };
    return store().changes.noteIntegrations('production', read, { from: at(minute), to: at(minute) });
  };
  const fail = async (minute: number, change: Partial<Parameters<typeof failureOf>[1]> = {}) => {
    const failures = [failureOf('key revoked', { occurredAt: at(minute), ...change })];
    await record(store(), await openedEnvironment(store()), reading({ failures }), at(minute + 1));
    const { incidents } = await store().incidents.openIncidents(
      ['production'],
      { offset: 0, limit: 1 },
      at(minute + 1),
    );
    return incidents[0]?.changedBefore;
  };

  test('is named if it affected its channel and provider shortly before', async () => {
    await readIntegrations(-4);
    await readIntegrations(-2, { active: false });
    expect(await fail(0)).toMatchObject({ at: at(-2), after: at(-4), what: { aspects: ['deactivated'] } });
  });

  test('is none if another provider fails, or it was long ago', async () => {
    await readIntegrations(-4);
    await readIntegrations(-2, { active: false });
    expect(await fail(0, { provider: 'ses' })).toBeNull();
    expect(await fail(45, { eventKey: 'later', cause: { text: 'b', key: 'b' } })).toBeNull();
  });
});
