import { expect, test } from 'vitest';
import { auditEntries } from '../audit/audit.ts';
import { silent } from '../lib/logger.testing.ts';
import { ServiceError, type ServiceProblem } from '../service/service-error.ts';
import { describeStore } from '../store/store.testing.ts';
import { updateCredentials } from './credentials.ts';

const NOON = new Date('2026-05-04T12:00:00Z');
const SECRET = 'https://hooks.example.com/services/T1/B2/x9y8z7';
const COMMAND = {
  intent: 'intent-1',
  environment: 'production',
  actor: 'U1',
  channel: 'C1',
  subscriberId: 'anna',
  update: { providerId: 'slack', credentials: { webhookUrl: SECRET } },
};
const UPDATED = {
  settings: [{ providerId: 'slack', integrationIdentifier: null, credentials: [] }],
  isDeleted: false,
  unreadable: 0,
};

describeStore('credentials', (store) => {
  function updating(answer: () => Promise<typeof UPDATED | null>) {
    const requests: unknown[] = [];
    const service = {
      updateCredentials: (...request: unknown[]) => {
        requests.push(request);
        return answer();
      },
    };
    const ctx = { serviceOf: () => service, db: store().db, logger: silent, now: () => NOON };
    const trail = async () => {
      const query = { since: NOON, environments: [], olderThan: null, limit: 9 };
      return (await auditEntries(store().db, query)).items;
    };
    return { submit: () => updateCredentials(ctx, COMMAND), requests, trail };
  }

  function refusing(problem: ServiceProblem, outcomeUnknown = false) {
    return async () => {
      throw new ServiceError('production', 'updateCredentials', problem, { outcomeUnknown });
    };
  }

  test('sends nothing for a confirmation submitted again, even concurrently', async () => {
    const { submit, requests } = updating(async () => UPDATED);
    const outcomes = await Promise.all([submit(), submit(), submit()]);
    expect(outcomes.filter((outcome) => outcome !== null)).toMatchObject([{ is: 'updated' }]);
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['an unknown subscriber', async () => null, 'not-found', { is: 'refused', why: 'not-found' }],
    ['a lost answer', refusing({ kind: 'timed-out' }, true), 'unknown', { is: 'unknown' }],
  ])('reports %s', async (_, answer, is, outcome) => {
    const { submit, trail } = updating(answer);
    expect(await submit()).toMatchObject({ is });
    expect(await trail()).toMatchObject([{ outcome }]);
  });

  test('throws when nothing was updated for sure, and records the reason in the trail', async () => {
    const problem = { kind: 'refused', status: 422, message: `not ${SECRET}` } as const;
    const { submit, trail } = updating(refusing(problem));
    await expect(submit()).rejects.toMatchObject({ problem: { ...problem, message: 'not •••' } });
    expect(await trail()).toMatchObject([{ outcome: { is: 'refused', why: 'refused' } }]);
  });
});
