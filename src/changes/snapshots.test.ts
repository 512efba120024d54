import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AuthoredText } from '../lib/text/scrub.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import { anIntegration } from '../service/lists.testing.ts';
import { compareSnapshots, type IntegrationState, stateOf } from './snapshots.ts';

const SENDGRID = stateOf(anIntegration());

const state = fc.record<IntegrationState>({
  key: fc.constantFrom('a', 'b', 'c', 'd').map(boundedId),
  name: fc.constantFrom('SendGrid', 'SES').map(boundedId),
  identifier: fc.constant(boundedId('main')),
  channel: fc.constantFrom('email', 'sms').map(boundedId),
  provider: fc.constantFrom('sendgrid', 'ses').map(boundedId),
  active: fc.boolean(),
  primary: fc.boolean(),
  deleted: fc.boolean(),
  conditions: fc.option(fc.subarray(['subscriber.locale', 'payload.total'].map(boundedId))),
  inboundWebhook: fc.boolean(),
  credentialsMark: fc.constantFrom('8f2c', '91aa').map(boundedId),
});
const list = fc.uniqueArray(state, { selector: ({ key }) => key, minLength: 1, maxLength: 4 });

describe('two readings of integrations', () => {
  test.each<[Partial<IntegrationState>, string[]]>([
    [{ active: false }, ['deactivated']],
    [{ primary: false }, ['no longer primary']],
    [{ deleted: true, active: false }, ['deleted', 'deactivated']],
    [{ conditions: [] }, ['conditions changed']],
    [{ provider: boundedId('ses') }, ['provider changed']],
    [{ channel: boundedId('sms') }, ['provider changed']],
    [{ inboundWebhook: false }, ['webhook off']],
    [{ credentialsMark: boundedId('91aa') }, ['credentials changed']],
    [{ credentialsMark: null }, []],
    [{ name: boundedId('SendGrid EU') }, ['renamed from SendGrid']],
  ])('show %j as %j', (change, expected) => {
    const changes = compareSnapshots([SENDGRID], [{ ...SENDGRID, ...change }]);
    expect(changes.flatMap(({ aspects }) => aspects)).toEqual(expected);
  });

  test('show exactly the differences', () => {
    fc.assert(
      fc.property(list, list, (before, after) => {
        const isSame = (now: IntegrationState) => before.some((other) => JSON.stringify(other) === JSON.stringify(now));
        const gone = before.filter(({ key }) => after.every((now) => now.key !== key));
        const changes = compareSnapshots(before, after);
        expect(changes).toHaveLength(after.filter((integration) => !isSame(integration)).length + gone.length);
      }),
    );
  });

  test('count an integration that is missing as removed', () => {
    const ses = { ...SENDGRID, key: boundedId('ses'), name: boundedId('SES') };
    const [removed] = compareSnapshots([SENDGRID, ses], [SENDGRID]);
    expect(removed).toMatchObject({ name: 'SES', aspects: ['removed'] });
  });

  test('exclude contacts and the order of conditions', () => {
    const conditionFields = ['payload.b', 'payload.a'].map((field) => new AuthoredText(field));
    const state = stateOf(anIntegration({ name: 'alerts@example.com', hasConditions: true, conditionFields }));
    expect(state).toMatchObject({ name: 'a•••@example.com', conditions: ['payload.a', 'payload.b'] });
  });
});
