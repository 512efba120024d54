import { expect, test } from 'vitest';
import { StoreTroubleError } from '../../domain/health/store-trouble.ts';
import { at, NOON } from '../../domain/service/event.testing.ts';
import { finishPresent, openedEnvironment } from '../../store/examples.testing.ts';
import { keptStore } from '../../store/store.testing.ts';
import { type AnnounceAllParts, announceAll } from './announce-all.ts';

const store = keptStore();
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const parts = (change: Partial<AnnounceAllParts>): AnnounceAllParts => ({
  environments: ['production', 'staging'],
  store: store().polling,
  isRecording: () => false,
  announce: async (environment) => [`of ${environment}`],
  logger: silent,
  now: () => NOON,
  pollMs: 60_000,
  signal: new AbortController().signal,
  ...change,
});

async function announcedAt(environment: string): Promise<Date | null | undefined> {
  return (await store().polling.health(NOON)).find((one) => one.environment === environment)?.announcedAt;
}

async function polled(): Promise<void> {
  for (const name of ['production', 'staging']) await poll(name);
}

async function poll(name: string): Promise<void> {
  const environment = await openedEnvironment(store(), name, at(-60));
  await finishPresent(store(), environment, { to: NOON, setAside: [], clockAheadMs: null, newestEventAt: null }, NOON);
}

test('announces every environment even if another one throws, and notes which succeeded', async () => {
  await polled();
  const announce: AnnounceAllParts['announce'] = async (environment) => {
    if (environment === 'production') throw new TypeError('a bug');
    return [`of ${environment}`];
  };
  const logged: object[] = [];
  const logger = { ...silent, error: (fields: object) => void logged.push(fields) };
  expect(await announceAll(parts({ announce, logger }))).toEqual(['of staging']);
  expect(logged).toMatchObject([{ environment: 'production', err: { message: 'a bug' } }]);
  expect(await announcedAt('production')).toBeNull();
  expect(await announcedAt('staging')).toEqual(NOON);
});

test('logs no error if the log already has the store’s problem', async () => {
  await polled();
  const announce = () => Promise.reject(new StoreTroubleError('read-only', undefined, { isKnown: true }));
  const logged: object[] = [];
  const logger = { ...silent, error: (fields: object) => void logged.push(fields) };
  expect(await announceAll(parts({ announce, logger }))).toEqual([]);
  expect(logged).toEqual([]);
});

test('leaves out an environment whose poll records; the poll wakes announcing when it ends', async () => {
  await polled();
  const isRecording = (environment: string) => environment === 'production';
  expect(await announceAll(parts({ isRecording }))).toEqual(['of staging']);
  expect(await announceAll(parts({}))).toEqual(['of production']);
});

test('announces an environment once after its poll, and again after the next poll or a poll interval', async () => {
  await polled();
  const announceAt = (seconds: number) => announceAll(parts({ now: () => at(seconds) }));
  expect(await announceAt(0)).toHaveLength(2);
  expect(await announceAt(30)).toEqual([]);
  await poll('staging');
  expect(await announceAt(30)).toEqual(['of staging']);
  expect(await announceAt(60)).toEqual(['of production']);
});

test('announces an environment again if something new to announce came meanwhile', async () => {
  await polled();
  const announce: AnnounceAllParts['announce'] = async (environment) => {
    if (environment === 'production') await poll(environment);
    return [`of ${environment}`];
  };
  expect(await announceAll(parts({ announce }))).toHaveLength(2);
  expect(await announceAll(parts({}))).toEqual(['of production']);
});

test('announces no unconfigured environment', async () => {
  await polled();
  expect(await announceAll(parts({ environments: ['staging'] }))).toEqual(['of staging']);
});
