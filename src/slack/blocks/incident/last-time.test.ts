import { describe, expect, test } from 'vitest';
import type { LastTime } from '../../../domain/incidents/last-time.ts';
import { aRow, at, expectFit, HOSTILE, wordsOf } from '../../slack.testing.ts';
import { message } from '../blocks.ts';
import { mrkdwn } from '../text.ts';
import { type IncidentRowOptions, incidentRow } from './incident-row.ts';

const NOTE = { by: 'U0ANN', at: at(1_860), text: 'key had been rotated in vault, not here' };
const NOBODY = { acknowledgedBy: null, assignedTo: null, resolvedBy: null };
const LAST: LastTime = { from: at(-90_000), to: at(-82_800), taken: NOBODY, note: NOTE, since: 0 };

const OPTIONS: IncidentRowOptions = { messageId: 'd', beside: null, cause: null, namesPeople: true, isTerse: false };

function wordsFor(change: Parameters<typeof aRow>[0], options: Partial<IncidentRowOptions> = {}): string {
  const row = message(mrkdwn`row`, incidentRow(aRow(change), { ...OPTIONS, ...options }));
  expectFit(row);
  return wordsOf(row);
}

describe('the row of a returning incident', () => {
  test('shows when it last occurred, for how long, and its note', () => {
    expect(wordsFor({ lastTime: LAST })).toContain(
      '\n📝 Last time (2026-03-03 11:00 UTC, 2 h): “key had been rotated in vault, not here” (<@U0ANN>)\n',
    );
  });

  test('shows who acknowledged, was assigned or resolved it', () => {
    const taken = { acknowledgedBy: 'U0ANN', assignedTo: 'U0BEN', resolvedBy: 'U0CAT' };
    expect(wordsFor({ lastTime: { ...LAST, note: null, taken } })).toContain(
      ': acknowledged by <@U0ANN>, assigned to <@U0BEN>, resolved by <@U0CAT>\n',
    );
  });

  test('counts how often it has since come and gone by itself', () => {
    expect(wordsFor({ lastTime: { ...LAST, since: 1 } })).toContain(
      'Last handled outage (2026-03-03 11:00 UTC, 2 h; recovered by itself once since)',
    );
    expect(wordsFor({ lastTime: { ...LAST, since: 3 } })).toContain('; recovered by itself 3 times since): “key');
  });

  test('leaves out the length of a single failure', () => {
    expect(wordsFor({ lastTime: { ...LAST, to: LAST.from } })).toContain('Last time (2026-03-03 11:00 UTC): “key');
  });

  test('mentions nobody in a new message', () => {
    const lastTime = { ...LAST, taken: { ...NOBODY, acknowledgedBy: 'U0ANN' } };
    const words = wordsFor({ lastTime, note: NOTE }, { namesPeople: false });
    expect(words).toContain('“key had been rotated in vault, not here” · acknowledged\n');
    expect(words).toContain('📝 note, 2026-03-04 12:31 UTC: “key');
    expect(words).not.toContain('<@');
  });

  test('leaves out its past when room is scarce', () => {
    expect(wordsFor({ lastTime: LAST, note: NOTE }, { isTerse: true })).not.toContain('📝');
  });
});

describe('a row with a note', () => {
  test('shows it with the state, while open and when resolved', () => {
    const words = '📝 note by <@U0ANN>, 2026-03-04 12:31 UTC: “key had been rotated in vault, not here”';
    expect(wordsFor({ note: NOTE })).toContain(words);
    expect(wordsFor({ note: NOTE, state: { is: 'resolved', at: at(60), by: null } })).toContain(words);
  });

  test('escapes hostile text', () => {
    const hostile = { ...NOTE, text: HOSTILE };
    expect(wordsFor({ note: hostile, lastTime: { ...LAST, note: hostile } })).toContain('“');
  });
});
