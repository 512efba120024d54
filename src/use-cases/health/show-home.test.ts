import { expect, test } from 'vitest';
import { anEnvironment } from '../../domain/environment.testing.ts';
import { UNFILTERED, type Watch } from '../../domain/watches/watch.ts';
import { type HomeParts, homeOf } from './show-home.ts';

const NOON = new Date('2026-03-04T12:00:00.000Z');
function aWatch(channel: string, createdBy: string): Watch {
  return { id: channel, channel, number: 1, createdAt: NOON, createdBy, settings: UNFILTERED };
}

function world(store: Partial<HomeParts['store']> = {}): HomeParts {
  return {
    environments: [anEnvironment()],
    store: {
      health: async () => [],
      backlog: async () => ({ waiting: 0, oldest: null, oldestHeldUp: null }),
      outstanding: async () => ({ open: [], mutes: [], mutedIncidents: 0 }),
      trouble: () => null,
      editRefusals: async () => [],
      replicas: async () => 1,
      openIncidents: async () => ({ incidents: [], offset: 0, counts: [] }),
      watches: async () => [],
      ...store,
    },
    channels: { isPublic: async (channel) => channel.startsWith('C') },
    accessControl: { canUse: async (userId) => (userId === 'U1' ? 'yes' : 'no') },
    database: 'embedded',
    slackStatus: () => ({ isConnected: true, lastTrouble: null }),
    behind: () => [],
    loadOf: () => ({ waiting: 0, waitingPeople: 0, running: 0, remaining: null }),
    running: { version: '1.2.3', startedAt: NOON },
    pollMs: 60_000,
    checkNow: async () => ({ outcome: 'checked', problem: null }),
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    now: () => NOON,
  };
}

test('shows one’s own watches and those of public channels, and counts the others', async () => {
  const all = [aWatch('C1', 'U9'), aWatch('G2', 'U9'), aWatch('D3', 'U1'), aWatch('D4', 'U9')];
  const { watches: seen } = await homeOf('U1', world({ watches: async () => all }));
  expect(seen?.watches.map(({ channel }) => channel)).toEqual(['C1', 'D3']);
  expect(seen?.others).toBe(2);
});

test("shows a tab while the database doesn't respond", async () => {
  const away = () => Promise.reject(new Error('away'));
  const home = await homeOf('U1', world({ health: away, openIncidents: away, watches: away }));
  expect(home).toMatchObject({ open: null, watches: null, canTrigger: 'yes', status: { store: null } });
});
