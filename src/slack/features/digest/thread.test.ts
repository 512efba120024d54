import { describe, expect, test } from 'vitest';
import type { IncidentEvent } from '../../../incidents/publish.ts';
import { anIncident, at, expectFit, NOON, wordsOf } from '../../slack.testing.ts';
import { threadMessage, toldMessage } from './thread.ts';

const ANN = 'U0ANN';
const names = new Map([[ANN, 'Ann <!channel>']]);

describe("A line in an alert's thread", () => {
  const said = (event: IncidentEvent, incidents = [anIncident()]) => {
    const drawn = threadMessage(
      { kind: 'thread', id: 'm', channel: 'C1', threadTs: '1.1', isBroadcast: false, event, incidents },
      names,
    );
    expectFit(drawn);
    return drawn;
  };

  test('says of a resolved incident how much it was, and for how long', () => {
    const state = { is: 'resolved', at: at(400), by: null } as const;
    expect(wordsOf(said({ what: 'resolved', by: null, at: at(400) }, [anIncident({ state })]))).toBe(
      '✅ Resolved: recovered at 2026-03-04 12:06 UTC · #1 · Email via SendGrid failed: The provided authorization grant is invalid (401) · 48 failures · 47 people · 2026-03-04 12:00 UTC–2026-03-04 12:03 UTC',
    );
  });

  test.for<[IncidentEvent, string]>([
    [{ what: 'acknowledged', by: ANN, at: NOON }, '👀 Acknowledged by Ann'],
    [{ what: 'unacknowledged', by: ANN, at: NOON }, '↩️ Unacknowledged by Ann'],
    [{ what: 'assigned', to: ANN, by: 'U0UNNAMED', at: NOON }, '🙋 Assigned to Ann'],
    [{ what: 'muted', by: ANN, at: NOON, until: at(3_600) }, '🔕 Muted by Ann'],
    [{ what: 'noted', by: ANN, at: NOON, text: 'rotated <@U0BEN>' }, '📝 Note by Ann'],
    [{ what: 'unmuted', by: ANN, at: NOON }, '🔔 Unmuted by Ann'],
    [{ what: 'resolved', by: ANN, at: NOON }, '✅ Resolved by Ann'],
    [{ what: 'relapsed', at: NOON }, '🔁 Failing again, seen at'],
    [{ what: 'acknowledged', by: 'U0UNNAMED', at: NOON }, '👀 Acknowledged at'],
  ])('names people without notifying them: %j', ([event, words]) => {
    const drawn = said(event);
    expect(wordsOf(drawn)).toContain(words);
    expect(JSON.stringify(drawn)).not.toMatch(/<[@!](?!date)/);
  });

  test('names ten incidents, and counts the rest', () => {
    const many = Array.from({ length: 13 }, () => anIncident());
    const words = wordsOf(said({ what: 'resolved', by: null, at: NOON }, many));
    expect(words.match(/Resolved/g)).toHaveLength(10);
    expect(words).toContain('and 3 more incidents');
  });
});

test.for([
  [{ told: 'assigned', by: ANN, to: 'U0BEN' }, '🙋 <@U0ANN> assigned this incident to you.'],
  [{ told: 'taken', by: ANN, to: ANN }, '🙋 <@U0ANN> took over this incident from you.'],
  [{ told: 'taken', by: ANN, to: 'U0CAT' }, '🙋 <@U0ANN> assigned this incident, which you had, to <@U0CAT>.'],
  [
    { told: 'unacknowledged', by: ANN, to: null },
    '↩️ <@U0ANN> unacknowledged this incident, which you had acknowledged.',
  ],
] as const)(
  'A direct message says what concerns the person, above the incident with its actions: %j',
  ([told, words]) => {
    const message = toldMessage({ kind: 'told', id: 'm', channel: 'U0BEN', told, incident: anIncident() });
    expectFit(message);
    expect(wordsOf(message).split('\n').slice(0, 2)).toEqual([
      words,
      '🔴 Email via SendGrid fails: The provided authorization grant is invalid (401) · production · #1',
    ]);
    expect(wordsOf(message)).toContain('Acknowledge');
  },
);
