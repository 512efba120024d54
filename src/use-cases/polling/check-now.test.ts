import { describe, expect, test } from 'vitest';
import { ALL_RECHECKED } from '../../domain/polling/check.ts';
import { at, NOON } from '../../domain/service/event.testing.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import { silent } from '../../store/store.testing.ts';
import { createCheckNow, type PollState } from './check-now.ts';

const HOUR: TimeRange = { from: at(-3600), to: NOON };

/** A poller whose polls end as `outcome` says when woken; `never`: they hang. `before`: what the poll before them met. */
function polling(
  outcome: 'success' | 'failure' | 'never',
  underWayMs: number | null = null,
  before: PollState['problem'] = null,
  pauseMs = 0,
) {
  const problem = { kind: 'key-refused', status: 401 } as const;
  const concludedBefore = underWayMs === null ? 7 : 6;
  let state: PollState = {
    ...{ version: 7, concluded: concludedBefore, underWayMs },
    ...{ isFailing: before !== null, problem: before, lastPollAt: at(-30) },
  };
  const polls: string[] = [];
  const rechecked: TimeRange[][] = [];
  const pauses: number[] = [];
  const limits = new Map<number, AbortController>();
  const checkNow = createCheckNow({
    store: { pollState: async () => state },
    wakePoll: async (environment) => {
      polls.push(environment);
      const version = state.version + 1;
      const concluded = outcome === 'never' ? state.concluded : version;
      const found = { success: null, failure: problem, never: state.problem }[outcome];
      state = { ...state, version, concluded, underWayMs: null, isFailing: found !== null, problem: found };
    },
    recheck: async (_, windows) => {
      rechecked.push([...windows]);
      return { inProgress: 3, settled: 0 };
    },
    sleep: async (ms) => {
      pauses.push(ms);
      await new Promise(setImmediate);
    },
    abortAfter: (ms) => {
      const limit = new AbortController();
      limits.set(ms, limit);
      return limit.signal;
    },
    pauseMs: () => pauseMs,
    logger: silent,
    now: () => NOON,
  });
  const conclude = () => {
    state = { ...state, concluded: state.version, underWayMs: null };
  };
  const timeUp = () => limits.get(Math.min(...limits.keys()))?.abort();
  return { checkNow, polls, rechecked, pauses, conclude, timeUp };
}

describe('a check for a question', () => {
  test("polls the environment and rechecks the question's window", async () => {
    const { checkNow, polls, rechecked } = polling('success');
    expect(await checkNow('production', HOUR)).toEqual({
      outcome: 'checked',
      problem: null,
      notRechecked: { inProgress: 3, settled: 0 },
    });
    expect({ polls, rechecked }).toEqual({ polls: ['production'], rechecked: [[HOUR]] });
  });

  test('reports why a poll failed, and then rechecks nothing', async () => {
    const { checkNow, rechecked } = polling('failure');
    const problem = { kind: 'key-refused', status: 401 };
    expect(await checkNow('production', HOUR)).toEqual({ outcome: 'failed', problem, notRechecked: ALL_RECHECKED });
    expect(rechecked).toEqual([]);
  });

  test('is still going on if no poll has finished in time; one that began before the question does not count', async () => {
    const { checkNow, timeUp } = polling('never');
    const check = checkNow('production', HOUR);
    timeUp();
    expect((await check).outcome).toBe('still checking');
  });

  test('names what is left of the rate limit because of which none could finish, and no problem of another kind', async () => {
    const limited = { kind: 'rate-limited', retryAfterMs: 240_000 } as const;
    for (const [before, problem] of [
      [limited, { ...limited, retryAfterMs: 210_000 }],
      [{ kind: 'key-refused', status: 401 } as const, null],
    ]) {
      const { checkNow, pauses, timeUp } = polling('never', null, before);
      const check = checkNow('production', HOUR);
      while (pauses.length < 2) await new Promise(setImmediate);
      timeUp();
      expect(await check).toEqual({ outcome: 'still checking', problem, notRechecked: ALL_RECHECKED });
    }
  });

  test('names the rate limit that another request met, for as long as it still lasts', async () => {
    const limited = { kind: 'rate-limited', retryAfterMs: 240_000 } as const;
    for (const [underWayMs, before] of [
      [null, null],
      [5_000, null],
      [null, limited],
    ] as const) {
      const { checkNow, pauses, timeUp } = polling('never', underWayMs, before, 90_000);
      const check = checkNow('production', HOUR);
      while (pauses.length < 2) await new Promise(setImmediate);
      timeUp();
      const problem = { kind: 'rate-limited', retryAfterMs: 90_000 };
      expect(await check).toEqual({ outcome: 'still checking', problem, notRechecked: ALL_RECHECKED });
    }
  });

  test('asks the store less and less often whether the poll has finished', async () => {
    const { checkNow, pauses, timeUp } = polling('never');
    const check = checkNow('production', HOUR);
    while (pauses.length < 7) await new Promise(setImmediate);
    timeUp();
    await check;
    expect(pauses.slice(0, 7)).toEqual([0, 25, 50, 100, 200, 200, 200]);
  });

  test('lets a poll end that is under way on another replica, and then polls', async () => {
    const { checkNow, polls, pauses, conclude } = polling('success', 5_000);
    const check = checkNow('production', null);
    while (pauses.length < 3) await new Promise(setImmediate);
    expect(polls).toEqual([]);
    conclude();
    expect((await check).outcome).toBe('checked');
    expect(polls).toEqual(['production']);
  });

  test('cuts no poll off that is still under way when the time is up', async () => {
    const { checkNow, polls, timeUp } = polling('success', 5_000);
    const check = checkNow('production', null);
    await new Promise(setImmediate);
    timeUp();
    expect((await check).outcome).toBe('still checking');
    expect(polls).toEqual([]);
  });

  test('waits for no poll of a process that has ended', async () => {
    const { checkNow, polls } = polling('success', 31_000);
    expect((await checkNow('production', null)).outcome).toBe('checked');
    expect(polls).toEqual(['production']);
  });

  test('is shared by all who ask before it begins, with their windows merged', async () => {
    const { checkNow, polls, rechecked } = polling('success');
    const earlier = { from: at(-7200), to: at(-1800) };
    await Promise.all([checkNow('production', HOUR), checkNow('production', earlier), checkNow('production', null)]);
    expect({ polls, rechecked }).toEqual({ polls: ['production'], rechecked: [[{ from: at(-7200), to: NOON }]] });
  });

  test('begins as a new check a second after the previous one', async () => {
    const { checkNow, polls, pauses } = polling('success');
    await checkNow('production', null);
    await Promise.all(Array.from({ length: 20 }, () => checkNow('production', null)));
    expect(polls).toEqual(['production', 'production']);
    expect(pauses).toEqual([0, 1_000]);
  });

  test("fails, and logs that, if the store doesn't respond", async () => {
    const logged: string[] = [];
    const warn = (_: object, sentence: string) => void logged.push(sentence);
    const checkNow = createCheckNow({
      store: { pollState: () => Promise.reject(new Error('away')) },
      wakePoll: async () => {},
      recheck: async () => ALL_RECHECKED,
      sleep: async () => {},
      abortAfter: () => new AbortController().signal,
      pauseMs: () => 0,
      logger: { ...silent, warn },
      now: () => NOON,
    });
    expect((await checkNow('production', HOUR)).outcome).toBe('failed');
    expect(logged).toEqual(['check upon a question failed']);
  });
});
