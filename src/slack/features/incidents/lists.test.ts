import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALL_FAILURES } from '../../../failures/filter.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
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
import {
  affectedMessage,
  csvLine,
  historyMessage,
  incidentFailuresMessage,
  MORE_EVENTS,
  parseEvents,
} from './lists.ts';

const environments = [{ ...PRODUCTION, label: 'Live' }];

describe("a row's failures", () => {
  const failures = (count: number, id = 'txn_8f2c') =>
    Array.from({ length: count }, (_, n) => ({
      eventId: `65f00000000000000000${n + 1_000}`,
      transactionId: id,
      subscriberId: id,
      occurredAt: at(12),
    }));
  const request = { incidentId: 12, upTo: 900, offset: 0 };

  test('are listed, each with a choice that looks up its event', () => {
    const message = incidentFailuresMessage(request, anIncident(), failures(48), environments);
    expect(wordsOf(message)).toMatch(/^48 failures · .* \(401\) · Live · #1$/m);
    expect(wordsOf(message)).toContain('txn_8f2c | txn_8f2c | 2026-03-04 12:00 UTC');
    expect(JSON.stringify(message.blocks)).toContain('v1|production|event|65f000000000000000001000');
    expect(buttonsOf(message)).toEqual(['View affected', 'Chart']);
    expectFit(message);
  });

  test('go on after the last one that fit, whatever their IDs', () => {
    const cause = { text: HOSTILE.repeat(9), key: 'k' };
    const message = incidentFailuresMessage(
      { ...request, offset: 100 },
      anIncident({ failures: 480, workflow: HOSTILE, cause }),
      failures(100, '&'.repeat(255)),
      environments,
    );
    expectFit(message);
    expect(wordsOf(message)).toMatch(/^101–\d+ of 480 failures · /);
    const shown = wordsOf(message).match(/&… \|/g)?.length ?? 0;
    expect(parseEvents(buttonValue(message, MORE_EVENTS) ?? '')).toEqual({ ...request, offset: 100 + shown / 2 });
  });

  test('have a button for more only while more are stored, however many were counted', () => {
    const counted = anIncident({ failures: 412 });
    const last = incidentFailuresMessage({ ...request, offset: 100 }, counted, failures(50), environments);
    expect(buttonsOf(last)).not.toContain('Load more');
    const full = incidentFailuresMessage(request, counted, failures(101), environments);
    expect(wordsOf(full)).toMatch(/\d+ of 412 failures/);
    expect(buttonsOf(full)).toContain('Load more');
    const none = incidentFailuresMessage(request, counted, [], environments);
    expect(wordsOf(none)).toContain('no failures stored any longer');
    expect(buttonsOf(none)).not.toContain('Load more');
  });

  test('have no button of another version', () => {
    for (const value of ['', 'v1|a|1|2', 'v1|x||0', 'v1|1|-1|0']) expect(parseEvents(value)).toBeNull();
  });
});

describe("a row's affected subscribers", () => {
  const hit = (count: number, subscriberId = 'user-0042') =>
    Array.from({ length: count }, () => ({ subscriberId, failures: 3, firstSeen: NOON, lastSeen: at(60) }));

  test('are listed, with a file of all', () => {
    const message = affectedMessage(anIncident(), hit(40), environments);
    expect(wordsOf(message)).toContain('40 of 47 subscribers · ');
    expect(wordsOf(message)).toContain('user-0042 | 3 | 2026-03-04 12:00 UTC | 2026-03-04 12:01 UTC');
    expect(buttonsOf(message)).toEqual(['Download CSV']);
    expectFit(message);
  });

  test('may be unknown', () => {
    const unnamed = anIncident({ failures: 2, subscribers: 0 });
    expect(wordsOf(affectedMessage(unnamed, [], environments))).toContain('2 failures name no subscriber');
  });

  test('fit whatever their IDs', () => {
    expectFit(affectedMessage(anIncident(), hit(100, HOSTILE.repeat(9)), environments));
  });
});

describe('a line of a CSV file', () => {
  test.each(['=1+1', '+49 30', '-2', '@SUM(A1)', '\tx', '\rx'])("isn't a formula for spreadsheets: %j", (field) => {
    expect(csvLine([field])).toMatch(/^"?'/);
  });

  test('parses back as it was written', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', ',', '"', '\r', '\n', '=', ' ', 'é') }), { minLength: 1 }),
        (fields) => {
          const read = readCsv(csvLine(fields));
          expect(read).toEqual(fields.map((field) => (/^[=+\-@\t\r]/.test(field) ? `'${field}` : field)));
        },
      ),
    );
  });
});

