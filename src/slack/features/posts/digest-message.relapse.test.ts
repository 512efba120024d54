import { describe, expect, test } from 'vitest';
import type { DigestRow } from '../../../alerts/content.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { aRow, at, buttonsOf, wordsOf } from '../../slack.testing.ts';
import { ann, messageOf, rowLines, total } from './digest-message.testing.ts';

describe('A relapse', () => {
  test('is a new alert that links the older one', () => {
    const message = messageOf({ rows: [aRow({ outbreak: 2 }, { reason: 'back', olderTs: '1772625612.000100' })] });
    expect(wordsOf(message)).toContain('Email via SendGrid fails again: ');
    expect(JSON.stringify(message.blocks)).toContain(
      ' · <https://slack.com/archives/C0ONCALL/p1772625612000100|Last time> · #1',
    );
  });

  test('says when it failed before, which the older alert no longer does, whatever it is told for', () => {
    const relapsed = { outbreak: 2, earlier: [{ from: at(-3_600), to: at(-3_300) }] };
    expect(rowLines(relapsed, { reason: 'back', olderTs: '1772625612.000100' })[1]).toContain(
      ' · Last time 11:00 UTC–11:05 UTC · #1',
    );
    expect(rowLines(relapsed, { reason: 'grown' })[1]).toContain(
      ' · last time 11:00 UTC–11:05 UTC · up 10× or more · #1',
    );
    const yesterday = { outbreak: 2, earlier: [{ from: at(-86_400), to: at(-86_100) }] };
    expect(rowLines(yesterday)[1]).toContain(' · last time 2026-03-03 12:00 UTC–12:05 UTC · #1');
    expect(rowLines({ ...relapsed, state: { is: 'resolved', at: at(900), actor: null } })[1]).not.toContain(
      'last time',
    );
  });

  test('is counted from the second on, as long as it fails and in what became of it', () => {
    const often = { outbreak: 4, failures: 25, failuresInAll: 100 };
    expect(rowLines(often)[0]).toContain('Email via SendGrid fails again (relapse 3)');
    const over = { ...often, state: { is: 'resolved', at: at(2_400), actor: null } } as const;
    expect(rowLines(over)[2]).toBe(
      '✅ resolved at 12:40 UTC · failed 12:00 UTC–12:03 UTC, after 3 relapses · 100 failures in all',
    );
    expect(rowLines({ ...over, failuresInAll: null })[2]).toMatch(/, after 3 relapses$/);
  });

  test('says who had acknowledged it before', () => {
    expect(rowLines({ outbreak: 2, formerly: ann })).toContain('👀 before the relapse: <@U0ANN>');
  });

  test('has one total, with the failures before it', () => {
    const lately = { attempts: { ...total, failed: 2, tried: 2 }, failures: 8, failuresInAll: 20 };
    expect(rowLines({ outbreak: 2, ...lately, failures: 2 })[1]).toContain('2 of 2 since 12:00 UTC · 20 in all · ');
    // One is found later, which failed before.
    const later = { ...lately, failures: 3 };
    expect(rowLines(later)[1]).toContain('2 of 2 in the last 3 min · 3 since 12:00 UTC · 20 in all · ');
    const minute = { ...lately, attempts: { ...lately.attempts, since: at(132) }, failuresInAll: 8 };
    expect(rowLines(minute)[1]).toContain('2 of 2 in the last minute · 8 since 12:00 UTC · ');
  });

  test('leaves of the older row that it continues below, without actions or what changes', () => {
    const older = (change: Partial<IncidentNow>, ...others: DigestRow[]) =>
      messageOf({ rows: [aRow({ outbreak: 2, ...change }, { isContinued: true }), ...others] });
    const message = older({});
    expect(wordsOf(message)).toMatch(/^🔁 .*\n#1 · continued below$/);
    expect(buttonsOf(message)).toEqual([]);
    const other = aRow({ id: 2 }, { isContinued: true });
    const resolved = { is: 'resolved', at: at(900), actor: null } as const;
    for (const later of [{ attempts: total }, { outbreak: 3 }, { failures: 99, acknowledged: ann, state: resolved }]) {
      expect(older(later)).toEqual(message);
      expect(older(later, other)).toEqual(older({}, other));
    }
  });
});
