import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aRow, wordsOf } from '../../slack.testing.ts';
import { incidentActions, parseAct, parseActionTarget, writeActionTarget } from './incident-menu.ts';

describe("a row's menu", () => {
  const entries = (change: Parameters<typeof aRow>[0]) =>
    wordsOf({ blocks: [incidentActions(aRow(change), 'digest-1')] }).split('\n');
  const somebody = { by: 'U0ANN', at: new Date() };
  const mute = { by: 'U0ANN', from: new Date(), until: new Date() };

  test('offers the actions that are possible', () => {
    const acts = ['Acknowledge', 'Assign…', 'Resolve', 'Mute…'];
    expect(entries({})).toEqual(['Look up', 'View events', 'Chart', ...acts, 'Add a note…']);
    expect(entries({ acknowledged: somebody })).toContain('Unacknowledge');
    expect(entries({ mute })).toContain('Unmute');
    expect(entries({ state: { is: 'resolved', at: new Date(), by: null }, acknowledged: somebody })).toEqual([
      'Look up',
      'Chart',
      'Mute…',
      'Add a note…',
      'View events',
      'View affected',
    ]);
    const terse = wordsOf({ blocks: [incidentActions(aRow({}), 'digest-1', true)] });
    expect(terse.split('\n')).toEqual(['Look up', ...acts, 'View events']);
  });

  test('comes with a Look up button whose label is distinct for screen readers', () => {
    const [lookUp] = incidentActions(aRow({}), 'digest-1').elements;
    expect(lookUp).toMatchObject({ accessibility_label: 'Look up Email · SendGrid — order-shipped' });
  });

  test("names its subject in the block's ID, whatever the message's ID", () => {
    fc.assert(
      fc.property(fc.option(fc.string({ minLength: 1 })), fc.nat(), (messageId, episodeId) => {
        expect(parseActionTarget(writeActionTarget({ messageId, episodeId }))).toEqual({ messageId, episodeId });
      }),
    );
  });

  test.each(['', 'v0|digest-1|1', 'v1|digest-1', 'v1|digest-1|x', 'v1|digest-1|1|2'])(
    'finds no subject in %j',
    (id) => {
      expect(parseActionTarget(id)).toBeNull();
    },
  );

  test('parses its own entries', () => {
    const target = { messageId: 'digest-1', episodeId: 1 };
    expect(parseAct('mute', writeActionTarget(target))).toEqual({ act: 'mute', target });
    expect(parseAct('toString', writeActionTarget(target))).toBeNull();
    expect(parseAct('mute', 'else')).toBeNull();
  });
});
