import { beforeEach, expect, test } from 'vitest';
import { explainCause } from '../causes/explain-cause.ts';
import type { PollingCtx } from '../lib/ctx.ts';
import { createPause, type Pause } from '../lib/time/waiting.ts';
import { aFailedEvent, at } from '../service/event.testing.ts';
import { keptStore } from '../store/store.testing.ts';
import { createPolls } from './check-now.ts';
import { ModelService, settled } from './model-service.testing.ts';
import { pollPast, pollPresent } from './poll.ts';

const MINUTE = 60_000;
const NEVER = new AbortController().signal;
const store = keptStore();

let environment = '';
let environments = 0;
let service: ModelService;
let now: Date;
let pause: Pause;
let happened: string[];
beforeEach(() => {
  environments += 1;
  environment = `polled-${environments}`;
  now = at(0);
  service = new ModelService(() => now);
  pause = createPause(() => now.getTime());
  happened = [];
});

const note = (_fields: object, sentence: string): void => void happened.push(sentence);
const ctx = (): PollingCtx => ({
  db: store().db,
  service: () => service,
  log: { debug: note, info: note, warn: note, error: note },
  now: () => now,
  pollMs: MINUTE,
  horizonMs: 72 * 60 * MINUTE,
  sampleTraffic: () => {},
  explainCause,
});
const parts = {
  polls: createPolls({ wakePoll: async () => {}, sleep: async () => {}, pauseMs: () => 0 }),
  pauseOf: () => pause,
  wakePast: async () => void happened.push('past woken'),
  wakeAnnouncing: async () => void happened.push('announcing woken'),
  count: () => {},
};

async function poll(seconds: number): Promise<string[]> {
  now = at(seconds);
  happened = [];
  await pollPresent(ctx(), environment, NEVER, parts);
  return happened;
}

async function past(seconds: number): Promise<string[]> {
  now = at(seconds);
  happened = [];
  await pollPast(ctx(), environment, NEVER, { ...parts, forMs: MINUTE });
  return happened;
}

test('a poll wakes announcing however it ends', async () => {
  expect(await poll(0)).toEqual(['events checked', 'announcing woken']);
  service.problem = { kind: 'unreachable' };
  expect(await poll(60)).toEqual(["events couldn't be read", 'announcing woken']);
  service.beforePage = () => {
    throw new TypeError('a bug');
  };
  await expect(poll(120)).rejects.toThrow('a bug');
  expect(happened).toEqual(['announcing woken']);
});

test('a poll that leaves a gap has the past checked at once', async () => {
  await poll(0);
  expect(await poll(3 * 3_600)).toContain('past woken');
});

test('a poll logs that clocks differ by more than is made up for', async () => {
  service.aheadMs = -3_600_000;
  expect(await poll(0)).toContain('clocks differ by more than is made up for');
});

test('present and past pause for as long as the service asks, and for five minutes at most', async () => {
  await poll(0);
  service.problem = { kind: 'rate-limited', retryAfterMs: 90_000 };
  await poll(60);
  service.problem = null;
  expect([...(await poll(149)), ...(await past(149))]).toEqual(['announcing woken']);
  expect(await poll(150)).toContain('events checked');
  service.problem = { kind: 'rate-limited', retryAfterMs: 86_400_000 };
  await poll(200);
  expect(pause.end()).toBe(at(500).getTime());
});

test('the past wakes announcing for new failures only, and does nothing before the present was checked', async () => {
  expect(await past(0)).toEqual([]);
  await poll(1);
  expect(await past(90)).toEqual(['past checked']);
  service.events.push(settled({ ...aFailedEvent({ id: 'late' }), createdAt: at(30) }));
  expect(await past(180)).toEqual(['past checked', 'announcing woken']);
});
