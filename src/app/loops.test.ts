import { expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import { silent } from '../lib/logger.testing.ts';
import { type LoopsCtx, loopTable } from './loops.ts';

const nothing = async () => {};

test('a replica without locks only posts and checks Slack', () => {
  const checked: (string | null)[] = [];
  const isOurs = (environment: string | null) => {
    checked.push(environment);
    return false;
  };
  const names = ['production', 'staging'];
  const ctx = {
    environments: names.map((name) => anEnvironment({ name })),
    logger: silent,
    now: () => new Date(),
    pollMs: 60_000,
    isOurs,
    callHeartbeat: nothing,
    notifyAlertmanager: null,
    slackCheck: { run: nothing },
  };
  const loops = loopTable(ctx as unknown as LoopsCtx);
  const running = loops.filter((loop) => loop.isOurs?.() ?? true).map(({ name }) => name);
  expect(running).toEqual(['deliver', 'slack']);
  expect([...new Set(checked)]).toEqual([...names, null]);
});

test('alerts that time alone makes due are looked for each minute, however seldom the service is asked', () => {
  const ctx = { environments: [], logger: silent, now: () => new Date(), pollMs: 900_000 };
  const loops = loopTable({ ...ctx, callHeartbeat: null, slackCheck: { run: nothing } } as unknown as LoopsCtx);
  expect(loops.find(({ name }) => name === 'announce')?.everyMs).toBe(60_000);
});

test('the first heartbeat waits for the first polls, also for one that ends at its limit of time', async () => {
  const woken: string[] = [];
  const environments = ['production', 'staging'].map((name) => anEnvironment({ name }));
  const polls = {
    run: (name: string) => (name === 'staging' ? new Promise(() => {}) : Promise.reject(new Error('away'))),
  };
  const running = { environments, polls, heldForMs: () => 0, logger: silent, now: () => new Date(), pollMs: 60_000 };
  const acts = { isOurs: () => true, wakeAnnouncing: nothing, wake: async (loop: string) => void woken.push(loop) };
  const beats = { callHeartbeat: nothing, notifyAlertmanager: null, slackCheck: { run: nothing } };
  const loops = loopTable({ ...running, ...acts, ...beats } as unknown as LoopsCtx);
  const run = (name: string, { signal } = new AbortController()) =>
    loops.find((loop) => loop.name === name)?.run(signal);
  // Without a database, a heartbeat that doesn't wait fails.
  await run('heartbeat');
  await expect(run('poll-production')).rejects.toThrow('away');
  await run('heartbeat');
  const limit = new AbortController();
  void run('poll-staging', limit);
  limit.abort();
  expect(woken).toEqual(['heartbeat', 'heartbeat']);
  await expect(run('heartbeat')).rejects.toThrow();
});
