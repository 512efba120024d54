import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { IMPORT_RULES, ORDER } from '../scripts/import-rules.ts';

const BIOME = new URL('../node_modules/.bin/biome', import.meta.url).pathname;
const run = promisify(execFile);

type Planted = [file: string, imported: string];
const planted = (folder: string, imported: string): Planted => [`src/${folder}/planted.ts`, `src/${imported}`];

const AGAINST: readonly Planted[] = [
  ...ORDER.slice(1).map((later, index) => planted(ORDER[index] ?? '', `${later}/tables.ts`)),
  ...ORDER.slice(0, -1).map((folder) => planted(`${folder}/deeper`, 'app.ts')),
  planted('lib', 'slack/ctx.ts'),
  planted('slack/features/health', 'slack/features/event/lookup.ts'),
  planted('process', 'store/db.ts'),
  ['src/config.ts', 'src/slack/ctx.ts'],
  ['sandbox/slack/planted.ts', 'src/lib/logger.ts'],
];
const ALLOWED: readonly Planted[] = [
  ...ORDER.slice(1, -2).map((folder, index) => planted(`${folder}/allowed`, `${ORDER[index]}/tables.ts`)),
  planted('slack/features/health/allowed', 'incidents/tables.ts'),
];

test('Biome refuses each import against the order of folders, and no other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'import-rules-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const config = JSON.parse(await readFile('biome.json', 'utf8'));
  await writeFile(join(folder, 'biome.json'), JSON.stringify({ ...config, plugins: [], vcs: { enabled: false } }));
  await cp('biome.imports.json', join(folder, 'biome.imports.json'));
  const files = new Map<string, string>();
  for (const [file, imported] of [...AGAINST, ...ALLOWED]) {
    const text = `export type * from '${relative(dirname(file), imported)}';\n`;
    files.set(file, (files.get(file) ?? '') + text);
  }
  for (const [file, text] of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  const lint = ['lint', '--only=style/noRestrictedImports', '--reporter=json', '--max-diagnostics=200', '.'];
  const { stdout } = await run(BIOME, lint, { cwd: folder }).catch((refused: { stdout: string }) => refused);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { location: { path: string } }[] };
  const refused = diagnostics.map(({ location }) => location.path.replace(/^\.\//, ''));
  expect(refused.toSorted()).toEqual(AGAINST.map(([file]) => file).toSorted());
});

test('The rules are those of the list', async () => {
  expect(await readFile('biome.imports.json', 'utf8')).toBe(IMPORT_RULES);
});
