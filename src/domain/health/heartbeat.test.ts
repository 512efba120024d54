import { describe, expect, it } from 'vitest';
import { at, NOON } from '../service/event.testing.ts';
import type { Backlog } from './backlog.ts';
import { aHealth } from './health.testing.ts';
import { silencesOf } from './heartbeat.ts';

const QUIET: Backlog = { waiting: 0, oldest: null, oldestHeldUp: null };
const POLL_MS = 60_000;

describe('an environment that is read every minute', () => {
  const silences = (lastSuccessAt: Date | null) =>
    silencesOf(
      { health: [aHealth({ lastSuccessAt })], backlog: QUIET, lastDeliveryAt: NOON },
      ['production'],
      POLL_MS,
      NOON,
    );

  it('may miss a round, and may need a minute for the next', () => {
    expect(silences(at(-180))).toEqual([]);
  });

  it('keeps the heartbeat back after that, and where it was never read', () => {
    const lastSuccessAt = at(-181);
    expect(silences(lastSuccessAt)).toEqual([{ why: 'not-read', environment: 'production', lastSuccessAt }]);
    expect(silences(null)).toEqual([{ why: 'not-read', environment: 'production', lastSuccessAt: null }]);
  });

  it('counts only where it is configured, and counts there before its first round', () => {
    const health = [aHealth({ environment: 'retired', lastSuccessAt: null })];
    expect(silencesOf({ health, backlog: QUIET, lastDeliveryAt: NOON }, [], POLL_MS, NOON)).toEqual([]);
    expect(silencesOf({ health, backlog: QUIET, lastDeliveryAt: NOON }, ['new'], POLL_MS, NOON)).toMatchObject([
      { why: 'not-read', environment: 'new' },
      { why: 'not-announced', environment: 'new' },
    ]);
  });
});

describe('announcing in an environment that is polled every minute', () => {
  const silences = (announcedAt: Date | null) =>
    silencesOf(
      { health: [aHealth({ announcedAt })], backlog: QUIET, lastDeliveryAt: NOON },
      ['production'],
      POLL_MS,
      NOON,
    );

  it('keeps the heartbeat back once it has not succeeded for two intervals and a minute, or never', () => {
    expect(silences(at(-180))).toEqual([]);
    const lastSuccessAt = at(-181);
    expect(silences(lastSuccessAt)).toEqual([{ why: 'not-announced', environment: 'production', lastSuccessAt }]);
    expect(silences(null)).toMatchObject([{ why: 'not-announced', lastSuccessAt: null }]);
  });
});

describe('delivery', () => {
  const silences = (lastDeliveryAt: Date | null, pollMs = POLL_MS) =>
    silencesOf({ health: [], backlog: QUIET, lastDeliveryAt }, [], pollMs, NOON);

  it('keeps the heartbeat back once no run has ended well for five minutes, or ever', () => {
    expect(silences(at(-300))).toEqual([]);
    const lastSuccessAt = at(-301);
    expect(silences(lastSuccessAt)).toEqual([{ why: 'not-delivered', lastSuccessAt }]);
    expect(silences(null)).toEqual([{ why: 'not-delivered', lastSuccessAt: null }]);
  });

  it('is allowed two intervals where polls are far apart: its success is noted twice in each', () => {
    expect(silences(at(-7_200), 3_600_000)).toEqual([]);
  });
});

describe('a message', () => {
  const silences = (backlog: Partial<Backlog>) =>
    silencesOf({ health: [], backlog: { ...QUIET, waiting: 1, ...backlog }, lastDeliveryAt: NOON }, [], POLL_MS, NOON);

  it('may wait for five minutes', () => {
    expect(silences({ oldest: at(-300), oldestHeldUp: at(-300) })).toEqual([]);
    const waitingSince = at(-301);
    expect(silences({ oldest: waitingSince, oldestHeldUp: waitingSince })).toEqual([{ why: 'not-told', waitingSince }]);
  });

  it('may wait for its channel to be mended', () => {
    expect(silences({ oldest: at(-86_400), oldestHeldUp: null })).toEqual([]);
  });
});
