import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const BIOME = new URL('../node_modules/.bin/biome', import.meta.url).pathname;
const run = promisify(execFile);

const PLANTED = {
  'writes.ts': `
export interface Db {
  write(text: string): Promise<number>;
  delete(table: string): { where(id: string): unknown };
}
/* refused */ export const lazy = (tx: Db, id: string) => tx.delete('watches').where(id);
/* refused */ export function passedOn(tx: Db) {
  return tx.write('');
}
export const declared = (tx: Db): Promise<number> => tx.write('');
export const begun = async (tx: Db) => {
  await tx.delete('watches').where('1');
};`,
  'acts.ts': `
import { begun, type Db, declared } from './writes.ts';
export async function forget(tx: Db): Promise<void> {
  /* refused */ declared(tx);
  /* refused */ begun(tx);
  /* refused */ tx.write('');
  /* refused */ tx.delete('watches').where('1');
  /* refused */ tx
    .delete('watches')
    .where('1');
  await declared(tx);
  await begun(tx);
  await tx.delete('watches').where('1');
  const statement = tx.delete('watches');
  await statement.where('1');
}`,
};

test('Lint refuses each write that nobody awaits, and what would hide one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'awaited-writes-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { plugins, linter } = JSON.parse(await readFile('biome.json', 'utf8'));
  const { noFloatingPromises } = linter.rules.nursery;
  const rules = { preset: 'none', nursery: { noFloatingPromises } };
  const copied = plugins.map((_: string, index: number) => `./${index}.grit`);
  await writeFile(join(folder, 'biome.json'), JSON.stringify({ plugins: copied, linter: { rules } }));
  for (const [index, plugin] of plugins.entries()) await cp(plugin, join(folder, copied[index]));
  for (const [file, text] of Object.entries(PLANTED)) await writeFile(join(folder, file), text);

  const lint = ['lint', '--reporter=json', '.'];
  const { stdout } = await run(BIOME, lint, { cwd: folder }).catch((refused: { stdout: string }) => refused);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { location: Location }[] };
  const refused = diagnostics.map(({ location }) => `${location.path.replace(/^\.\//, '')}:${location.start.line}`);
  expect(refused.toSorted()).toEqual(linesRefused().toSorted());
});

interface Location {
  path: string;
  start: { line: number };
}

function linesRefused(): string[] {
  return Object.entries(PLANTED).flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => (line.includes('/* refused */') ? [`${file}:${index + 1}`] : [])),
  );
}
