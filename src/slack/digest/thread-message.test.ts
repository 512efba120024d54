import { describe, expect, test } from 'vitest';
import type { HistoryEvent, IncidentInHistory } from '../../domain/incidents/history.ts';
import { aRow, at, expectFit, NOON, wordsOf } from '../slack.testing.ts';
import { threadMessage } from './thread-message.ts';

const ANN = 'U0ANN';
const names = new Map([[ANN, 'Ann <!channel>']]);
const total = { failures: 412, subscribers: 120, firstSeen: at(0), lastSeen: at(34 * 60) };

describe("a message in an announcement's thread", () => {
  const said = (
    event: HistoryEvent,
    incidents: readonly IncidentInHistory[] = [{ now: aRow({ relapses: 2 }), total }],
  ) => {
    const drawn = threadMessage({ kind: 'thread', id: 'm', channel: 'C1', threadTs: '1.1', event, incidents }, names);
    expectFit(drawn);
    return drawn;
  };

  test("shows an incident's duration and failures", () => {
    expect(wordsOf(said({ what: 'resolved', by: null, at: at(50 * 60) }))).toBe(
      '✅ Resolved: recovered by 2026-03-04 12:50 UTC · Email · SendGrid — order-shipped · relapsed 2× · 412 failures in 34 min · 120 subscribers · no failures since 2026-03-04 12:34 UTC',
    );
  });

  test.each<[HistoryEvent, string]>([
    [{ what: 'acknowledged', by: ANN, at: NOON }, '👀 Acknowledged by Ann'],
    [{ what: 'unacknowledged', by: ANN, at: NOON }, '↩️ Unacknowledged by Ann'],
    [{ what: 'assigned', to: ANN, by: 'U0UNNAMED', at: NOON }, '🙋 Assigned to Ann'],
    [{ what: 'muted', by: ANN, at: NOON, until: at(3_600) }, '🔕 Muted by Ann'],
    [{ what: 'noted', by: ANN, at: NOON, text: 'rotated <@U0BEN>' }, '📝 Note by Ann'],
    [{ what: 'unmuted', by: ANN, at: NOON }, '🔔 Unmuted by Ann'],
    [{ what: 'resolved', by: ANN, at: NOON }, '✅ Resolved by Ann'],
    [{ what: 'relapsed', at: NOON }, '🔁 Failing again, seen at'],
    [{ what: 'acknowledged', by: 'U0UNNAMED', at: NOON }, '👀 Acknowledged at'],
  ])('names people without notifying them: %o', (event, words) => {
    const drawn = said(event, [{ now: aRow({}), total: null }]);
    expect(wordsOf(drawn)).toContain(words);
    expect(JSON.stringify(drawn)).not.toMatch(/<[@!](?!date)/);
  });

  test('names ten incidents, and counts the rest', () => {
    const many = Array.from({ length: 13 }, () => ({ now: aRow({}), total }));
    const words = wordsOf(said({ what: 'resolved', by: null, at: NOON }, many));
    expect(words.match(/Resolved/g)).toHaveLength(10);
    expect(words).toContain('and 3 more incidents');
  });
});
