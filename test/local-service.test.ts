import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OPERATIONS, SENT_TYPES, TRIGGER_STATUSES } from './contract.ts';
import { partsOf, rowsOf } from './sandbox-page.ts';
import { ROOT } from './source-code.ts';

/** The known error statuses (notes, "Transport"). */
const ERRORS = ['400', '401', '402', '404', '409', '413', '422', '429', '500', '502', '503', '504'];

const FOLDER = join(ROOT, 'sandbox/notification-service');

const sourceOf = (file: string) => readFileSync(join(FOLDER, `${file}.test.ts`), 'utf8');

function titlesIn(file: string): string[] {
  return [...sourceOf(file).matchAll(/(?:^\s*test\(|\]\)\()\s*'([^']+)'/gm)].map(([, title = '']) => title);
}

const parts = partsOf('The local Notification Service');
const rows = [...parts.values()].flatMap(rowsOf);
const conformance = readdirSync(join(FOLDER, 'conformance'))
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `conformance/${name.replace('.test.ts', '')}`);

describe('docs/sandbox.md on the local Notification Service', () => {
  test.each(rows)('names only tests that exist: $file: $title', ({ file, title }) => {
    expect(sourceOf(file)).toContain(`'${title}'`);
  });

  test.each(conformance)('names every test of %s', (file) => {
    const named = rows.filter((row) => row.file === file).map(({ title }) => title);
    expect(new Set(named)).toEqual(new Set(titlesIn(file)));
  });

  test.each(Object.entries(OPERATIONS))('mentions each parameter of %s', (name, { method, path, parameters }) => {
    const part = parts.get(`\`${name}\`: \`${method} ${path}\``) ?? '';
    expect(parameters.filter((parameter) => !part.includes(`\`${parameter}\``))).toEqual([]);
  });

  test('mentions each field that is sent', () => {
    const sent = Object.values(SENT_TYPES).flat();
    const text = rows.map(({ line }) => line).join();
    expect(sent.filter((field) => !text.includes(`\`${field}\``))).toEqual([]);
  });

  test('mentions each status of an error and of a trigger’s result', () => {
    const text = rows.map(({ line, title }) => `${line} ${title}`).join();
    expect([...ERRORS, ...TRIGGER_STATUSES].filter((status) => !text.includes(status))).toEqual([]);
  });
});
