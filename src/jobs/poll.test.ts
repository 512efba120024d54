import { describe, expect, test } from 'vitest';
import { ServiceError, type ServiceProblem } from '../domain/errors.ts';
import type { PastReport } from '../polling/read-past.ts';
import type { PresentReport } from '../polling/read-present.ts';
import { type PollParts, pastJob, pollJob } from './poll.ts';
import { createRest } from './rest.ts';

const NOON = new Date('2026-05-04T12:00:00Z');
const FOUND = { newEvents: 1, newFailures: 1, newUnreadable: 0 };
const PRESENT: PresentReport = { ...FOUND, checkedTo: NOON, hasGap: false, clockAheadMs: 0 };
const PAST: PastReport = { ...FOUND, newFailures: 0, pages: 3, behindMs: 0 };
const never = new AbortController().signal;

const failing = (problem: ServiceProblem) => () =>
  Promise.reject(new ServiceError('production', 'listEvents', problem));

function jobsWith(change: Partial<PollParts> = {}) {
  const happened: string[] = [];
  const clock = { now: NOON };
  const note = (_fields: object, sentence: string): void => void happened.push(sentence);
  const rest = createRest(() => clock.now);
  const parts: PollParts = {
    everySeconds: 60,
    readPresent: async () => PRESENT,
    readPast: async () => PAST,
    wakePast: async () => void happened.push('past woken'),
    wakeAnnouncing: async () => void happened.push('announcing woken'),
    count: () => {},
    now: () => clock.now,
    logger: { debug: note, info: note, warn: note, error: note },
    ...change,
  };
  return { poll: pollJob('production', rest, parts), past: pastJob('production', rest, parts), happened, clock };
}

const later = (ms: number) => new Date(NOON.getTime() + ms);

describe('a poll', () => {
  test('checks its environment, then wakes announcing', async () => {
    const { poll, happened } = jobsWith();
    expect(poll).toMatchObject({ name: 'poll-production', everySeconds: 60 });
    await poll.run(never);
    expect(happened).toEqual(['events checked', 'announcing woken']);
  });

  test('wakes announcing when the service fails', async () => {
    const { poll, happened } = jobsWith({ readPresent: failing({ kind: 'unreachable' }) });
    await poll.run(never);
    expect(happened).toEqual(["events couldn't be read", 'announcing woken']);
  });

  test('wakes announcing on any other error, and rethrows it', async () => {
    const { poll, happened } = jobsWith({ readPresent: () => Promise.reject(new TypeError('a bug')) });
    await expect(poll.run(never)).rejects.toThrow('a bug');
    expect(happened).toEqual(['announcing woken']);
  });

  test('has the past read at once when it left a gap', async () => {
    const { poll, happened } = jobsWith({ readPresent: async () => ({ ...PRESENT, hasGap: true }) });
    await poll.run(never);
    expect(happened).toContain('past woken');
  });

  test('logs when clocks differ by too much', async () => {
    const { poll, happened } = jobsWith({ readPresent: async () => ({ ...PRESENT, clockAheadMs: -3_600_000 }) });
    await poll.run(never);
    expect(happened).toContain('clocks differ by more than is made up for');
  });

  test('pauses for as long as the service asks, and so does the reading of the past', async () => {
    const { poll, past, happened, clock } = jobsWith({
      readPresent: failing({ kind: 'rate-limited', retryAfterMs: 90_000 }),
    });
    await poll.run(never);
    const before = happened.length;
    clock.now = later(89_999);
    await poll.run(never);
    await past.run(never);
    expect(happened).toHaveLength(before);
    clock.now = later(90_000);
    await poll.run(never);
    expect(happened.length).toBeGreaterThan(before);
  });
});

describe('reading the past', () => {
  test('wakes announcing only for new failures', async () => {
    const { past, happened } = jobsWith();
    await past.run(never);
    expect(happened).toEqual(['past checked']);
    const found = jobsWith({ readPast: async () => ({ ...PAST, newFailures: 1 }) });
    await found.past.run(never);
    expect(found.happened).toEqual(['past checked', 'announcing woken']);
  });

  test('runs at least each five minutes, and has to end before its next run', async () => {
    const untils: Date[] = [];
    const { past } = jobsWith({
      everySeconds: 3_600,
      readPast: async (_, until) => {
        untils.push(until);
        return PAST;
      },
    });
    expect(past.everySeconds).toBe(300);
    await past.run(never);
    expect(untils).toEqual([later(240_000)]);
  });

  test('does nothing before the present was read', async () => {
    const { past, happened } = jobsWith({ readPast: async () => null });
    await past.run(never);
    expect(happened).toEqual([]);
  });

  test('logs when the service fails, and when it is late', async () => {
    const failed = jobsWith({ readPast: failing({ kind: 'unreachable' }) });
    await failed.past.run(never);
    expect(failed.happened).toEqual(["events of the past couldn't be read"]);
    const late = jobsWith({ readPast: async () => ({ ...PAST, behindMs: 3_600_000 }) });
    await late.past.run(never);
    expect(late.happened).toContain('late failures are looked for too late');
  });
});
