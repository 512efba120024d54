import { describe, expect, test } from 'vitest';
import { aDetail, aJob, anEvent, at, aWait, NOON } from '../service/event.testing.ts';
import { judge } from './judge.ts';
import { STUCK_AFTER_MS } from './waits.ts';

const muchLater = new Date(NOON.getTime() + STUCK_AFTER_MS + 60_000);

describe('an event', () => {
  const stuckAt = (change: Partial<Parameters<typeof anEvent>[0]>) =>
    judge(anEvent(change), muchLater).failures.map(({ verdict, jobId, channel, cause }) => [
      verdict,
      jobId,
      channel,
      cause.text,
    ]);

  test('is stuck at the step that is overdue', () => {
    const jobs = [aJob({ id: 'a', status: 'queued' }), aJob({ id: 'b', status: 'pending', type: 'sms' })];
    expect(stuckAt({ jobs })).toEqual([['stuck', 'a', 'email', 'Still queued long after it should have been done']]);
  });

  test('is stuck if no step was begun', () => {
    expect(stuckAt({ jobs: [] })).toEqual([
      ['stuck', 'none', 'trigger', 'Still pending long after it should have been done'],
    ]);
  });

  test("isn't stuck if nothing of it has a time", () => {
    const jobs = [aJob({ status: 'queued', updatedAt: null })];
    expect(stuckAt({ jobs, createdAt: null, updatedAt: null })).toEqual([]);
  });

  test("isn't stuck with an unknown status, which counts as not final until the horizon", () => {
    const jobs = [aJob({ status: 'simmering' })];
    expect(stuckAt({ jobs })).toEqual([]);
    expect(judge(anEvent({ jobs }), muchLater).verdict).toBe('in-progress');
  });

  test("isn't stuck at a step that waits for one of unknown status, wherever that is listed", () => {
    const approval = aJob({ id: 'a', type: 'custom', status: 'awaiting_approval' });
    const queued = aJob({ id: 'b', status: 'queued' });
    for (const jobs of [
      [approval, queued],
      [queued, approval],
    ])
      expect(stuckAt({ jobs })).toEqual([]);
  });

  test.each(['running', 'queued', 'pending', 'waiting', 'delayed'])(
    "isn't stuck while a delay or digest step with status %s has time left",
    (status) => {
      for (const type of ['delay', 'digest', 'wait'])
        for (const wait of [aWait(), aWait({ ms: null, until: at(7_200) }), aWait({ ms: null, type: 'timed' })])
          expect(stuckAt({ jobs: [aJob({ type, status, wait }), aJob({ id: 'b', status: 'pending' })] })).toEqual([]);
    },
  );

  test.each(['running', 'pending'])(
    'is stuck at a %s delay step that states no wait, or whose wait is over',
    (status) => {
      for (const wait of [null, aWait({ ms: null }), aWait({ ms: 30_000 })])
        expect(stuckAt({ jobs: [aJob({ id: 'a', type: 'delay', status, wait })] })).toEqual([
          ['stuck', 'a', expect.any(String), expect.any(String)],
        ]);
    },
  );

  test.each<[said: string, Partial<Parameters<typeof anEvent>[0]>]>([
    ['the event was created', { createdAt: at(60), jobs: [aJob({ status: 'queued' })] }],
    ['a step was updated', { jobs: [aJob({ id: 'a', updatedAt: at(60) }), aJob({ id: 'b', status: 'queued' })] }],
  ])('is stuck a quarter of an hour after its last sign of life: when %s', (_, change) => {
    expect(judge(anEvent(change), at(16 * 60)).verdict).toBe('in-progress');
    expect(judge(anEvent(change), at(16 * 60 + 1)).verdict).toBe('stuck');
  });

  test("isn't stuck in a digest that a schedule extended over a weekend, and is once that is over, however often it was extended", () => {
    const hour = (hours: number) => at(hours * 3_600);
    const extended = (now: Date, updatedAt: Date) => {
      const details = [aDetail({ status: 'Pending', detail: 'Step delayed', createdAt: at(1) })];
      const jobs = [
        aJob({ type: 'delay', status: 'delayed', scheduleExtensions: 9, wait: aWait(), details, updatedAt }),
      ];
      return judge(anEvent({ jobs, updatedAt }), now).verdict;
    };
    expect(extended(hour(60), hour(1))).toBe('in-progress');
    expect(extended(hour(67), hour(66))).toBe('stuck');
  });

  test('is stuck at what a digest merged into itself, and not at what it merged into another event', () => {
    const merged = { type: 'email', status: 'merged' };
    expect(stuckAt({ jobs: [aJob({ ...merged, id: 'a', isMergedIntoItself: true })] })).toEqual([
      ['stuck', 'a', 'email', 'Merged into itself by a digest, so it is never sent'],
    ]);
    expect(stuckAt({ mergedInto: 'another', jobs: [aJob(merged)] })).toEqual([]);
  });
});
