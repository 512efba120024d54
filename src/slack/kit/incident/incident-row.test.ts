import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EnvironmentChange } from '../../../changes/change.ts';
import { aChange, aDeploy, anIntegrationChange, aWorkflowChange } from '../../../changes/changes.testing.ts';
import { anIncident, aTally, at, HOSTILE, wordsOf } from '../../slack.testing.ts';
import { context, message } from '../blocks.ts';
import { incidentActions, incidentRow, incidentText, parseActionTarget, writeActionTarget } from './incident-row.ts';

describe("a row's menu", () => {
  const entries = (change: Parameters<typeof anIncident>[0]) =>
    wordsOf({ blocks: [incidentActions(anIncident(change), 'digest-1')] }).split('\n');
  const somebody = { by: 'U0ANN', at: new Date() };
  const mute = { by: 'U0ANN', from: new Date(), until: new Date() };

  test('offers the actions that are possible', () => {
    expect(entries({})).toEqual([
      'Acknowledge',
      'Example',
      'Assign…',
      'Mute…',
      'View events',
      'Resolve',
      'Add a note…',
    ]);
    expect(entries({ acknowledged: somebody })[0]).toBe('Unacknowledge');
    expect(entries({ mute })).toContain('Unmute');
    expect(entries({ state: { is: 'resolved', at: new Date(), by: null }, acknowledged: somebody })).toEqual([
      'Example',
      'Mute…',
      'Send again…',
      'View events',
      'View affected',
      'Add a note…',
    ]);
  });

  test("is all that a row of several has, within Slack's five entries", () => {
    const blocks = incidentRow(anIncident({}), { messageId: 'digest-1', beside: null, size: 'terse' });
    const [, ...menu] = wordsOf({ blocks }).split('\n');
    expect(menu).toEqual(['Acknowledge', 'Assign…', 'Mute…', 'View events', 'Resolve']);
  });

  test("names its subject in the block's ID, whatever the message's ID", () => {
    fc.assert(
      fc.property(fc.option(fc.string({ minLength: 1 })), fc.nat(), (messageId, incidentId) => {
        expect(parseActionTarget(writeActionTarget({ messageId, incidentId }))).toEqual({ messageId, incidentId });
      }),
    );
  });

  test.each(['', 'v0|digest-1|1', 'v1|digest-1', 'v1|digest-1|x'])('finds no subject in %j', (id) => {
    expect(parseActionTarget(id)).toBeNull();
  });
});

function rowWith(change: Partial<EnvironmentChange>, size: 'whole' | 'terse' = 'whole') {
  const changedBefore = { ...aChange({ at: at(-120), after: at(-240) }), ...change };
  const incident = anIncident({ changedBefore, tally: aTally({ firstSeen: at(0) }) });
  const text = incidentText(incident, { beside: null, size });
  return wordsOf(message(text, [context(text)]));
}

describe('the line about a change before an incident', () => {
  test.each<[Partial<EnvironmentChange>, string]>([
    [{}, '⚙️ SendGrid integration (email): deactivated 2 min to 4 min before'],
    [
      { what: anIntegrationChange({ name: 'Mail EU', aspects: ['webhook off', 'renamed from Mail'] }) },
      '⚙️ Mail EU (SendGrid) integration (email): webhook off, renamed from Mail 2 min to 4 min before',
    ],
    [{ what: aWorkflowChange() }, '⚙️ Workflow Order shipped: variables changed 2 min to 4 min before'],
    [{ what: aDeploy(), at: at(-240), after: null }, '🚀 Deploy: checkout 2.3 4 min before'],
    [{ at: at(60), after: at(-60) }, 'deactivated between 11:59:00 UTC and 12:01:00 UTC'],
  ])('says what changed and when: %j', (change, words) => {
    expect(rowWith(change)).toContain(words);
  });

  test('is left out if room is scarce or nothing changed', () => {
    expect(rowWith({}, 'terse')).not.toContain('⚙️');
    const none = incidentText(anIncident(), { beside: null });
    expect(`${none}`).not.toContain('⚙️');
  });

  test('escapes hostile names', () => {
    const hostile = { name: HOSTILE, provider: HOSTILE, channel: HOSTILE };
    const what = anIntegrationChange({ ...hostile, aspects: [`renamed from ${HOSTILE}`] });
    for (const one of [what, aDeploy({ name: HOSTILE }), aWorkflowChange({ name: HOSTILE })])
      expect(rowWith({ what: one })).not.toMatch(/<!channel>|<@U/);
  });
});
