import { describe, expect, test } from 'vitest';
import { anIncident, expectView, NOON, wordsOf } from '../../slack.testing.ts';
import { muteView, parseIncidentForm, parseLength } from './forms-modal.ts';

const form = {
  target: { messageId: 'digest-1', incidentId: 1 },
  answerUrl: 'https://hooks.slack.example/1',
  acknowledgedBy: null,
};

describe('the form for a mute', () => {
  const view = muteView(anIncident(), form, { timeZone: 'Europe/Berlin', now: NOON });

  test('shows what it mutes, offers lengths with an end, and says what happens then', () => {
    expect(wordsOf(view).split('\n')).toEqual([
      'Email via SendGrid fails: The provided authorization grant is invalid (401) · production · #1',
      '48 of 60 since 12:00 UTC · 47 people · order-shipped',
      'For how long',
      "You'll get what you missed at the end.",
      '30 minutes',
      'An hour',
      '4 hours',
      'Until Thursday 09:00 (Europe/Berlin)',
      'A day',
      'A week',
      'An hour',
      "It's muted in this watch only: other watches keep alerting.",
    ]);
  });

  test("offers the next morning in the person's time zone", () => {
    const early = muteView(anIncident(), form, { timeZone: 'America/Los_Angeles', now: NOON });
    expect(wordsOf(early)).toContain('Until Wednesday 09:00 (America/Los_Angeles)');
  });

  test('is accepted by Slack', () => {
    expectView(view);
  });

  test('keeps its target', () => {
    expect(parseIncidentForm(view.private_metadata ?? '')).toEqual(form);
  });

  test('accepts only its own lengths', () => {
    expect(parseLength(() => '4h')).toEqual({ end: 'after', ms: 4 * 3_600_000 });
    expect(parseLength(() => null)).toBeNull();
  });
});
