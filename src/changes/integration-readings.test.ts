import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FreeText } from '../lib/text/scrub.ts';
import { anIntegration } from '../service/integration.testing.ts';
import type { IntegrationAspect } from './change.ts';
import { compareReadings, type IntegrationState, stateOf } from './readings.ts';

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
    ['moved to another channel of its provider', { channel: 'sms' }, ['provider-changed']],
    ['without its webhook', { inboundWebhook: false }, ['webhook-off']],
    ['renamed', { name: 'SendGrid EU' }, ['renamed']],
  ])('show that one was %s', (_, change, expected) => {
    expect(aspects(SENDGRID, { ...SENDGRID, ...change })).toEqual(expected);
  });

  test('show that the conditions of one were replaced, added or removed', () => {
    const on = (...conditions: string[]) => ({ ...SENDGRID, conditions });
    expect(aspects(on('payload.a'), on('payload.b'))).toEqual(['conditions-changed']);
    expect(aspects(on('payload.a'), { ...SENDGRID, conditions: null })).toEqual(['conditions-removed']);
    expect(aspects({ ...SENDGRID, conditions: null }, on('payload.a'))).toEqual(['conditions-added']);
  });

  test('name the earlier name of one that was renamed, and of no other', () => {
    const changed = (change: Partial<IntegrationState>) =>
      compareReadings([SENDGRID], whole({ ...SENDGRID, ...change })).changes;
    expect(changed({ name: 'SendGrid EU' })).toMatchObject([{ name: 'SendGrid EU', earlierName: 'SendGrid' }]);
    expect(changed({ active: false })).toMatchObject([{ name: 'SendGrid', earlierName: null }]);
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

  test('has what is compared, by the ID, or by the identifier of one without', () => {
    const deleted = { id: 'id-1', identifier: 'sendgrid-a1b2c3', active: false, primary: false, deleted: true };
    expect(stateOf(anIntegration(deleted))).toEqual({
      key: 'id-1',
      name: 'SendGrid',
      channel: 'email',
      provider: 'sendgrid',
      active: false,
      primary: false,
      deleted: true,
      conditions: null,
      inboundWebhook: true,
    });
    expect(stateOf(anIntegration({ id: null, identifier: 'sendgrid-a1b2c3' })).key).toBe('sendgrid-a1b2c3');
  });

  test('treats an unmentioned webhook as absent', () => {
    expect(stateOf(anIntegration({ inboundWebhook: null })).inboundWebhook).toBe(false);
  });
});
