import { expect, test } from 'vitest';
import { ALL_FAILURES } from '../../../judging/filter.ts';
import type { EnvironmentWeek } from '../../../reports/week.ts';
import { at, buttonsOf, expectFit, NOON, PRODUCTION, STAGING, wordsOf } from '../../slack.testing.ts';
import { weeklyMessage } from './weekly.ts';

const MINUTE = 60_000;
const RANGE = { from: at(-7 * 24 * 3_600), to: NOON };

const WEEK: EnvironmentWeek = {
  environment: 'production',
  missing: [],
  incidents: 9,
  incidentsBefore: 14,
  acknowledgedMs: 4 * MINUTE,
  endedMs: 31 * MINUTE,
  notLookedAt: 2,
  attempts: 10_000,
  failed: 61,
  workflows: [
    {
      workflow: 'order-shipped',
      attempts: 4_000,
      failed: 56,
      p95Ms: 41_000,
      before: { attempts: 4_000, failed: 12, p95Ms: 38_000 },
    },
    {
      workflow: 'welcome',
      attempts: 500,
      failed: 5,
      p95Ms: 3 * MINUTE,
      before: { attempts: 480, failed: 0, p95Ms: MINUTE },
    },
  ],
  silent: [],
  target: { share: 0.995, daysKept: 6, days: 7 },
};

function drawn(...environments: readonly EnvironmentWeek[]) {
  const about = { kind: 'weekly', id: 'w', channel: 'C1', range: RANGE, filter: ALL_FAILURES } as const;
  const message = weeklyMessage({ ...about, environments }, [PRODUCTION, STAGING]);
  expectFit(message);
  return message;
}

test('a week says how often it failed, how long it took, what nobody looked at and whether its target was kept', () => {
  const message = drawn(WEEK);
  expect(wordsOf(message).split('\n')).toEqual([
    '📋 Weekly summary',
    '2026-02-25 12:00 UTC – 2026-03-04 12:00 UTC',
    'production · 9 incidents (the week before 14) · 61 of 10,000 (0.6%) failed',
    'acknowledged in 4 min · over in 31 min (medians) · 2 that nobody looked at: /notif history unseen: since:2026-02-25 env:production',
    'Target 99.5%: ⚠️ kept on 6 of 7 days',
    '🐢 1 workflow is more than twice as late as the week before',
    'Workflows that failed or became late, the worst first',
    'Workflow | Failed | The week before | 95th percentile | The week before',
    'order-shipped | 56 of 4,000 (1.4%) | 12 of 4,000 (0.3%) | 41 s | 38 s',
    '🐢 welcome | 5 of 500 (1%) | 0 of 480 (0%) | 3 min | 1 min',
    'Download CSV',
  ]);
});

test('a week in which nothing failed has neither a table nor a file, and says what it is not compared with', () => {
  const calm = { incidents: 0, incidentsBefore: null, acknowledgedMs: null, endedMs: null, notLookedAt: 0 };
  const message = drawn({ ...WEEK, ...calm, failed: 0, workflows: [], target: null });
  expect(wordsOf(message)).toMatch(/\nproduction · 0 incidents · 0 of 10,000 \(0%\) failed$/);
  expect(buttonsOf(message)).toEqual([]);
});
