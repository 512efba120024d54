import { expect, test } from 'vitest';
import { anEnvironment } from '../../../lib/environment.testing.ts';
import { dbAnswering, keptStore } from '../../../store/store.testing.ts';
import { UNFILTERED } from '../../../watches/settings.ts';
import { madeWatch } from '../../../watches/watches.testing.ts';
import { type HomeCtx, homeOf } from './home.ts';

const NOON = new Date('2026-03-04T12:00:00.000Z');
const store = keptStore();

function world(answers: Partial<HomeCtx['store']>, db: Partial<HomeCtx['db']> = {}): HomeCtx {
  return {
    environments: [anEnvironment()],
    db: { ...store().db, ...db },
    store: {
      health: async () => [],
      backlog: async () => ({ waiting: 0, oldest: null, oldestHeldUp: null }),
      outstanding: async () => ({ open: [], mutes: [], mutedIncidents: 0 }),
      trouble: async () => null,
      editRefusals: async () => [],
      replicas: async () => 1,
      ...answers,
    },
    channels: { isPublic: async (channel) => channel.startsWith('C') },
    accessControl: { canUse: async (userId) => (userId === 'U1' ? 'yes' : 'no') },
    slackStatus: () => ({ isConnected: true, lastTrouble: null }),
    behind: () => [],
    running: { version: '1.2.3', startedAt: NOON },
    pollMs: 60_000,
    checkNow: async () => ({ outcome: 'checked', problem: null }),
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    now: () => NOON,
  };
}

test('shows one’s own watches and those of public channels, and counts the others', async () => {
  const made = { C1: 'U9', G2: 'U9', D3: 'U1', D4: 'U9' };
  for (const [channel, createdBy] of Object.entries(made))
    await madeWatch(store().db, { channel, createdBy, settings: UNFILTERED }, NOON);
  const { watches: seen } = await homeOf(world({}), 'U1');
  expect(seen?.watches.map(({ channel }) => channel).toSorted()).toEqual(['C1', 'D3']);
  expect(seen?.others).toBe(2);
});

test("shows a tab while the database doesn't respond", async () => {
  const away = () => Promise.reject(new Error('away'));
  const home = await homeOf(world({ health: away }, dbAnswering(away)), 'U1');
  expect(home).toMatchObject({ open: null, watches: null, canTrigger: 'yes', status: { store: null } });
});
