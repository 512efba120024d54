import { describe, expect, test } from 'vitest';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { ALL_FAILURES } from '../../../judging/filter.ts';
import { parseCommandText } from '../../../lib/input/filters.ts';
import { parseRun, RUN } from '../../kit/buttons.ts';
import {
  anIncident,
  at,
  buttonsOf,
  buttonValue,
  expectFit,
  HOSTILE,
  NOON,
  PRODUCTION,
  wordsOf,
} from '../../slack.testing.ts';
import { historyMessage } from './history.ts';

const REQUEST = { environment: 'production', filter: ALL_FAILURES, from: NOON, to: at(900) };
const ANN = { actor: 'U0ANN', at: at(600) };

const page = (...incidents: IncidentNow[]) => ({
  incidents,
  hasOlder: false,
  checkedTo: at(900),
  missing: [],
  environment: PRODUCTION,
  isUnseen: false,
});
const wordsFor = (incident: IncidentNow) => {
  const message = historyMessage(page(incident), REQUEST);
  expectFit(message);
  return wordsOf(message);
};

const since = at(192);
test.each<[string, Parameters<typeof anIncident>[0], string]>([
  ['still fails', {}, '| still failing |'],
  ['recovered', { state: { is: 'resolved', at: at(1_200), actor: null } }, '| resolved 2026-03-04 12:20 UTC |'],
  [
    'somebody resolved',
    { state: { is: 'resolved', at: at(1_200), actor: 'U0BEN' }, outbreak: 3, acknowledged: ANN },
    '| resolved by <@U0BEN> 2026-03-04 12:20 UTC, after 2 relapses · acknowledged by <@U0ANN> |',
  ],
  ['is unconfirmed', { state: { is: 'unconfirmed', since } }, '| unconfirmed recovery, no failures since'],
  ['is recovering', { state: { is: 'recovering', since } }, '| recovering, no failures since'],
  [
    'relapsed',
    { outbreak: 2, earlier: [{ from: at(-3_600), to: at(-3_000) }], failuresInAll: 255, failures: 5 },
    '| 2026-03-04 11:00 UTC – 12:03 UTC (13 min in 2 outbreaks) | 255, 47 people',
  ],
  [
    'is not alerted',
    { verdict: 'undeliverable', state: { is: 'resolved', at: at(1_200), actor: null } },
    '| not alerted |',
  ],
  ['was a single failure', { failures: 1, lastAt: at(12) }, '| 2026-03-04 12:00 UTC | 1, 47 people'],
])('a past incident that %s says so', (_, change, words) => {
  expect(wordsFor(anIncident(change))).toContain(words);
});

describe('the history', () => {
  test('has a row for each incident, and says up to when events were checked', () => {
    const note = { ...ANN, text: 'key rotated in vault' };
    const words = wordsFor(anIncident({ acknowledged: ANN, note }));
    expect(words).toMatch(/^production · 1 incident$[\s\S]*^Since 2026-03-04 12:00 UTC$/m);
    expect(words).toContain('Checked to 2026-03-04 12:15 UTC');
    expect(words).toContain(
      '#1 Email via SendGrid fails: API key refused (401) | still failing · acknowledged by <@U0ANN> · <@U0ANN>: “key rotated in vault” | 2026-03-04 12:00 UTC – 12:03 UTC (3 min) | 48, 47 people',
    );
  });

  test('says that there were none, with the filter, and whether anything was checked', () => {
    expect(wordsOf(historyMessage(page(), REQUEST))).toContain('✅ production · no incidents');
    const filter = { ...ALL_FAILURES, channels: ['email'] };
    const filtered = wordsOf(historyMessage(page(), { ...REQUEST, filter }));
    expect(filtered).toContain('✅ production · no incidents');
    expect(filtered).toContain('Only channel email');
    const missing = [{ from: NOON, to: at(900) }];
    const unchecked = wordsOf(historyMessage({ ...page(), checkedTo: null, missing }, REQUEST));
    expect(unchecked).toMatch(/^⚪ production · no incidents$[\s\S]*^Not checked yet$/m);
    expect(unchecked).not.toContain('✅');
  });

  test('of what nobody looked at loads more of it', () => {
    const many = Array.from({ length: 100 }, (_, index) => anIncident({ id: 200 - index }));
    const message = historyMessage({ ...page(...many), isUnseen: true, hasOlder: true }, REQUEST);
    expect(parseRun(buttonValue(message, RUN) ?? '')?.text).toContain(' unseen:');
    expect(parseCommandText('history unseen: since:7d').filters).toEqual({ unseen: ['yes'], since: ['7d'] });
  });

  test('gives no all-clear over times that were not checked, and names them', () => {
    const message = historyMessage({ ...page(), missing: [{ from: NOON, to: at(600) }] }, REQUEST);
    expect(wordsOf(message)).toContain('⚪ production · no incidents');
    expect(wordsOf(message)).toContain('⚠️ Not checked: 2026-03-04 12:00 UTC – 12:10 UTC');
    expect(wordsOf(message) + message.text).not.toContain('✅');
  });

  test('loads more after the last incident that fit, whatever its texts', () => {
    const cause = { text: HOSTILE.repeat(20), key: 'k' };
    const note = { ...ANN, text: HOSTILE.repeat(9).slice(0, 200) };
    const many = Array.from({ length: 100 }, (_, index) =>
      anIncident({ id: 200 - index, workflow: HOSTILE, cause, note }),
    );
    const message = historyMessage(page(...many), REQUEST);
    expectFit(message);
    const [, shown] = / · (\d+) incidents/.exec(wordsOf(message)) ?? [];
    expect(parseRun(buttonValue(message, RUN) ?? '')?.page?.cursor).toBe(`${201 - Number(shown)}`);
    expect(buttonsOf(historyMessage(page(anIncident()), REQUEST))).toEqual([]);
  });
});
