import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ROOT } from './source-code.ts';

const Dependencies = z.record(z.string(), z.string());
const Package = z.object({ dependencies: Dependencies, devDependencies: Dependencies });

const page = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8');
const [atRunTime = '', forDevelopment = ''] = page.split('## For development');
const declared = Package.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));

/** Returns the packages in the first column of a table. */
function rowsOf(part: string): string[] {
  const rows = part.match(/^\| `.*$/gm) ?? [];
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map((name) => name[1] ?? ''));
}

test.each([
  ['at run time', atRunTime, declared.dependencies],
  ['for development', forDevelopment, declared.devDependencies],
])('docs/dependencies.md says why each package is used %s', (_, part, packages) => {
  expect(rowsOf(part).sort()).toEqual(Object.keys(packages).sort());
});
