import { expect, it } from 'vitest';
import { StoreTroubleError } from '../../domain/health/store-trouble.ts';
import { at, NOON } from '../../domain/service/event.testing.ts';
import { keptStore } from '../../store/store.testing.ts';
import { type AnnounceAllParts, announceAll } from './announce-all.ts';

const store = keptStore();
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const parts = (change: Partial<AnnounceAllParts>): AnnounceAllParts => ({
  environments: ['production', 'staging'],
  store: store().polling,
  announce: async (environment) => [`of ${environment}`],
  logger: silent,
  now: () => NOON,
  signal: new AbortController().signal,
  ...change,
});

async function announcedAt(environment: string): Promise<Date | null | undefined> {
  return (await store().polling.health(NOON)).find((one) => one.environment === environment)?.announcedAt;
}

it('announces every environment, whatever another one throws, and notes which succeeded', async () => {
  for (const name of ['production', 'staging'])
    await store().polling.endPresent(await store().polling.takeCursor(name, at(-60)));
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

it('logs no error where the log has named the store’s trouble already', async () => {
  const announce = () => Promise.reject(new StoreTroubleError('read-only', undefined, { isKnown: true }));
  const logged: object[] = [];
  const logger = { ...silent, error: (fields: object) => void logged.push(fields) };
  expect(await announceAll(parts({ announce, logger }))).toEqual([]);
  expect(logged).toEqual([]);
});

it('leaves out an environment whose poll is recording, which wakes it when it ends', async () => {
  const cursor = await store().polling.takeCursor('production', at(-60));
  expect(await announceAll(parts({}))).toEqual(['of staging']);
  await store().polling.endPresent(cursor);
  expect(await announceAll(parts({}))).toEqual(['of production', 'of staging']);
});

it('waits for no poll that takes long, or never ended', async () => {
  await store().polling.takeCursor('production', at(-60));
  await store().executeSql(`UPDATE cursors SET present_since = now() - interval '11 seconds'`);
  await store().polling.takeCursor('production', at(-60));
  expect(await announceAll(parts({}))).toEqual(['of production', 'of staging']);
});
