import { describe, expect, test } from 'vitest';
import { FencedOffError, ServiceError, type ServiceProblem } from '../domain/errors.ts';
import type { ReadingReport } from '../use-cases/polling/poll.ts';
import type { RecheckReport } from '../use-cases/polling/recheck.ts';
import { announceJob } from './announce.ts';
import { type PollParts, pollJob } from './poll.ts';
import { type RecheckJobParts, recheckJob } from './recheck.ts';
import { createRest } from './rest.ts';

const NOON = new Date('2026-05-04T12:00:00Z');
const REPORT: ReadingReport = {
  newEvents: 1,
  newFailures: 1,
  unreadable: 0,
  checkedTo: NOON,
  isDone: true,
  recheckNow: false,
  clockAheadMs: 0,
  retryAfterMs: 0,
};
const PAST: RecheckReport = {
  newEvents: 0,
  newFailures: 0,
  unreadable: 0,
  retryAfterMs: 0,
  caughtUp: true,
  sweep: { behindMs: 0, neededAMinute: 6, madeAMinute: 600, delays: [] },
  troubles: [],
};
const never = new AbortController().signal;

const errorOf = (problem: ServiceProblem) => new ServiceError('production', 'listEvents', problem);
const failing = (problem: ServiceProblem) => () => Promise.reject(errorOf(problem));

/** Creates the jobs of 'production' with parts that record what happened, and a clock that can be moved. */
function jobsWith(change: { readonly poll?: Partial<PollParts>; readonly recheck?: Partial<RecheckJobParts> } = {}) {
  const happened: string[] = [];
  const clock = { now: NOON };
  const note = (_fields: object, sentence: string): void => void happened.push(sentence);
  const shared = {
    everySeconds: 60,
    wakeAnnouncing: async () => void happened.push('announcing woken'),
    logger: { debug: note, info: note, warn: note, error: note },
  };
  const rest = createRest(() => clock.now);
  const poll = pollJob('production', rest, {
    ...shared,
    read: async () => REPORT,
    wakeRecheck: async () => void happened.push('recheck woken'),
    ...change.poll,
  });
  const recheck = recheckJob('production', rest, { ...shared, recheck: async () => PAST, ...change.recheck });
  return { poll, recheck, happened, clock };
}

const later = (ms: number) => new Date(NOON.getTime() + ms);

