import { describe, expect, test } from 'vitest';
import type { EnvironmentChange } from '../../changes/change.ts';
import { aChange, aDeploy, anIntegrationChange, aWorkflowChange } from '../../changes/changes.testing.ts';
import { context } from '../kit/blocks.ts';
import { message } from '../kit/message.ts';
import { anIncident, at, HOSTILE, wordsOf } from '../slack.testing.ts';
import { incidentText } from './incident-row.ts';

function rowWith(change: Partial<EnvironmentChange>, size: 'whole' | 'terse' = 'whole') {
  const changedBefore = [{ ...aChange({ at: at(-120), notBefore: at(-240) }), ...change }];
  const incident = anIncident({ changedBefore, beganAt: at(0) });
  const text = incidentText(incident, { beside: null, size });
  return wordsOf(message([context(text)]));
}

describe('the line about a change before an incident', () => {
  test.each<[Partial<EnvironmentChange>, string]>([
    [{}, '⚙️ SendGrid integration (email): deactivated 2 min to 4 min before'],
    [
      { what: anIntegrationChange({ name: 'Mail EU', aspects: ['webhook off', 'renamed from Mail'] }) },
      '⚙️ Mail EU (SendGrid) integration (email): webhook off, renamed from Mail 2 min to 4 min before',
    ],
    [{ what: aWorkflowChange() }, '⚙️ Workflow Order shipped: variables changed 2 min to 4 min before'],
    [{ at: at(-88), notBefore: at(-108) }, 'deactivated 88 s to 108 s before'],
    [{ notBefore: at(-1_200) }, 'deactivated 2 min to 20 min before'],
    [{ what: aDeploy(), at: at(-240), notBefore: null }, '🚀 Deploy: checkout 2.3 4 min before'],
    [{ at: at(60), notBefore: at(-60) }, 'deactivated between 11:59:00 UTC and 12:01:00 UTC'],
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
    for (const change of [what, aDeploy({ name: HOSTILE }), aWorkflowChange({ name: HOSTILE })]) {
      expect(rowWith({ what: change })).toContain('&lt;!channel&gt;');
      expect(rowWith({ what: change })).not.toMatch(/<!channel>|<@U/);
    }
  });
});
