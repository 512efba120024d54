import { expect, it } from 'vitest';
import { type IntegrationState, stateOf } from '../../domain/changes/integration-readings.ts';
import { anIntegration } from '../../domain/service/integration.testing.ts';
import { at } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';

const SENDGRID = stateOf(anIntegration());

describeStore('changes of integrations', (store) => {
  const note = (minute: number, integrations: readonly IntegrationState[], serviceEnvironmentId = 'env-1') => {
    const reading = { serviceEnvironmentId, integrations, isWhole: true };
    return store().changes.noteIntegrations('production', reading, { from: at(minute), to: at(minute + 0.1) });
  };

  it('are noticed from the second reading on, with the time of both', async () => {
    expect(await note(0, [SENDGRID])).toEqual([]);
    expect(await note(2, [SENDGRID])).toEqual([]);
    expect(await note(4, [{ ...SENDGRID, active: false }])).toMatchObject([
      { environment: 'production', after: at(2), at: at(4.1), what: { name: 'SendGrid', aspects: ['deactivated'] } },
    ]);
    expect(await note(6, [{ ...SENDGRID, active: false }])).toEqual([]);
  });

  it('are none where a reading is older than the last, or another environment is behind the key', async () => {
    await note(4, [SENDGRID]);
    expect(await note(2, [{ ...SENDGRID, active: false }])).toEqual([]);
    expect(await note(6, [{ ...SENDGRID, key: 'other' }], 'env-2')).toEqual([]);
    expect(await store().changes.serviceEnvironmentId('production')).toBe('env-2');
  });

  it('are recorded once by replicas that read at the same time', async () => {
    await note(0, [SENDGRID]);
    const both = await Promise.all([1, 1].map((minute) => note(minute, [{ ...SENDGRID, primary: false }])));
    expect(both.flat()).toHaveLength(1);
  });

  it('are of an environment each', async () => {
    expect(await store().changes.serviceEnvironmentId('staging')).toBeNull();
  });
});
