import { describe, expect, test } from 'vitest';
import type { EnvironmentSummary, SummaryContent } from '../../../digests/summary.ts';
import { ALL_FAILURES } from '../../../failures/filter.ts';
import { anIncident, aTally, at, expectFit, HOSTILE, NOON, PRODUCTION, STAGING, wordsOf } from '../../slack.testing.ts';
import { summaryMessage } from './summary.ts';

const DAY = 24 * 3_600;

const quietDay: EnvironmentSummary = {
  environment: 'production',
  eventsChecked: 4_210,
  unreadable: 0,
  failedEvents: 0,
  counted: {},
  incidents: { failing: 0, quiet: 0, recovered: 0 },
  open: { firing: 0, critical: 0, unconfirmed: 0 },
  belowThreshold: 0,
  largest: [],
  coverage: { from: at(-9 * DAY), to: NOON },
  gaps: [],
};
const badDay: EnvironmentSummary = {
  ...quietDay,
  failedEvents: 61,
  unreadable: 2,
  counted: { undeliverable: 9 },
  incidents: { failing: 1, quiet: 1, recovered: 3 },
  open: { firing: 1, critical: 1, unconfirmed: 1 },
  belowThreshold: 2,
  largest: [anIncident({ acknowledged: { by: 'U0ANN', at: NOON } })],
};

function drawn(...environments: readonly EnvironmentSummary[]) {
  return drawnWith({}, ...environments);
}

function drawnWith(change: Partial<SummaryContent>, ...environments: readonly EnvironmentSummary[]) {
  const range = { from: at(-DAY), to: NOON };
  const mutes = { mutes: [], mutedIncidents: 0 };
  const backlog = { waiting: 0, oldest: null, oldestHeldUp: null };
  const about = { kind: 'summary', id: 's', channel: 'C1', range, filter: ALL_FAILURES } as const;
  const content: SummaryContent = { ...about, environments, mutes, backlog, ...change };
  const message = summaryMessage(content, [PRODUCTION, STAGING]);
  expectFit(message);
  return message;
}

