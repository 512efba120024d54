import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { type Changed, changedBefore, deployName, type ExplainedIncident, LONGEST_DEPLOY } from './change.ts';
import { aChange, aDeploy, anIntegrationChange, aWorkflowChange } from './changes.testing.ts';

const CHANGED_AT = aChange().at;
const minutesAfter = (minutes: number) => new Date(CHANGED_AT.getTime() + minutes * MINUTE_MS);

const INCIDENT: ExplainedIncident = {
  environment: 'production',
  channel: 'email',
  provider: 'sendgrid',
  workflow: 'order-shipped',
  firstFailureAt: minutesAfter(4),
};
const mayExplain = (what: Changed, incident: Partial<ExplainedIncident> = {}) =>
  changedBefore([aChange({ what })], { ...INCIDENT, ...incident }).length > 0;

describe('the change before an incident', () => {
  test.each<[of: string, what: Changed, incident: Partial<ExplainedIncident>, isExplanation: boolean]>([
    ['an integration of its channel and provider', anIntegrationChange(), {}, true],
    ['one that is written another way', anIntegrationChange({ provider: 'SendGrid' }), {}, true],
    ['one of its channel, where the failures name no provider', anIntegrationChange(), { provider: null }, true],
    ['another provider', anIntegrationChange({ provider: 'ses' }), {}, false],
    ['another channel', anIntegrationChange({ channel: 'sms' }), {}, false],
    ['a new name', anIntegrationChange({ aspects: ['renamed from X'] }), {}, true],
    ['its only workflow', aWorkflowChange(), {}, true],
    ['one of several workflows', aWorkflowChange(), { workflow: null }, false],
    ['a new name of its only workflow', aWorkflowChange({ aspects: ['renamed from X'] }), {}, true],
    ['another workflow', aWorkflowChange({ identifier: 'welcome' }), {}, false],
    ['a deploy', aDeploy(), {}, true],
  ])('of %s may explain it or not', (_, what, incident, isExplanation) => {
    expect(mayExplain(what, incident)).toBe(isExplanation);
  });

  // It was made in the two minutes before it was noticed.
  test.each([
    ['noticed half an hour before', 28, true],
    ['noticed longer before', 28.1, false],
    ['noticed shortly after it, and made before or after', -1.9, true],
    ['made after it', -2.1, false],
  ])('may explain it or not if it was %s', (_, minutes, expected) => {
    expect(mayExplain(anIntegrationChange(), { firstFailureAt: minutesAfter(minutes) })).toBe(expected);
  });

  test("isn't one noticed long after, which may have been made then", () => {
    const change = aChange({ notBefore: minutesAfter(-1), at: minutesAfter(11) });
    expect(changedBefore([change], { ...INCIDENT, firstFailureAt: minutesAfter(0) })).toEqual([]);
    expect(changedBefore([change], { ...INCIDENT, firstFailureAt: minutesAfter(1) })).toEqual([change]);
    expect(changedBefore([change], { ...INCIDENT, firstFailureAt: minutesAfter(-1) })).toEqual([]);
  });

  const idsBefore = (changes: Parameters<typeof changedBefore>[0], incident = INCIDENT) =>
    changedBefore(changes, incident).map(({ id }) => id);

  test('is the last of the service, with the last deploy', () => {
    const deploy = aChange({ id: 3, what: aDeploy(), at: minutesAfter(3), notBefore: null });
    const changes = [aChange({ id: 1 }), aChange({ id: 2, at: minutesAfter(2), notBefore: minutesAfter(0) }), deploy];
    const workflow = aChange({ id: 4, what: aWorkflowChange(), at: minutesAfter(3) });
    expect(idsBefore(changes)).toEqual([2, 3]);
    expect(idsBefore([...changes, workflow])).toEqual([4, 3]);
    expect(idsBefore([])).toEqual([]);
  });

  test('is the last deploy before the first failure', () => {
    const deployed = [-40, -29, -20, -10, -3, 1].map((minute, id) =>
      aChange({ id, what: aDeploy(), at: minutesAfter(minute), notBefore: null }),
    );
    const incident = { ...INCIDENT, firstFailureAt: minutesAfter(0) };
    expect(idsBefore(deployed, incident)).toEqual([4]);
    expect(idsBefore(deployed.slice(0, 1), incident)).toEqual([]);
  });
});

const SHA = '3f786850e387550fdab836ed7e6dc881de23001b';

describe("a deploy's name", () => {
  test.each([
    ['  checkout 2.3 ', 'checkout 2.3'],
    ['mail\ntemplates', 'mail templates'],
    [`api ${SHA.slice(0, 12)}`, `api ${SHA.slice(0, 12)}`],
    [`api ${SHA}`, `api ${SHA.slice(0, 12)}`],
    ['for anna@example.com', 'for a•••@example.com'],
  ])('is stored on one line, without contacts: %j', (typed, name) => {
    expect(deployName(typed, 'x')).toBe(name);
  });

  test.each([
    ['', 'What was deployed?'],
    ['  ', 'What was deployed?'],
    ['x'.repeat(LONGEST_DEPLOY + 1), "A deploy's name has at most 200 characters."],
  ])('is refused if it is empty or too long: %j', (typed, what) => {
    const example = '/notif deployed checkout';
    expect(() => deployName(typed, example)).toThrow(
      expect.objectContaining({ name: 'InputError', field: 'what', message: what, example }),
    );
  });
});
