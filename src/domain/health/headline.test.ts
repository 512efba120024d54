import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minutesLater } from '../alerting/alert-decision.testing.ts';
import { countOpen, openSeverity } from '../incidents/outstanding.ts';
import { type HeadlineFacts, headlineOf } from './headline.ts';

const CLEAR: HeadlineFacts = {
  open: [],
  mutes: [],
  mutedIncidents: 0,
  pending: { messages: 0, oldestAgeMs: 0, isOnlyChannels: false },
  unchecked: [],
  stillChecking: [],
};
const ONCALL = { channel: 'C1', muted: 1, watches: 1, until: minutesLater(60) };

const facts: fc.Arbitrary<HeadlineFacts> = fc.record({
  open: fc.constantFrom(
    [],
    [{ severity: 'high' as const, failing: 2, quiet: 1 }],
    [{ severity: 'other' as const, failing: 0, quiet: 3 }],
  ),
  mutes: fc.constantFrom([], [ONCALL]),
  mutedIncidents: fc.nat(2),
  pending: fc.record({ messages: fc.nat(3), oldestAgeMs: fc.nat(100), isOnlyChannels: fc.boolean() }),
  unchecked: fc.constantFrom([], [{ is: 'slack-away' as const }]),
  stillChecking: fc.constantFrom([], ['production']),
});

describe('the headline', () => {
  test('is clear only if nothing is open, muted, pending or unchecked', () => {
    expect(headlineOf(CLEAR)).toEqual([]);
    fc.assert(
      fc.property(facts, (some) => {
        const { open, mutes, mutedIncidents, pending, unchecked, stillChecking } = some;
        const isClear =
          open.length + mutes.length + mutedIncidents + pending.messages + unchecked.length + stillChecking.length ===
          0;
        expect(headlineOf(some).length === 0).toBe(isClear);
      }),
    );
  });

  test('names open incidents first, then mutes, messages, and what is unchecked', () => {
    const headline = headlineOf({
      open: [
        { severity: 'critical', failing: 1, quiet: 0 },
        { severity: 'high', failing: 2, quiet: 1 },
        { severity: 'low', failing: 0, quiet: 4 },
      ],
      mutes: [ONCALL],
      mutedIncidents: 2,
      pending: { messages: 2, oldestAgeMs: 300_000, isOnlyChannels: true },
      unchecked: [{ is: 'delivery-stalled' }],
      stillChecking: ['staging'],
    });
    expect(headline).toEqual([
      {
        point: 'failing',
        incidents: 3,
        bySeverity: [
          { severity: 'critical', incidents: 1 },
          { severity: 'high', incidents: 2 },
        ],
      },
      { point: 'quiet', incidents: 5 },
      { point: 'muted', channels: [ONCALL], incidents: 2 },
      { point: 'pending', messages: 2, oldestAgeMs: 300_000, isOnlyChannels: true },
      { point: 'unchecked', reasons: [{ is: 'delivery-stalled' }] },
      { point: 'still-checking', environments: ['staging'] },
    ]);
  });
});

test('counts open incidents by severity, critical ones as such and unknown severities together', () => {
  const one = (critical: boolean, severity: string | null, isFailing = true) => ({
    severity: openSeverity(critical, severity),
    isFailing,
    incidents: 1,
  });
  const incidents = [
    one(false, 'none'),
    one(false, null, false),
    one(true, 'low'),
    one(false, 'medium'),
    one(false, 'x'),
  ];
  expect(countOpen(incidents)).toEqual([
    { severity: 'critical', failing: 1, quiet: 0 },
    { severity: 'medium', failing: 1, quiet: 0 },
    { severity: 'other', failing: 2, quiet: 1 },
  ]);
});
