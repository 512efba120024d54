import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silent } from '../lib/logger.testing.ts';
import { startPooler } from './pooler.testing.ts';
import { type EnvironmentLocks, takeEnvironmentLocks } from './replica-locks.ts';
import { cutConnections, dropDatabase, newDatabase, newEmptyDatabase } from './store.testing.ts';

let url: string;
let replicas: EnvironmentLocks[];
/** What was logged, and whether the newest replica had production then. */
let logged: [sentence: string, isOurs: boolean | undefined][];
const note = (_: object, sentence: string) => void logged.push([sentence, replicas.at(-1)?.isOurs('production')]);
const start = async (...environments: string[]): Promise<EnvironmentLocks> => {
  const locks = await takeEnvironmentLocks(url, environments, { ...silent, info: note, warn: note });
  replicas.push(locks);
  return locks;
};
const lookAgain = () => vi.advanceTimersByTime(2_000);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  url = await newDatabase();
  replicas = [];
  logged = [];
});
afterEach(async () => {
  await Promise.all(replicas.map((locks) => locks.stop()));
  await dropDatabase(url);
  vi.useRealTimers();
});

test('a replica has the environments that it took first, and another one those that are left', async () => {
  const first = await start('production');
  const second = await start('production', 'staging');
  expect([first.isOurs('production'), first.isOurs(null)]).toEqual([true, true]);
  expect([second.isOurs('production'), second.isOurs(null), second.isOurs('staging')]).toEqual([false, false, true]);
});

test('another replica takes over when one stops', async () => {
  const first = await start('production');
  const second = await start('production');
  await first.stop();
  expect(first.isOurs('production')).toBe(false);
  lookAgain();
  await expect.poll(() => second.isOurs('production')).toBe(true);
  expect(second.isOurs(null)).toBe(true);
});

test('a replica whose connection breaks gives its environments up, and takes what is free as soon as it can', async () => {
  await start('production');
  await cutConnections(url);
  await expect.poll(() => logged).toHaveLength(2);
  lookAgain();
  await expect
    .poll(() => logged.slice(1))
    .toEqual([
      ['Connection of the environment locks lost, another replica may take over', false],
      ['Environment locks taken', true],
    ]);
});

test('a replica says that its lock may outlive it, and that both may work, where a pooler shares connections', async () => {
  url = await startPooler(await newEmptyDatabase(), 'transaction');
  const first = await start('production');
  expect(first.lockTrouble()).toBeNull();
  const second = await start('production');
  expect(second.lockTrouble()?.what).toMatch(/doesn't keep .*idle_session_timeout.*: if this replica freezes/);
  lookAgain();
  await expect.poll(() => first.lockTrouble()?.what).toContain('a pooler in transaction mode');
  expect(logged.map(([sentence]) => sentence)).toContain("Environment locks don't work as they should");
});

test('a server that is away leaves a replica without environments', async () => {
  const replica = await takeEnvironmentLocks('postgresql://127.0.0.1:1/none', ['production'], silent);
  replicas.push(replica);
  expect(replica.isOurs('production')).toBe(false);
});
