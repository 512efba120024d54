import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aRow, wordsOf } from '../../slack.testing.ts';
import { groupActions, parseAct, parseSubject, writeSubject } from './incident-menu.ts';

describe("a row's menu", () => {
  const entries = (change: Parameters<typeof aRow>[0]) =>
    wordsOf({ blocks: [groupActions(aRow(change), 'digest-1')] }).split('\n');
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
    const terse = wordsOf({ blocks: [groupActions(aRow({}), 'digest-1', true)] });
    expect(terse.split('\n')).toEqual(['Look up', ...acts, 'View events']);
  });

  test('comes with a Look up button whose label is distinct for screen readers', () => {
    const [lookUp] = groupActions(aRow({}), 'digest-1').elements;
    expect(lookUp).toMatchObject({ accessibility_label: 'Look up Email · SendGrid — order-shipped' });
  });

  test("names its subject in the block's ID, whatever the message's ID", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), (deliveryId, episodeId) => {
        expect(parseSubject(writeSubject({ deliveryId, episodeId }))).toEqual({ deliveryId, episodeId });
      }),
    );
  });

  test.each(['', 'v0|digest-1|1', 'v1|digest-1', 'v1|digest-1|x', 'v1|digest-1|1|2'])(
    'finds no subject in %j',
    (id) => {
      expect(parseSubject(id)).toBeNull();
    },
  );

  test('parses its own entries', () => {
    const subject = { deliveryId: 'digest-1', episodeId: 1 };
    expect(parseAct('mute', writeSubject(subject))).toEqual({ act: 'mute', subject });
    expect(parseAct('toString', writeSubject(subject))).toBeNull();
    expect(parseAct('mute', 'else')).toBeNull();
  });
});
