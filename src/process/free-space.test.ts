import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { watchFreeSpace } from './free-space.ts';

const MB = 2 ** 20;

function log() {
  const lines: string[] = [];
  const note = (_: object, sentence: string): void => void lines.push(sentence.split(':')[0] ?? '');
  return { lines, logger: { debug: note, info: note, warn: note, error: note } };
}

test('warns once when the disk of the data folder fills up, is not ready below 64 MB, and says when there is space again', async () => {
  const { lines, logger } = log();
  let bytes = 1_000 * MB;
  const space = await watchFreeSpace('/data', logger, async () => bytes);
  const seen: boolean[] = [];
  for (bytes of [150 * MB, 63 * MB, 64 * MB, 1_000 * MB]) {
    await space.look();
    seen.push(space.isEnough());
  }
  expect(seen).toEqual([true, false, true, true]);
  expect(lines).toEqual(['Disk of the data folder is almost full', 'Disk of the data folder has enough space again']);
  space.stop();
});

test('counts as enough where nobody can say, and measures a real folder', async () => {
  const { logger } = log();
  const server = await watchFreeSpace(null, logger);
  const silent = await watchFreeSpace('/data', logger, () => Promise.reject(new Error('not supported')));
  const real = await watchFreeSpace(tmpdir(), logger);
  expect([server.bytes(), server.isEnough(), silent.bytes(), silent.isEnough()]).toEqual([null, true, null, true]);
  expect(real.bytes()).toBeGreaterThan(0);
  for (const space of [server, silent, real]) space.stop();
});