describe('a poll', () => {
  test('checks its environment, then wakes announcing', async () => {
    const { poll, happened } = jobsWith();
    expect(poll).toMatchObject({ name: 'poll-production', everySeconds: 60 });
    await poll.run(never);
    expect(happened).toEqual(['events checked', 'announcing woken']);
  });

  test.each([
    ['the service fails', errorOf({ kind: 'unreachable' })],
    ['another replica took over', new FencedOffError('production')],
  ])('wakes announcing when %s', async (_, error) => {
    const { poll, happened } = jobsWith({ poll: { read: () => Promise.reject(error) } });
    await poll.run(never);
    expect(happened.at(-1)).toBe('announcing woken');
  });

  test('wakes announcing on any other error, and rethrows it', async () => {
    const { poll, happened } = jobsWith({ poll: { read: () => Promise.reject(new TypeError('a bug')) } });
    await expect(poll.run(never)).rejects.toThrow('a bug');
    expect(happened).toEqual(['announcing woken']);
  });

  test('wakes the recheck when it left work for it', async () => {
    const { poll, happened } = jobsWith({ poll: { read: async () => ({ ...REPORT, recheckNow: true }) } });
    await poll.run(never);
    expect(happened).toContain('recheck woken');
  });

  test('logs when clocks differ by too much', async () => {
    const { poll, happened } = jobsWith({ poll: { read: async () => ({ ...REPORT, clockAheadMs: -3_600_000 }) } });
    await poll.run(never);
    expect(happened).toContain('clocks differ by more than is made up for');
  });

  test('pauses for as long as the service asks, and so does the recheck', async () => {
    const read = failing({ kind: 'rate-limited', retryAfterMs: 90_000 });
    const { poll, recheck, happened, clock } = jobsWith({ poll: { read } });
    await poll.run(never);
    const before = happened.length;
    clock.now = later(89_999);
    await poll.run(never);
    await recheck.run(never);
    expect(happened).toHaveLength(before);
    clock.now = later(90_000);
    await poll.run(never);
    await recheck.run(never);
    expect(happened.length).toBeGreaterThan(before);
  });

  test.each(['poll', 'recheck'] as const)('pauses after a %s that was cut off in the middle, too', async (cutOff) => {
    const retryAfterMs = 4 * 60_000;
    const { poll, recheck, happened, clock } = jobsWith({
      poll: { read: async () => ({ ...REPORT, ...(cutOff === 'poll' && { retryAfterMs, recheckNow: true }) }) },
      recheck: { recheck: async () => ({ ...PAST, ...(cutOff === 'recheck' && { retryAfterMs }) }) },
    });
    await (cutOff === 'poll' ? poll : recheck).run(never);
    const before = happened.filter((one) => one.endsWith('checked')).length;
    clock.now = later(retryAfterMs - 1);
    await recheck.run(never);
    await poll.run(never);
    expect(happened.filter((one) => one.endsWith('checked'))).toHaveLength(before);
    clock.now = later(retryAfterMs);
    await (cutOff === 'poll' ? poll : recheck).run(never);
    expect(happened.filter((one) => one.endsWith('checked'))).toHaveLength(before + 1);
  });

  test('leaves a wait of up to a minute in the middle to the client, so that a recheck continues at once after it', async () => {
    const { poll, recheck, happened } = jobsWith({ poll: { read: async () => ({ ...REPORT, retryAfterMs: 60_000 }) } });
    await poll.run(never);
    await recheck.run(never);
    expect(happened).toContain('past checked');
  });

  test.each([2 * 3_600_000, 365 * 24 * 3_600_000])(
    'tries a service that asks for %i ms again after five minutes',
    async (ms) => {
      let reads = 0;
      const read = () => {
        reads += 1;
        return failing({ kind: 'rate-limited', retryAfterMs: ms })();
      };
      const { poll, clock } = jobsWith({ poll: { read } });
      await poll.run(never);
      clock.now = later(5 * 60_000 - 1);
      await poll.run(never);
      expect(reads).toBe(1);
      clock.now = later(5 * 60_000);
      await poll.run(never);
      expect(reads).toBe(2);
    },
  );
});

describe('a recheck', () => {
  test('wakes announcing only when it found a new failure', async () => {
    const { recheck, happened } = jobsWith();
    await recheck.run(never);
    expect(happened).toEqual(['past checked']);
    const found = jobsWith({ recheck: { recheck: async () => ({ ...PAST, newFailures: 1 }) } });
    await found.recheck.run(never);
    expect(found.happened).toEqual(['past checked', 'announcing woken']);
  });

  test('does nothing before the first poll has left a past to check', async () => {
    const { recheck, happened } = jobsWith({ recheck: { recheck: async () => null } });
    await recheck.run(never);
    expect(happened).toEqual([]);
  });

  test("logs what couldn't be checked and late sweeps", async () => {
    const error = errorOf({ kind: 'rate-limited', retryAfterMs: 90_000 });
    const sweep = { behindMs: 600_000, neededAMinute: 2_000, madeAMinute: 1_500, delays: [] };
    const troubles = [{ part: 'gaps' as const, error }];
    const { recheck, happened, clock } = jobsWith({ recheck: { recheck: async () => ({ ...PAST, sweep, troubles }) } });
    await recheck.run(never);
    expect(happened).toEqual([
      'past checked',
      "events of the past couldn't be read",
      'late failures are looked for too late',
    ]);
    clock.now = later(89_999);
    await recheck.run(never);
    expect(happened).toHaveLength(3);
  });

  test('ends quietly when another replica took over', async () => {
    const { recheck, happened } = jobsWith({
      recheck: { recheck: () => Promise.reject(new FencedOffError('production')) },
    });
    await recheck.run(never);
    expect(happened).toEqual(['another recheck took over']);
  });
});

describe('announcing', () => {
  test('wakes the delivery when a message was written, and otherwise only sets its timer for edits', async () => {
    const happened: string[] = [];
    const announcing = (ids: string[]) =>
      announceJob(60, {
        announce: async () => ids,
        wakeDelivery: async () => void happened.push('delivery'),
        setDeliveryTimer: async () => void happened.push('timer'),
      });
    await announcing([]).run(never);
    expect(happened).toEqual(['timer']);
    await announcing(['digest-1']).run(never);
    expect(happened).toEqual(['timer', 'delivery']);
  });
});
