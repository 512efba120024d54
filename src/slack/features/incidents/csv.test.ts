import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvLine } from './lists.ts';

describe('a line of a CSV file', () => {
  test('quotes special characters', () => {
    expect(csvLine(['user-1', 3, 'a,b', 'say "hi"', 'two\nlines'])).toBe(
      'user-1,3,"a,b","say ""hi""","two\nlines"\r\n',
    );
  });

  test('has a number as it is, also a negative one', () => {
    expect(csvLine([-2, 0, 1.5])).toBe('-2,0,1.5\r\n');
  });

  test.each(['=1+1', '+49 30', '-2', '@SUM(A1)', '\tx', '\rx'])("isn't a formula for spreadsheets: %j", (field) => {
    expect(csvLine([field])).toMatch(/^"?'/);
  });

  test('parses back as it was written', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', ',', '"', '\r', '\n', '=', ' ', 'é') }), { minLength: 1 }),
        (fields) => {
          const read = readCsv(csvLine(fields));
          expect(read).toEqual([fields.map((field) => (/^[=+\-@\t\r]/.test(field) ? `'${field}` : field))]);
        },
      ),
    );
  });
});

function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  for (const [, quoted, bare = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    record.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
}
