import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvLine } from '../../router/csv-file.ts';
import { anIncident, at, expectFit, NOON, PRODUCTION, wordsOf } from '../../slack.testing.ts';
import { affectedMessage } from './affected.ts';

const environments = [{ ...PRODUCTION, label: 'Live' }];

describe("a row's affected subscribers", () => {
  const hit = (count: number, subscriberId = 'user-0042') =>
    Array.from({ length: count }, () => ({
      ...{ subscriberId, failures: 3, firstSeen: NOON, lastSeen: at(60) },
      ...{ workflow: 'order-shipped', transactionId: 'txn_1', contexts: 'tenant:acme' },
    }));

  test('are listed, with a file of all', () => {
    const message = affectedMessage(anIncident(), hit(40), environments);
    expect(wordsOf(message)).toContain('40 of 47 subscribers · ');
    expect(wordsOf(message)).toContain('Look up | user-0042 | 3 | 2026-03-04 12:01 UTC | order-shipped | tenant:acme');
    expectFit(message);
  });

  test('after a relapse are those of the whole incident, whose number nobody knows', () => {
    const relapsed = anIncident({ relapses: 1, subscribers: 6 });
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
