import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { refOf } from '../../../incidents/incident.ts';
import { csvLine } from '../../kit/csv-file.ts';
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
import { affectedMessage } from './affected.ts';
import { EVENTS, incidentFailuresMessage, parseFailures } from './incident-failures.ts';

const environments = [{ ...PRODUCTION, label: 'Live' }];

describe("a row's failures", () => {
  const failures = (count: number, id = 'txn_8f2c') =>
    Array.from({ length: count }, (_, n) => ({
      eventId: `65f00000000000000000${n + 1_000}`,
      transactionId: id,
      subscriberId: id,
      occurredAt: at(12),
    }));
  const request = { ...refOf(anIncident()), upTo: 900, offset: 0 };

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
    expect(parseFailures(buttonValue(message, EVENTS) ?? '')).toEqual({ ...request, offset: 100 + shown / 2 });
  });

  test('have a button for more only while more are stored, however many were counted', () => {
    const counted = anIncident({ failures: 412 });
    const last = incidentFailuresMessage({ ...request, offset: 100 }, counted, failures(50), environments);
    expect(buttonsOf(last)).not.toContain('Load more');
    const full = incidentFailuresMessage(request, counted, failures(101), environments);
    expect(wordsOf(full)).toMatch(/\d+ of 412 failures/);
    expect(buttonsOf(full)).toContain('Load more');
    const relapsed = anIncident({ failures: 6, outbreak: 2 });
    const some = incidentFailuresMessage(request, relapsed, failures(101), environments);
    expect(wordsOf(some)).toMatch(/\d+ failures; there are more · /);
    const none = incidentFailuresMessage(request, counted, [], environments);
    expect(wordsOf(none)).toContain('no failures stored any longer');
    expect(buttonsOf(none)).not.toContain('Load more');
  });

  test('have no button of another version', () => {
    for (const value of ['', 'v1|a|1|2', 'v1|1||0', 'v1|1|-1|0']) expect(parseFailures(value)).toBeNull();
  });
});

describe("a row's affected subscribers", () => {
  const hit = (count: number, subscriberId = 'user-0042') =>
    Array.from({ length: count }, () => ({
      subscriberId,
      failures: 3,
      firstSeen: NOON,
      lastSeen: at(60),
      workflow: 'order-shipped',
      transactionId: 'txn_1',
      contexts: 'tenant:acme',
    }));

  test('are listed and counted by context and domain, with a file of all', () => {
    const contexts = ['acme', 'globex'].map((tenant, at) => ({ label: `tenant:${tenant}`, subscribers: 31 - at }));
    const message = affectedMessage(anIncident(), hit(40), environments, contexts);
    expect(wordsOf(message)).toContain('Subscribers by context and domain: tenant:acme 31, tenant:globex 30');
    const single = affectedMessage(anIncident(), hit(40), environments, contexts.slice(0, 1));
    expect(wordsOf(single)).toContain('Subscribers by context and domain: tenant:acme 31');
    expect(wordsOf(message)).toContain('40 of 47 subscribers · ');
    expect(wordsOf(message)).toContain('user-0042 | 3 | 2026-03-04 12:01 UTC | order-shipped · tenant:acme | Look up');
    expectFit(message);
  });

  test('say at which mail domain nearly all of them are', () => {
    const label = { kind: 'domain', value: 'gmail.com' } as const;
    const shared = { label, events: 40, total: 42, isOfNewest: false, usually: 0.31 };
    const message = affectedMessage(anIncident({ shared }), hit(40), environments);
    expect(wordsOf(message)).toContain('🏷️ 40 of 42 at gmail.com (31% of traffic)');
  });

  test('after a relapse are those of the whole incident, whose number nobody knows', () => {
    const relapsed = anIncident({ outbreak: 2, subscribers: 6 });
    expect(wordsOf(affectedMessage(relapsed, hit(40), environments))).toContain('40 subscribers · ');
    expect(wordsOf(affectedMessage(relapsed, hit(101), environments))).toMatch(/\d+ subscribers; there are more · /);
  });

  test('may be unknown', () => {
    const unnamed = anIncident({ failures: 2, subscribers: 0 });
    expect(wordsOf(affectedMessage(unnamed, [], environments))).toContain('2 failures name no subscriber');
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
