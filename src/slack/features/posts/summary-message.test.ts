import { describe, expect, test } from 'vitest';
import { ALL_FAILURES } from '../../../judging/filter.ts';
import type { EnvironmentSummary } from '../../../reports/summary.ts';
import { anIncident, at, expectFit, HOSTILE, NOON, PRODUCTION, STAGING, wordsOf } from '../../slack.testing.ts';
import type { ContentOf } from './content.ts';
import { summaryMessage } from './summary-message.ts';

const WHOLE_MUTE = { provider: null, workflow: null, isPlanned: false, from: NOON };

const DAY = 24 * 3_600;

const quietDay: EnvironmentSummary = {
  environment: 'production',
  eventsChecked: 4_210,
  unreadable: 0,
  failedEvents: 0,
  open: { firing: 0, critical: 0, unconfirmed: 0 },
  resolved: 0,
  largest: [],
  missing: [],
};
const badDay: EnvironmentSummary = {
  ...quietDay,
  failedEvents: 61,
  unreadable: 2,
  open: { firing: 1, critical: 1, unconfirmed: 1 },
  resolved: 3,
  largest: [anIncident({ acknowledged: { actor: 'U0ANN', at: NOON } })],
};

const drawn = (...environments: readonly EnvironmentSummary[]) => drawnWith({}, ...environments);

function drawnWith(change: Partial<ContentOf<'summary'>>, ...environments: readonly EnvironmentSummary[]) {
  const range = { from: at(-DAY), to: NOON };
  const about = { kind: 'summary', id: 's', channel: 'C1', range, filter: ALL_FAILURES } as const;
  const content: ContentOf<'summary'> = { ...about, environments, mutes: [], ...change };
  const message = summaryMessage(content, [PRODUCTION, STAGING]);
  expectFit(message);
  return message;
}

describe('a daily summary', () => {
  test('says when nothing failed, and how much was checked', () => {
    expect(wordsOf(drawn(quietDay)).split('\n')).toEqual([
      '📋 Daily summary',
      '✅ All up to date: events checked, alerts sent',
      '2026-03-03 12:00 UTC – 2026-03-04 12:00 UTC',
      '✅ production · 4,210 events, none failed',
    ]);
  });

  test("of a filtered watch names its filter, and no share of its environment's events", () => {
    const filter = { ...ALL_FAILURES, channels: ['email'] };
    expect(wordsOf(drawnWith({ filter }, quietDay))).toContain('Only channel email\n✅ production · ');
    expect(wordsOf(drawnWith({ filter }, badDay))).toContain('🔴 production · 4,210 events, 61 failed, 2 unreadable');
  });

  test('gives no all-clear over events that it could not read', () => {
    const words = wordsOf(drawn({ ...quietDay, unreadable: 2 }));
    expect(words).toContain('⚠️ not checked in full: production');
    expect(words).toContain('⚪ production · 4,210 events, 2 unreadable');
    expect(words).not.toContain('✅');
  });

  test('shows how much failed, and its outcome', () => {
    const words = wordsOf(drawn(badDay));
    expect(words.split('\n').slice(3, 5)).toEqual([
      '🔴 production · 4,210 events, 61 failed (1.4%), 2 unreadable',
      'Incidents: 1 failing · 1 recovering or unconfirmed · 3 resolved',
    ]);
    expect(wordsOf(drawn({ ...quietDay, resolved: 2 })).split('\n')).toContain('Incidents: 2 resolved');
    expect(words).toContain('👀 <@U0ANN> 12:00 UTC');
  });

  test('begins with what is open, muted and unchecked', () => {
    const mutes = [{ channel: 'C1', actor: 'U0ANN', incident: null, watches: 1, ...WHOLE_MUTE, until: at(3_600) }];
    const missing = [{ from: at(-3_600), to: NOON }];
    const words = wordsOf(drawnWith({ mutes }, { ...badDay, missing }));
    const first = words.split('\n')[1] ?? '';
    expect(first).toContain('🔴 1 incident failing (1 critical) · ⚪ 1 incident recovering or unconfirmed');
    expect(first).toContain('· 🔕 1 watch in <#C1> muted until 2026-03-04 13:00 UTC ·');
    expect(first).toContain('⚠️ not checked in full: production');
  });

  test('gives no all-clear over time that was not checked, however much was', () => {
    const missing = [{ from: at(-3_600), to: NOON }];
    const words = wordsOf(drawn({ ...quietDay, missing }));
    const window = '2026-03-04 11:00 UTC – 12:00 UTC';
    expect(words.split('\n')).toEqual([
      '📋 Daily summary',
      '⚠️ not checked in full: production',
      '2026-03-03 12:00 UTC – 2026-03-04 12:00 UTC',
      '⚠️ production · 4,210 events',
      `⚠️ Not checked: ${window}`,
    ]);
  });

  test('of many environments shows those that failed or were not checked first, and counts the rest', () => {
    const environments = Array.from({ length: 200 }, (_, index) => ({ ...quietDay, environment: `shop-${index + 1}` }));
    const missing = [{ from: at(-3_600), to: NOON }];
    const behind = { ...quietDay, environment: 'shop-unchecked', missing };
    const message = drawn(...environments, behind, { ...badDay, environment: 'shop-failing' });
    const lines = wordsOf(message).split('\n');
    expect(lines[3]).toMatch(/^⚠️ shop-unchecked · /);
    expect(lines[5]).toMatch(/^🔴 shop-failing · /);
    expect(wordsOf(message)).toContain('✅ shop-8 · 4,210 events, none failed');
    expect(wordsOf(message)).toContain('and 192 more environments');
    expect(wordsOf(message)).toContain(' · shop-failing · #1');
  });

  test('keeps a line for each environment if not all rows fit', () => {
    const cause = { text: HOSTILE.repeat(20), key: 'k' };
    const environments = Array.from({ length: 8 }, (_, index) => ({
      ...badDay,
      environment: `env-${index}`,
      largest: Array.from({ length: 5 }, (_row, row) => anIncident({ id: index * 10 + row, workflow: HOSTILE, cause })),
    }));
    const message = drawn(...environments);
    for (const { environment } of environments) expect(wordsOf(message)).toContain(`🔴 ${environment} ·`);
    const shown = wordsOf(message).match(/^Acknowledge$/gm)?.length ?? 0;
    expect(wordsOf(message)).toContain(
      `${40 - shown} more incidents: /notif history since:1d in each environment (env:).`,
    );
  });
});