describe('a daily summary', () => {
  test('says when nothing failed, and how much was checked', () => {
    expect(wordsOf(drawn(quietDay)).split('\n')).toEqual([
      '📋 Daily summary',
      '✅ All caught up: events checked, alerts sent',
      '2026-03-03 12:00 UTC – 2026-03-04 12:00 UTC',
      '✅ production · nothing failed: 4,210 events checked',
    ]);
  });

  test('gives no all-clear over events that it could not read', () => {
    const words = wordsOf(drawn({ ...quietDay, unreadable: 2 }));
    expect(words).toContain('⚠️ not checked in full: production');
    expect(words).toContain("⚪ production · 4,210 events checked, 2 couldn't be read");
    expect(words).not.toContain('✅');
    const none = wordsOf(drawn({ ...quietDay, eventsChecked: 0, unreadable: 1_200 }));
    expect(none).toContain("⚪ production · 0 events checked, 1,200 couldn't be read");
    expect(none).not.toContain('no events');
  });

  test('shows how much failed, its outcome, and what is only counted', () => {
    const words = wordsOf(drawn(badDay));
    expect(words.split('\n').slice(3, 7)).toEqual([
      "🔴 production · 4,210 events checked, 61 failed (1.4%), 2 couldn't be read",
      '1 incident failing · 1 unconfirmed · 3 recovered',
      "2 incidents below this watch's threshold",
      'Not alerted: 9 undeliverable',
    ]);
    expect(words).toContain('👀 acknowledged 12:00 UTC');
    expect(words).not.toContain('U0ANN');
  });

  test('begins with what is open, muted, pending and unchecked', () => {
    const mutes = { mutes: [{ channel: 'C1', muted: 1, watches: 1, until: at(3_600) }], mutedIncidents: 0 };
    const backlog = { waiting: 1, oldest: at(-60), oldestHeldUp: null };
    const gap = { ...closedGap, to: null, closedAt: null };
    const words = wordsOf(drawnWith({ mutes, backlog }, { ...badDay, gaps: [gap] }));
    const first = words.split('\n')[1] ?? '';
    expect(first).toContain('🔴 1 incident failing (1 critical) · ⚪ 1 incident recovering or unconfirmed');
    expect(first).toContain(
      '· 🔕 <#C1> muted until 2026-03-04 13:00 UTC · ⏳ 1 message pending, oldest 1 min, blocked by channel problems',
    );
    expect(first).toContain('⚠️ not checked in full: production');
  });

  test('gives no all-clear over time after the last poll, however much was checked before', () => {
    const coverage = { from: at(-9 * DAY), to: at(-3_600) };
    const words = wordsOf(drawn({ ...quietDay, coverage }));
    const window = '2026-03-04 11:00 UTC – 2026-03-04 12:00 UTC';
    expect(words.split('\n')).toEqual([
      '📋 Daily summary',
      '⚠️ not checked in full: production',
      '2026-03-03 12:00 UTC – 2026-03-04 12:00 UTC',
      '⚠️ production · 4,210 events checked',
      `⚠️ Not checked: ${window}`,
    ]);
    expect(wordsOf(drawn({ ...quietDay, coverage, eventsChecked: 0 }))).not.toContain('no events');
  });

  test.each([
    ['before the first poll', { from: at(-3_600), to: NOON }, '2026-03-04 11:00 UTC'],
    ['of an environment that was never polled', null, '2026-03-04 12:00 UTC'],
  ])('gives no all-clear over time %s', (_which, coverage, end) => {
    const words = wordsOf(drawn({ ...quietDay, eventsChecked: 0, coverage }));
    expect(words).toContain(`⚠️ Not checked: 2026-03-03 12:00 UTC – ${end}`);
    expect(words).not.toContain('✅');
  });

  test('says so if none of its environments is configured', () => {
    expect(wordsOf(drawn())).toContain("⚠️ none of this watch's environments is configured\n");
  });

  test('names the environment of each row if there are several', () => {
    const words = wordsOf(drawn(badDay, { ...badDay, environment: 'staging', largest: [anIncident({ id: 2 })] }));
    expect(words).toContain('(401) · 48 of 60 · 47 people · production · #1');
    expect(words).toContain('(401) · 48 of 60 · 47 people · staging · #2');
  });

  test('of many environments shows those that failed or were not checked first, and counts the rest', () => {
    const gap = { ...closedGap, givenUp: [{ from: at(-3_600), to: NOON }] };
    const environments = Array.from({ length: 200 }, (_, index) => ({ ...quietDay, environment: `shop-${index + 1}` }));
    const unchecked = { ...quietDay, environment: 'shop-unchecked', gaps: [gap] };
    const message = drawn(...environments, unchecked, { ...badDay, environment: 'shop-failing' });
    const lines = wordsOf(message).split('\n');
    expect(lines[3]).toMatch(/^⚠️ shop-unchecked · /);
    expect(lines[5]).toMatch(/^🔴 shop-failing · /);
    expect(wordsOf(message)).toContain('✅ shop-8 · nothing failed: 4,210 events checked');
    expect(wordsOf(message)).toContain('and 192 more environments');
    expect(wordsOf(message)).toContain(' · shop-failing · #1');
    expect(message.text).toContain('and 192 more environments');
  });

  test('keeps a line for each environment if not all rows fit', () => {
    const cause = { text: HOSTILE.repeat(20), key: 'k' };
    const environments = Array.from({ length: 8 }, (_, index) => ({
      ...badDay,
      environment: `env-${index}`,
      largest: Array.from({ length: 5 }, (_row, row) =>
        anIncident({ id: index * 10 + row, tally: aTally({ kind: { workflow: HOSTILE, cause } }) }),
      ),
    }));
    const message = drawn(...environments);
    for (const { environment } of environments) expect(wordsOf(message)).toContain(`🔴 ${environment} ·`);
    const shown = wordsOf(message).match(/^Acknowledge$/gm)?.length ?? 0;
    expect(wordsOf(message)).toContain(`${40 - shown} more incidents: /notif history since:1d, for each env:.`);
  });
});

const closedGap = {
  id: 'gap-1',
  environment: 'production',
  from: at(-3_600),
  to: NOON,
  cause: 'not-running',
  openedAt: NOON,
  closedAt: NOON,
  unchecked: [],
  givenUp: [],
  events: 0,
  failures: 0,
} as const;
