import { describe, expect, test } from 'vitest';
import { at, NOON } from '../service/event.testing.ts';
import type { Backlog } from './backlog.ts';
import { aHealth } from './health.testing.ts';
import { heartbeatBlockers } from './heartbeat.ts';

const QUIET: Backlog = { waiting: 0, oldest: null, oldestHeldUp: null };
const POLL_MS = 60_000;

describe('an environment polled every minute', () => {
  const blockers = (lastSuccessAt: Date | null) =>
    heartbeatBlockers(
      { health: [aHealth({ lastSuccessAt })], backlog: QUIET, lastDeliveryAt: NOON },
      ['production'],
      POLL_MS,
      NOON,
    );

  test('can miss a poll, and take a minute for the next', () => {
    expect(blockers(at(-180))).toEqual([]);
  });

  test('blocks the heartbeat after that, and if it was never polled', () => {
    const lastSuccessAt = at(-181);
    expect(blockers(lastSuccessAt)).toEqual([{ why: 'not-read', environment: 'production', lastSuccessAt }]);
    expect(blockers(null)).toEqual([{ why: 'not-read', environment: 'production', lastSuccessAt: null }]);
  });

  test('counts only if it is configured, even before its first poll', () => {
    const health = [aHealth({ environment: 'retired', lastSuccessAt: null })];
    expect(heartbeatBlockers({ health, backlog: QUIET, lastDeliveryAt: NOON }, [], POLL_MS, NOON)).toEqual([]);
    expect(heartbeatBlockers({ health, backlog: QUIET, lastDeliveryAt: NOON }, ['new'], POLL_MS, NOON)).toMatchObject([
      { why: 'not-read', environment: 'new' },
      { why: 'not-announced', environment: 'new' },
    ]);
  });
});

test.each([
  [9, []],
  [10, [{ why: 'unreadable', environment: 'production', events: 10 }]],
])('an environment of whose new events %i are unreadable and none is readable', (unreadableAlone, blockers) => {
  const state = { health: [aHealth({ unreadableAlone })], backlog: QUIET, lastDeliveryAt: NOON };
  expect(heartbeatBlockers(state, ['production'], POLL_MS, NOON)).toEqual(blockers);
});

describe('announcing in an environment polled every minute', () => {
  const blockers = (announcedAt: Date | null) =>
    heartbeatBlockers(
      { health: [aHealth({ announcedAt })], backlog: QUIET, lastDeliveryAt: NOON },
      ['production'],
      POLL_MS,
      NOON,
    );

  test('blocks the heartbeat once it has not succeeded for two intervals and a minute, or never', () => {
    expect(blockers(at(-180))).toEqual([]);
    const lastSuccessAt = at(-181);
    expect(blockers(lastSuccessAt)).toEqual([{ why: 'not-announced', environment: 'production', lastSuccessAt }]);
    expect(blockers(null)).toMatchObject([{ why: 'not-announced', lastSuccessAt: null }]);
  });
});

describe('delivery', () => {
  const blockers = (lastDeliveryAt: Date | null, pollMs = POLL_MS) =>
    heartbeatBlockers({ health: [], backlog: QUIET, lastDeliveryAt }, [], pollMs, NOON);

  test('blocks the heartbeat if no run has succeeded for five minutes, or none ever has', () => {
    expect(blockers(at(-300))).toEqual([]);
    const lastSuccessAt = at(-301);
    expect(blockers(lastSuccessAt)).toEqual([{ why: 'not-delivered', lastSuccessAt }]);
    expect(blockers(null)).toEqual([{ why: 'not-delivered', lastSuccessAt: null }]);
  });

  test('gets two intervals if polls are far apart, since its success is noted twice in each', () => {
    expect(blockers(at(-7_200), 3_600_000)).toEqual([]);
  });
});

describe('a message', () => {
  const blockers = (backlog: Partial<Backlog>) =>
    heartbeatBlockers(
      { health: [], backlog: { ...QUIET, waiting: 1, ...backlog }, lastDeliveryAt: NOON },
      [],
      POLL_MS,
      NOON,
    );

  test('can be pending for five minutes', () => {
    expect(blockers({ oldest: at(-300), oldestHeldUp: at(-300) })).toEqual([]);
    const waitingSince = at(-301);
    expect(blockers({ oldest: waitingSince, oldestHeldUp: waitingSince })).toEqual([
      { why: 'not-alerted', waitingSince },
    ]);
  });

  test('can wait for its channel to be fixed', () => {
    expect(blockers({ oldest: at(-86_400), oldestHeldUp: null })).toEqual([]);
  });
});
