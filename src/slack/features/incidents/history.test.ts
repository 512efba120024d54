import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALL_FAILURES, filterBy } from '../../../failures/filter.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { parseCommandText } from '../../../lib/input/filters.ts';
import {
  anIncident,
  aTally,
  at,
  buttonsOf,
  buttonValue,
  expectFit,
  HOSTILE,
  NOON,
  PRODUCTION,
  wordsOf,
} from '../../slack.testing.ts';
import {
  type HistoryOptions,
  type HistoryRequest,
  historyMessage,
  MORE_INCIDENTS,
  parseHistoryRequest,
  parseRequest,
  pastIncidentMessage,
  writeRequest,
} from './history.ts';

const REQUEST: HistoryRequest = { environment: 'production', filter: ALL_FAILURES, since: NOON, olderThan: null };
const OPTIONS: HistoryOptions = { environment: PRODUCTION, request: REQUEST, retentionDays: 30 };
const ANN = { by: 'U0ANN', at: at(600) };

const page = (...incidents: IncidentNow[]) => ({ incidents, hasOlder: false, asOf: at(900), unchecked: [] });
const wordsFor = (incident: IncidentNow) => {
  const message = historyMessage(page(incident), OPTIONS);
  expectFit(message);
  return wordsOf(message);
};

describe('a past incident', () => {
  const since = at(192);
  test.each<[string, Parameters<typeof anIncident>[0], string]>([
    ['still fails', {}, '| still failing |'],
    ['recovered', { state: { is: 'resolved', at: at(1_200), by: null } }, '| recovered at 2026-03-04 12:20 UTC |'],
    [
      'somebody resolved',
      { state: { is: 'resolved', at: at(1_200), by: 'U0BEN' }, relapses: 2, acknowledged: ANN },
      '| resolved by <@U0BEN> at 2026-03-04 12:20 UTC, after 2 relapses · acknowledged by <@U0ANN> |',
    ],
    ['is unconfirmed', { state: { is: 'unconfirmed', since } }, '| unconfirmed recovery, no failures since'],
    ['is recovering', { state: { is: 'recovering', since } }, '| recovering, no failures since'],
    ['was a single failure', { tally: aTally({ failures: 1, lastSeen: at(12) }) }, '| 2026-03-04 12:00 UTC | 1 |'],
  ])('that %s says so', (_, change, words) => {
    expect(wordsFor(anIncident(change))).toContain(words);
  });

  test('is looked up with its row, its menu and its earlier notes', () => {
    const notes = [
      { ...ANN, text: 'fixed for good' },
      { ...ANN, text: 'key rotated in vault' },
    ];
    const over = { is: 'resolved', at: at(1_200), by: null } as const;
    const message = pastIncidentMessage(anIncident({ state: over, note: notes[0] ?? null }), notes);
    expectFit(message);
    expect(wordsOf(message).match(/fixed for good/g)).toHaveLength(1);
    expect(wordsOf(message)).toContain('📝 <@U0ANN>, 2026-03-04 12:10 UTC: “key rotated in vault”');
    const entries = JSON.stringify(message.blocks).match(/(?<="value":")[a-z-]+(?="})/g);
    expect(entries).toEqual(['note', 'events', 'affected']);
  });
});

describe('the history', () => {
  test('has a row for each incident, and says up to when events were checked', () => {
    const note = { ...ANN, text: 'key rotated in vault' };
    const words = wordsFor(anIncident({ acknowledged: ANN, note }));
    expect(words).toContain('production · 1 incident since 2026-03-04 12:00 UTC');
    expect(words).toContain('Checked to 2026-03-04 12:15 UTC · Kept for 30 days, notes for 365');
    expect(words).toContain(
      '#1 | Email via SendGrid fails: The provided authorization grant is invalid (401) | 2026-03-04 12:00 UTC – 2026-03-04 12:03 UTC (3 min) | 48 | 47 | still failing · acknowledged by <@U0ANN> | <@U0ANN>: “key rotated in vault”',
    );
  });

  test('says that there were none, with the filter, and whether anything was checked', () => {
    expect(wordsOf(historyMessage(page(), OPTIONS))).toContain(
      '✅ No incidents in production since 2026-03-04 12:00 UTC.',
    );
    const filter = { ...ALL_FAILURES, channels: ['email'] };
    const filtered = wordsOf(historyMessage(page(), { ...OPTIONS, request: { ...REQUEST, filter } }));
    expect(filtered).toContain('✅ No such incidents in production');
    expect(filtered).toContain('Only channel email');
    const unchecked = wordsOf(historyMessage({ ...page(), asOf: null }, OPTIONS));
    expect(unchecked).toContain("⚪ production hasn't been checked yet");
    expect(unchecked).not.toContain('✅');
  });

  test('gives no all-clear over times that were not checked, and names them', () => {
    const message = historyMessage({ ...page(), unchecked: [{ from: NOON, to: at(600) }] }, OPTIONS);
    expect(wordsOf(message)).toContain('⚪ No incidents found in production since 2026-03-04 12:00 UTC.');
    expect(wordsOf(message)).toContain('⚠️ Not checked: 2026-03-04 12:00 UTC – 2026-03-04 12:10 UTC');
    expect(wordsOf(message) + message.text).not.toContain('✅');
  });

  test('loads more after the last incident that fit, whatever its texts', () => {
    const cause = { text: HOSTILE.repeat(20), key: 'k' };
    const note = { ...ANN, text: HOSTILE.repeat(9).slice(0, 200) };
    const many = Array.from({ length: 100 }, (_, index) =>
      anIncident({ id: 200 - index, tally: aTally({ kind: { workflow: HOSTILE, cause } }), note }),
    );
    const message = historyMessage(page(...many), OPTIONS);
    expectFit(message);
    const [, shown] = /production · (\d+) incidents/.exec(wordsOf(message)) ?? [];
    expect(parseRequest(buttonValue(message, MORE_INCIDENTS) ?? '')?.olderThan).toBe(201 - Number(shown));
    expect(buttonsOf(historyMessage(page(anIncident()), OPTIONS))).toEqual([]);
  });
});

describe('the request for history', () => {
  const asked = (text: string) => ({
    ...parseCommandText(text),
    environment: PRODUCTION,
    timeZone: 'UTC',
  });

  test('accepts the filters of failures, and any time that is kept', () => {
    const request = parseHistoryRequest(
      asked('since:7d channel:In-App workflow:a,b tag:x email:ann@people.example'),
      at(0),
      30,
    );
    expect(request.since).toEqual(at(-7 * 86_400));
    expect(request.filter).toMatchObject({ channels: ['in_app'], workflows: ['a', 'b'], tags: ['x'] });
    expect(parseHistoryRequest(asked(''), at(0), 7).since).toEqual(at(-7 * 86_400));
  });

  test.each(['since:31d', 'verdict:broken'])('refuses %s', (text) => {
    expect(() => parseHistoryRequest(asked(text), at(0), 30)).toThrow();
  });

  test('survives a round trip through a button', () => {
    const request = fc.record({
      environment: fc.string(),
      filter: fc.array(fc.string(), { maxLength: 3 }).map((names) => filterBy(() => names)),
      since: fc.date({ min: new Date(0), max: at(1e9), noInvalidDate: true }),
      olderThan: fc.option(fc.nat()),
    });
    fc.assert(fc.property(request, (one) => void expect(parseRequest(writeRequest(one))).toEqual(one)));
    for (const value of ['', 'v0|a|1|', 'v1|a|soon|', 'v1|a|1|x']) expect(parseRequest(value)).toBeNull();
  });
});
