import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { refOf } from '../../incidents/incident.ts';
import { anIncident, wordsOf } from '../slack.testing.ts';
import { incidentRow } from './incident-row.ts';
import type { ShownMute } from './incident-words.ts';
import { incidentActions, parseRowTarget, writeRowTarget } from './row-controls.ts';

describe("a row's menu", () => {
  const entries = (change: Parameters<typeof anIncident>[0], mute: ShownMute = null) =>
    wordsOf({ blocks: [incidentActions(anIncident(change), { messageId: 'digest-1', mute })] }).split('\n');
  const SUBJECT = writeRowTarget({ messageId: 'digest-1', ...refOf(anIncident()) });
  const somebody = { actor: 'U0ANN', at: new Date() };
  const mute = { mutedBy: 'U0ANN', beginsAt: new Date(), until: new Date() };

  test('offers the actions that are possible, each at its place', () => {
    expect(entries({})).toEqual([
      'Acknowledge',
      'Assign…',
      'Example',
      'Mute…',
      'On call, follow…',
      'Add a note…',
      'View affected',
      'Resolve',
    ]);
    expect(entries({ state: { is: 'recovering', since: new Date() } }).slice(-5)).toEqual(entries({}).slice(-5));
    expect(incidentActions(anIncident({}), { messageId: 'digest-1', mute: null }).block_id).toBe(SUBJECT);
    expect(entries({ acknowledged: somebody })[0]).toBe('Unacknowledge');
    expect(entries({}, mute)).toContain('Unmute');
    expect(entries({ state: { is: 'resolved', ...somebody } })).toContain('Reopen');
    expect(entries({ state: { is: 'resolved', at: new Date(), actor: null }, acknowledged: somebody })).toEqual([
      'Timeline',
      'Send again…',
      'Example',
      'Mute…',
      'On call, follow…',
      'Add a note…',
      'View affected',
    ]);
  });

  test('offers to send nothing again where all went through after all', () => {
    expect(entries({ state: { is: 'resolved', ...somebody }, failures: 0 })).not.toContain('Send again…');
  });

  test('neither sends again what is only counted, nor is that said to be resolved', () => {
    const state = { is: 'resolved', at: new Date(), actor: null } as const;
    const words = wordsOf({
      blocks: incidentRow(anIncident({ state, verdict: 'undeliverable' }), {
        messageId: 'digest-1',
        beside: null,
        size: 'whole',
      }),
    });
    expect(words).not.toMatch(/resolved|Send again/);
  });

  test('is beside no [Example] once the newest failure is gone', () => {
    const example = { eventId: null, transactionId: '', subscriberId: null };
    expect(entries({ example }).slice(0, 3)).toEqual(['Acknowledge', 'Assign…', 'Mute…']);
  });

  test("is all that a row of several has: five entries, Slack's limit; the others are commands too", () => {
    const menu = (change: Parameters<typeof anIncident>[0]) => {
      const blocks = incidentRow(anIncident(change), { messageId: 'digest-1', beside: null, size: 'terse' });
      expect(blocks.map(({ block_id }) => block_id)).toEqual([SUBJECT]);
      return wordsOf({ blocks }).split('\n').slice(-5);
    };
    expect(menu({})).toEqual(['Acknowledge', 'Assign…', 'Mute…', 'On call, follow…', 'View affected']);
  });

  test("names its subject in the block's ID, whatever the message's ID", () => {
    fc.assert(
      fc.property(fc.option(fc.string({ minLength: 1 })), fc.nat(), fc.boolean(), (messageId, incidentId, hasCode) => {
        const target = { messageId, incidentId, code: hasCode ? '1f2e3d4c' : null };
        expect(parseRowTarget(writeRowTarget(target))).toEqual(target);
      }),
    );
  });

  test.each(['', 'v0|digest-1|1', 'v1|digest-1', 'v1|digest-1|x'])('finds no subject in %j', (id) => {
    expect(parseRowTarget(id)).toBeNull();
  });
});
