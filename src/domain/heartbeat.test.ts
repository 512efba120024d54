import { describe, expect, it } from 'vitest';
import type { Backlog } from './backlog.ts';
import { at, NOON } from './event.testing.ts';
import { aHealth } from './health.testing.ts';
import { silencesOf } from './heartbeat.ts';

const QUIET: Backlog = { waiting: 0, oldest: null, oldestHeldUp: null };
const POLL_MS = 60_000;

describe('an environment that is read every minute', () => {
  const silences = (lastSuccessAt: Date | null) =>
    silencesOf({ health: [aHealth({ lastSuccessAt })], backlog: QUIET }, ['production'], POLL_MS, NOON);

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
    expect(silencesOf({ health, backlog: QUIET }, [], POLL_MS, NOON)).toEqual([]);
    expect(silencesOf({ health, backlog: QUIET }, ['new'], POLL_MS, NOON)).toMatchObject([{ environment: 'new' }]);
  });
});

describe('a message', () => {
  const silences = (backlog: Partial<Backlog>) =>
    silencesOf({ health: [], backlog: { ...QUIET, waiting: 1, ...backlog } }, [], POLL_MS, NOON);

  it('may wait for five minutes', () => {
    expect(silences({ oldest: at(-300), oldestHeldUp: at(-300) })).toEqual([]);
    const waitingSince = at(-301);
    expect(silences({ oldest: waitingSince, oldestHeldUp: waitingSince })).toEqual([{ why: 'not-told', waitingSince }]);
  });

  it('may wait for its channel to be mended', () => {
    expect(silences({ oldest: at(-86_400), oldestHeldUp: null })).toEqual([]);
  });
});
