import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { METHODS, type Method } from '../sandbox/slack/web-api/methods.ts';
import { partsOf, rowsOf } from './sandbox-page.ts';
import { isTestCode, ROOT, sourceFiles } from './source-code.ts';

const FOLDER = join(ROOT, 'sandbox/slack');

const parts = partsOf('The local Slack');
const rows = [...parts.values()].flatMap(rowsOf);
const methodRows = rowsOf(parts.get('Methods') ?? '').map(({ line }) => line.split(' | '));

describe('docs/sandbox.md on the local Slack', () => {
  test.each(rows)('names only tests that exist: $file: $title', ({ file, title }) => {
    const source = readFileSync(join(FOLDER, `${file}.test.ts`), 'utf8');
    expect([`'${title}'`, `"${title}"`].some((quoted) => source.includes(quoted))).toBe(true);
  });

  test('has a row for every method, with its tier and scope, and no other rows', () => {
    const told = methodRows.map(([method = '', tier, scope]) => [method.replaceAll('`', ''), tier, scope]);
    expect(told).toEqual(Object.entries(METHODS).map(([name, method]) => [name, String(method.tier), scopeOf(method)]));
  });

  test('names only errors that the local Slack uses', () => {
    const code = sourceFiles('sandbox/slack')
      .filter((file) => !isTestCode(file))
      .map((file) => readFileSync(join(ROOT, file), 'utf8'))
      .join();
    const errors = methodRows.flatMap(([, , , errors = '']) =>
      [...errors.matchAll(/`(\w+)`/g)].map(([, word]) => word),
    );
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.filter((word) => !code.includes(`'${word}'`))).toEqual([]);
  });
});

/** The scope as the page words it. A scope that depends on the conversation type ends the same for all types. */
function scopeOf({ scope }: Method): unknown {
  if (scope === null) return '–';
  return typeof scope === 'string' ? `\`${scope}\`` : expect.stringMatching(/^`:(?:read|history)` of its kind$/);
}
