import { expect, test } from 'vitest';
import { anEnvironment } from '../../domain/environment.testing.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { RequestLoad } from '../../domain/health/request-load.ts';
import { anEvent } from '../../domain/service/event.testing.ts';
import { troublesOf } from './examine.testing.ts';
import { type ExaminedService, environmentChecks } from './examine-environment.ts';

const LOAD: RequestLoad = { waiting: 0, waitingPeople: 0, running: 0, remaining: 140 };

function troubles(service: Partial<ExaminedService>, load: Partial<RequestLoad> = {}) {
  const usual: ExaminedService = {
    listEvents: async () => ({ items: [anEvent({ jobs: [] })], unreadable: [], hasMore: false }),
    listIntegrations: async () => ({ items: [], unreadable: [], hasMore: false }),
    clockAheadMs: () => 0,
  };
  const parts = { serviceOf: () => ({ ...usual, ...service }), loadOf: () => ({ ...LOAD, ...load }) };
  return troublesOf(environmentChecks(anEnvironment(), parts));
}

const refused = () =>
  Promise.reject(new ServiceError('production', 'listEvents', { kind: 'key-refused', status: 401 }));

test('find nothing if the service answers', async () => {
  expect(await troubles({})).toEqual([]);
});

test('report a refused key once', async () => {
  const what = "Couldn't read from production: the API key was refused (401).";
  expect(await troubles({ listEvents: refused })).toEqual([`problem production: API key: ${what}`]);
  expect(await troubles({ listIntegrations: refused })).toEqual([`unknown production: Integrations: ${what}`]);
});

test("report a service that doesn't answer as such, since its key may be fine", async () => {
  const down = () => Promise.reject(new ServiceError('production', 'listEvents', { kind: 'gateway', status: 503 }));
  const what = "Couldn't read from production: a gateway in front of it answered instead (503).";
  expect(await troubles({ listEvents: down })).toEqual([`problem production: Service: ${what}`]);
});

test('request the newest events once', async () => {
  let asked = 0;
  await troubles({
    listEvents: async () => {
      asked += 1;
      return { items: [], unreadable: [], hasMore: false };
    },
  });
  expect(asked).toBe(1);
});

test('find a clock that differs, unreadable events, and an exhausted rate limit', async () => {
  expect(await troubles({ clockAheadMs: () => 720_000 })).toEqual([
    "problem production: Clock: The service's clock is 12 min ahead of Notif's.",
  ]);
  const unreadable = [{ key: 'x', createdAt: null, reason: 'no status' }];
  expect(await troubles({ listEvents: async () => ({ items: [], unreadable, hasMore: false }) })).toEqual([
    "advice production: Events: 1 event of the newest 50 couldn't be read.",
  ]);
  expect(await troubles({}, { remaining: 2, waitingPeople: 1 })).toEqual([
    'advice production: Rate limit: 2 requests left in the rate-limit window. 1 request from people queued.',
  ]);
});
