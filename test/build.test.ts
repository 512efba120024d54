import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { build } from '../scripts/build/build.ts';
import { fingerprintOf } from '../scripts/build/fingerprint.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'notif-build-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const FILES = Array.from({ length: 20 }, (_, index) => `module-${index}.js`);

const folders = () => ({ folder: join(root, 'dist'), workFolder: join(root, 'work') });
const left = async () => [...(await readdir(root)), ...(await readdir(join(root, 'work')))];

/** A build that writes twenty files one after another, each containing `version`. */
function buildOf(version: string) {
  const makes: string[] = [];
  const make = async (folder: string) => {
    makes.push(folder);
    for (const file of FILES) await writeFile(join(folder, file), version);
  };
  return { makes, run: () => build({ ...folders(), fingerprint: version, make }) };
}

const read = (file: string) => readFile(join(root, 'dist', file), 'utf8');

describe('the build of npm start', () => {
  test("doesn't rebuild what is up to date", async () => {
    const { makes, run } = buildOf('one');
    expect([await run(), await run()]).toEqual(['built', 'kept']);
    expect(makes).toHaveLength(1);
  });

  test('lets every user of the machine read the result, and its owner alone write it', async () => {
    const make = async (folder: string) => {
      await mkdir(join(folder, 'database'), { mode: 0o700 });
      await writeFile(join(folder, 'database', 'table'), '');
      await chmod(join(folder, 'database', 'table'), 0o666);
    };
    await build({ ...folders(), fingerprint: 'one', make });
    const modes = ['', 'database', 'database/table'].map(async (path) => {
      return ((await stat(join(root, 'dist', path))).mode & 0o777).toString(8);
    });
    expect(await Promise.all(modes)).toEqual(['755', '755', '644']);
  });

  test('gives replicas that start at the same time from new sources a complete build each', async () => {
    await buildOf('old').run();
    const copies = Array.from({ length: 4 }, async () => {
      await buildOf('new').run();
      return Promise.all(FILES.map(read));
    });
    for (const files of await Promise.all(copies)) expect(new Set(files)).toEqual(new Set(['new']));
    expect(await left()).toEqual(['dist', 'work']);
  });

  test('keeps the last build and reports the reason when the next build fails', async () => {
    await buildOf('one').run();
    const make = () => Promise.reject(new Error('a type error'));
    const failing = build({ ...folders(), fingerprint: 'two', make });
    await expect(failing).rejects.toThrow('a type error');
    expect(await read('module-0.js')).toBe('one');
    expect(await left()).toEqual(['dist', 'work']);
  });
});

describe('the fingerprint of the sources', () => {
  const fingerprint = () => fingerprintOf(root, ['src', 'lock.json']);
  beforeEach(async () => {
    await mkdir(join(root, 'src', 'deep'), { recursive: true });
    await writeFile(join(root, 'lock.json'), '{}');
    await writeFile(join(root, 'src', 'deep', 'one.ts'), '1');
  });

  test.each([
    ['a file changes', () => writeFile(join(root, 'src', 'deep', 'one.ts'), '2')],
    ['a file is added', () => writeFile(join(root, 'src', 'two.ts'), '')],
    ['a file is removed', () => rm(join(root, 'src', 'deep', 'one.ts'))],
    ['the lock file changes', () => writeFile(join(root, 'lock.json'), '{ }')],
  ])('changes when %s', async (_, change) => {
    const before = await fingerprint();
    await change();
    expect(await fingerprint()).not.toBe(before);
  });

  test("doesn't change when a test changes", async () => {
    const before = await fingerprint();
    await writeFile(join(root, 'src', 'deep', 'one.test.ts'), '');
    expect(await fingerprint()).toBe(before);
  });
});
