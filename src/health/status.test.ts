import { expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import { at, NOON } from '../service/event.testing.ts';
import { aHealth } from './health.testing.ts';
import { reportStatus, type StatusCtx } from './status.ts';

const BACKLOG = { waiting: 1, oldest: at(-5), oldestHeldUp: at(-5) };

function ctxWith(store: StatusCtx['store'], logged: string[] = []): StatusCtx {
  const note = (_: object, sentence: string): void => void logged.push(sentence);
  return {
    environments: [anEnvironment(), { ...anEnvironment(), name: 'staging' }],
    store,
    channels: { isPublic: async (channel) => channel.startsWith('C') },
    slackStatus: () => ({ isConnected: true, lastTrouble: null }),
    behind: () => [],
    running: { version: '1.2.3', startedAt: at(-60) },
    pollMs: 60_000,
    logger: { debug: note, info: note, warn: note, error: note },
    now: () => NOON,
  };
}

const muteOf = (channel: string | null) => ({ channel, muted: 1, watches: 1, until: at(60) });

const WELL = { trouble: async () => null };

test('reports every configured environment, checked or not, and names no private channel', async () => {
  const store = {
    health: async () => [aHealth()],
    backlog: async () => BACKLOG,
    outstanding: async () => ({ open: [], mutes: [muteOf('C1'), muteOf('G1')], mutedIncidents: 0 }),
    editRefusals: async () => [],
    replicas: async () => 2,
    ...WELL,
  };
  const status = await reportStatus(ctxWith(store));
  expect(status.environments.map(({ environment, condition }) => `${environment.name} ${condition}`)).toEqual([
    'production fine',
    'staging not-read-yet',
  ]);
  expect(status.store).toEqual({
    ...{ answeredInMs: 0, backlog: BACKLOG, replicas: 2 },
    outstanding: { open: [], mutes: [muteOf('C1'), muteOf(null)], mutedIncidents: 0 },
    ...{ editRefusals: [], trouble: null },
  });
});

test("reports what it can while the database doesn't respond, and logs that", async () => {
  const logged: string[] = [];
  const away = () => Promise.reject(new Error('away'));
  const asked = { health: away, backlog: away, outstanding: away, editRefusals: away };
  const store = { ...asked, replicas: away, ...WELL };
  const status = await reportStatus(ctxWith(store, logged));
  expect(status).toMatchObject({
    store: null,
    environments: [{ condition: 'unknown' }, { condition: 'unknown' }],
    slack: { isConnected: true },
  });
  expect(logged).toEqual(['database could not be asked for the status']);
});
