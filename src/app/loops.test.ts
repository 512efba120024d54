import { expect, test } from 'vitest';
import { silent } from '../store/store.testing.ts';
import { type LoopTableParts, loopTable } from './loops.ts';

const nothing = async () => {};

test('a replica without locks only posts, checks Slack and says that it runs', () => {
  const polling = { log: silent, now: () => new Date(), pollMs: 60_000 };
  const asked: (string | null)[] = [];
  const isOurs = (environment: string | null) => {
    asked.push(environment);
    return false;
  };
  const environments = ['production', 'staging'];
  const parts = { environments, isOurs, noteReplica: nothing, callHeartbeat: nothing, slackCheck: { run: nothing } };
  const loops = loopTable(polling as Parameters<typeof loopTable>[0], parts as unknown as LoopTableParts);
  const running = loops.filter((loop) => loop.isOurs?.() ?? true).map(({ name }) => name);
  expect(running).toEqual(['deliver', 'slack', 'replicas']);
  expect([...new Set(asked)]).toEqual([...environments, null]);
});
