import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSeal } from '../lib/seal.ts';
import { secretIn } from './secret.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-secret-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('a secret of its own is made once, for its user alone, and opens what the bot token sealed before and another one later', async () => {
  const file = join(await newFolder(), 'secret');
  const secret = await secretIn(file);
  expect([await secretIn(file), (await stat(file)).mode & 0o777]).toEqual([secret, 0o600]);
  const before = createSeal('xoxb-old').close('anna@example.com');
  const sealed = createSeal(secret, 'xoxb-old').close('ben@example.com');
  expect(createSeal(secret, 'xoxb-old').open(before)).toBe('anna@example.com');
  expect(createSeal(secret, 'xoxb-new').open(sealed)).toBe('ben@example.com');
});

test('a secret that is too short, or that cannot be made, is refused with what to do', async () => {
  const folder = await newFolder();
  const file = join(folder, 'secret');
  await writeFile(file, 'too-short');
  await expect(secretIn(file)).rejects.toThrow('set NOTIF_SECRET_FILE to a file of 43 characters or more');
  await expect(secretIn(join(folder, 'none/secret'))).rejects.toThrow('set NOTIF_SECRET_FILE to a file');
});
