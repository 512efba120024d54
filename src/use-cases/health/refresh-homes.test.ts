import { expect, test } from 'vitest';
import { anEnvironment } from '../../domain/environment.testing.ts';
import type { Home } from '../../domain/health/home.ts';
import { ALL_RECHECKED } from '../../domain/polling/check.ts';
import { UNFILTERED, type Watch } from '../../domain/watches/watch.ts';
import { type Published, type RefreshHomesParts, refreshHomes, showHome } from './refresh-homes.ts';

const NOON = new Date('2026-03-04T12:00:00.000Z');
const SIGNAL = new AbortController().signal;

interface Publication {
  readonly userId: string;
  readonly home: Home;
  readonly upon: string | null;
}

function aWatch(channel: string, createdBy: string): Watch {
  return { id: channel, channel, number: 1, createdAt: NOON, createdBy, settings: UNFILTERED };
}

/** A workspace whose C… channels are public; records what is published and noted there. */
function world(
  store: Partial<RefreshHomesParts['store']> = {},
  answer: (one: Publication) => Promise<Published> = taken,
) {
  const published: Publication[] = [];
  const notes: string[] = [];
  const log = (_fields: object, sentence: string) => void notes.push(sentence);
  const parts: RefreshHomesParts = {
    environments: [anEnvironment()],
    store: {
      health: async () => [],
      backlog: async () => ({ waiting: 0, oldest: null, oldestHeldUp: null }),
      outstanding: async () => ({ open: [], mutes: [], mutedIncidents: 0 }),
      trouble: () => null,
      lastDeliveryAt: async () => NOON,
      editRefusals: async () => [],
      replicas: async () => 1,
      openIncidents: async () => ({ incidents: [], offset: 0, counts: [] }),
      watches: async () => [],
      noteHomeShown: async (userId) => void notes.push(`${userId} was shown`),
      noteHomeClicked: async () => {},
      claimHomes: async () => ['U1', 'U2'].map((userId) => ({ userId, hash: `hash of ${userId}` })),
      noteHomeRefreshed: async (userId, hash) => void notes.push(`${userId} has ${hash}`),
      forgetHome: async (userId) => void notes.push(`${userId} is forgotten`),
      ...store,
    },
    homePublisher: {
      publish: (userId, home, upon) => {
        const one = { userId, home, upon };
        published.push(one);
        return answer(one);
      },
    },
    channels: { isPublic: async (channel) => channel.startsWith('C') },
    accessControl: { canUse: async (userId) => (userId === 'U1' ? 'yes' : 'no') },
    database: 'embedded',
    slackStatus: () => ({ isConnected: true, lastTrouble: null }),
    loadOf: () => ({ waiting: 0, waitingPeople: 0, running: 0, remaining: null }),
    running: { version: '1.2.3', startedAt: NOON },
    pollMs: 60_000,
    checkNow: async () => ({ outcome: 'checked', problem: null, notRechecked: ALL_RECHECKED }),
    logger: { debug: log, info: log, warn: log, error: log },
    now: () => NOON,
  };
  return { parts, published, notes };
}

async function taken(): Promise<Published> {
  return { is: 'published', hash: 'new' };
}

test("replaces each tab's last published version", async () => {
  const { parts, published, notes } = world();
  await refreshHomes(parts, SIGNAL);
  expect(published.map(({ userId, upon }) => [userId, upon])).toEqual([
    ['U1', 'hash of U1'],
    ['U2', 'hash of U2'],
  ]);
  expect(notes).toEqual(['U1 has new', 'U2 has new']);
});

test('reads the data once for all tabs', async () => {
  let reads = 0;
  const watches = async () => {
    reads += 1;
    return [];
  };
  await refreshHomes(world({ watches }).parts, SIGNAL);
  expect(reads).toBe(1);
});

test('publishes current data over whatever is there if somebody else published meanwhile', async () => {
  const { parts, published } = world({}, async ({ upon }) => (upon === null ? taken() : { is: 'changed' }));
  await refreshHomes(parts, SIGNAL);
  expect(published.map(({ userId, upon }) => [userId, upon])).toEqual([
    ['U1', 'hash of U1'],
    ['U1', null],
    ['U2', 'hash of U2'],
    ['U2', null],
  ]);
});

test("forgets a tab that is gone, and continues after one that can't be published", async () => {
  const gone = world({}, async ({ userId }) => (userId === 'U1' ? { is: 'gone', reason: 'not_enabled' } : taken()));
  await refreshHomes(gone.parts, SIGNAL);
  expect(gone.notes).toEqual(['a Home tab is no longer refreshed', 'U1 is forgotten', 'U2 has new']);

  const failing = world({}, ({ userId }) => (userId === 'U1' ? Promise.reject(new Error('away')) : taken()));
  await refreshHomes(failing.parts, SIGNAL);
  expect(failing.notes).toEqual(['a Home tab could not be refreshed', 'U2 has new']);
});

test('stops between two tabs on abort', async () => {
  const stopping = new AbortController();
  const { parts, published } = world({}, async () => {
    stopping.abort();
    return taken();
  });
  await refreshHomes(parts, stopping.signal);
  expect(published).toHaveLength(1);
});

test('shows one’s own watches and those of public channels, and counts the others', async () => {
  const all = [aWatch('C1', 'U9'), aWatch('G2', 'U9'), aWatch('D3', 'U1'), aWatch('D4', 'U9')];
  const { parts, published } = world({ watches: async () => all });
  await showHome('U1', parts);
  const seen = published[0]?.home.watches;
  expect(seen?.watches.map(({ channel }) => channel)).toEqual(['C1', 'D3']);
  expect(seen?.others).toBe(2);
});

test("shows a tab while the database doesn't respond, and logs that", async () => {
  const away = () => Promise.reject(new Error('away'));
  const { parts, published, notes } = world({ health: away, openIncidents: away, watches: away, noteHomeShown: away });
  await showHome('U1', parts);
  expect(published[0]?.home).toMatchObject({ open: null, watches: null, canTrigger: 'yes', status: { store: null } });
  expect(notes).toContain('a look at a Home tab could not be noted');
});
