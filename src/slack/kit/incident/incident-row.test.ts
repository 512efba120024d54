import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anIncident, wordsOf } from '../../slack.testing.ts';
import { incidentActions, incidentRow, parseActionTarget, writeActionTarget } from './incident-row.ts';

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
      'Add a note…',
      'View events',
      'Resolve',
    ]);
    expect(entries({ acknowledged: somebody })[0]).toBe('Unacknowledge');
    expect(entries({ mute })).toContain('Unmute');
    expect(entries({ state: { is: 'resolved', at: new Date(), by: null }, acknowledged: somebody })).toEqual([
      'Example',
      'Mute…',
      'Add a note…',
      'View events',
      'View affected',
    ]);
  });

  test("is all that a row of several has, within Slack's five entries", () => {
    const options = { messageId: 'digest-1', beside: null, namesPeople: true, cause: null, isTerse: true };
    const [, ...menu] = wordsOf({ blocks: incidentRow(anIncident({}), options) }).split('\n');
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
