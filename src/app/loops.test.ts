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
    ...{ environments: names.map((name) => anEnvironment({ name })), logger: silent, now: () => new Date() },
    ...{ pollMs: 60_000, isOurs, callHeartbeat: nothing, notifyAlertmanager: null, slackCheck: { run: nothing } },
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