function readCsv(text: string): string[] {
  const fields = [...text.matchAll(/"((?:[^"]|"")*)"(?:,|\r\n)/g)];
  return fields.map(([, field = '']) => field.replaceAll('""', '"'));
}

const REQUEST = { environment: 'production', filter: ALL_FAILURES, from: NOON, to: at(900) };
const ANN = { by: 'U0ANN', at: at(600) };

const page = (...incidents: IncidentNow[]) => ({
  incidents,
  hasOlder: false,
  checkedTo: at(900),
  unchecked: [],
  environment: PRODUCTION,
});
const wordsFor = (incident: IncidentNow) => {
  const message = historyMessage(page(incident), REQUEST);
  expectFit(message);
  return wordsOf(message);
};

describe('a past incident', () => {
  const since = at(192);
  test.each<[string, Parameters<typeof anIncident>[0], string]>([
    ['still fails', {}, '| still failing |'],
    ['recovered', { state: { is: 'resolved', at: at(1_200), by: null } }, '| recovered at 12:20 UTC |'],
    [
      'somebody resolved',
      { state: { is: 'resolved', at: at(1_200), by: 'U0BEN' }, relapses: 2, acknowledged: ANN },
      '| resolved by <@U0BEN> at 12:20 UTC, after 2 relapses · acknowledged by <@U0ANN> |',
    ],
    ['is unconfirmed', { state: { is: 'unconfirmed', since } }, '| unconfirmed recovery, no failures since'],
    ['is recovering', { state: { is: 'recovering', since } }, '| recovering, no failures since'],
    ['relapsed', { relapses: 1, recorded: 255, failures: 5 }, ' | 5, 255 in all | '],
    ['was a single failure', { failures: 1, lastAt: at(12) }, '| 2026-03-04 12:00 UTC | 1 |'],
  ])('that %s says so', (_, change, words) => {
    expect(wordsFor(anIncident(change))).toContain(words);
  });
});

describe('the history', () => {
  test('has a row for each incident, and says up to when events were checked', () => {
    const note = { ...ANN, text: 'key rotated in vault' };
    const words = wordsFor(anIncident({ acknowledged: ANN, note }));
    expect(words).toContain('production · since 2026-03-04 12:00 UTC · 1 incident');
    expect(words).toContain('Checked to 2026-03-04 12:15 UTC');
    expect(words).toContain(
      '#1 | Email via SendGrid fails: API key refused (401) | 2026-03-04 12:00 UTC – 12:03 UTC (3 min) | 48 | 47 | still failing · acknowledged by <@U0ANN> | <@U0ANN>: “key rotated in vault”',
    );
  });

  test('says that there were none, with the filter, and whether anything was checked', () => {
    expect(wordsOf(historyMessage(page(), REQUEST))).toContain(
      '✅ production · since 2026-03-04 12:00 UTC · no incidents',
    );
    const filter = { ...ALL_FAILURES, channels: ['email'] };
    const filtered = wordsOf(historyMessage(page(), { ...REQUEST, filter }));
    expect(filtered).toContain('✅ production · since 2026-03-04 12:00 UTC · no incidents');
    expect(filtered).toContain('Only channel email');
    const unchecked = wordsOf(historyMessage({ ...page(), checkedTo: null }, REQUEST));
    expect(unchecked).toMatch(/⚪ production .* no incidents\nNot checked yet/);
    expect(unchecked).not.toContain('✅');
  });

  test('gives no all-clear over times that were not checked, and names them', () => {
    const message = historyMessage({ ...page(), unchecked: [{ from: NOON, to: at(600) }] }, REQUEST);
    expect(wordsOf(message)).toContain('⚪ production · since 2026-03-04 12:00 UTC · no incidents');
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
