import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anIntegration } from '../service/integration.testing.ts';
import { FreeText } from '../text/free-text.ts';
import type { IntegrationAspect } from './change.ts';
import { compareReadings, type IntegrationState, stateOf } from './integration-readings.ts';

const SENDGRID = stateOf(anIntegration());
const whole = (...integrations: IntegrationState[]) => ({ integrations, isWhole: true });
const aspects = (was: IntegrationState, is: IntegrationState) =>
  compareReadings([was], whole(is)).changes.flatMap((change) => change.aspects);

const OPPOSITES: readonly (readonly [IntegrationAspect, IntegrationAspect])[] = [
  ['added', 'removed'],
  ['deleted', 'restored'],
  ['activated', 'deactivated'],
  ['made-primary', 'no-longer-primary'],
  ['conditions-added', 'conditions-removed'],
  ['webhook-on', 'webhook-off'],
];

function opposite(aspect: IntegrationAspect): IntegrationAspect {
  const pair = OPPOSITES.find((one) => one.includes(aspect));
  return pair?.find((one) => one !== aspect) ?? aspect;
}

const state = fc.record<IntegrationState>({
  key: fc.constantFrom('a', 'b', 'c', 'd'),
  name: fc.constantFrom('SendGrid', 'SES'),
  channel: fc.constantFrom('email', 'sms'),
  provider: fc.constantFrom('sendgrid', 'ses'),
  active: fc.boolean(),
  primary: fc.boolean(),
  deleted: fc.boolean(),
  conditions: fc.option(fc.subarray(['subscriber.locale', 'payload.total'])),
  inboundWebhook: fc.boolean(),
});
const list = fc.uniqueArray(state, { selector: ({ key }) => key, minLength: 1, maxLength: 4 });

describe('two readings of integrations', () => {
  test.each<[string, Partial<IntegrationState>, IntegrationAspect[]]>([
    ['made inactive', { active: false }, ['deactivated']],
    ['no longer primary', { primary: false }, ['no-longer-primary']],
    ['deleted', { deleted: true, active: false }, ['deleted', 'deactivated']],
    ['given conditions', { conditions: [] }, ['conditions-added']],
    ['moved to another provider', { provider: 'ses' }, ['provider-changed']],
    ['without its webhook', { inboundWebhook: false }, ['webhook-off']],
    ['renamed', { name: 'SendGrid EU' }, ['renamed']],
  ])('show that one was %s', (_, change, expected) => {
    expect(aspects(SENDGRID, { ...SENDGRID, ...change })).toEqual(expected);
  });

  test('show no change if nothing was changed', () => {
    fc.assert(fc.property(list, (one) => void expect(compareReadings(one, whole(...one)).changes).toEqual([])));
  });

  test('show exactly the differences', () => {
    fc.assert(
      fc.property(list, list, (before, after) => {
        const isSame = (one: IntegrationState) =>
          before.some((other) => JSON.stringify(other) === JSON.stringify({ ...one }));
        const gone = before.filter(({ key }) => after.every((one) => one.key !== key));
        const { changes, integrations } = compareReadings(before, whole(...after));
        expect(changes).toHaveLength(after.filter((one) => !isSame(one)).length + gone.length);
        expect(integrations).toEqual(after);
      }),
    );
  });

  test('show the opposite in reverse', () => {
    const all = (before: IntegrationState[], after: IntegrationState[]) =>
      compareReadings(before, whole(...after)).changes.flatMap((change) => change.aspects);
    fc.assert(
      fc.property(list, list, (before, after) => {
        expect(all(after, before).sort()).toEqual(all(before, after).map(opposite).sort());
      }),
    );
  });

  test("don't count an integration as removed if part of the list could not be read, or all of it is missing", () => {
    const ses = { ...SENDGRID, key: 'ses', name: 'SES' };
    const partly = compareReadings([SENDGRID, ses], { integrations: [SENDGRID], isWhole: false });
    expect(partly).toEqual({ changes: [], integrations: [SENDGRID, ses] });
    expect(compareReadings([SENDGRID], whole())).toEqual({ changes: [], integrations: [SENDGRID] });
    const [removed] = compareReadings([SENDGRID, ses], whole(SENDGRID)).changes;
    expect(removed).toMatchObject({ name: 'SES', aspects: ['removed'] });
  });
});

describe("an integration's state for comparison", () => {
  test('excludes contacts and the order of conditions', () => {
    const conditionFields = ['payload.b', 'payload.a', 'payload.b'].map((field) => new FreeText(field));
    const one = stateOf(anIntegration({ name: 'alerts@example.com', hasConditions: true, conditionFields }));
    expect(one).toMatchObject({ name: 'a•••@example.com', conditions: ['payload.a', 'payload.b'] });
  });

  test('treats an unmentioned webhook as absent', () => {
    expect(stateOf(anIntegration({ inboundWebhook: null })).inboundWebhook).toBe(false);
  });
});
