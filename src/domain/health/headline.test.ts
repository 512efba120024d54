import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minutesLater, NOON } from '../alerting/alert-decision.testing.ts';
import { anEnvironment } from '../environment.testing.ts';
import { countOpen, openSeverity } from '../incidents/outstanding.ts';
import { type HeadlineFacts, headlineOf, pendingOf, statusHeadline } from './headline.ts';
import type { EnvironmentStatus, Status, StoreStatus } from './status.ts';

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

const DELIVER = { name: 'deliver', delays: 'Messages', lastSuccessAt: null };

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
      unchecked: [{ is: 'behind', loop: DELIVER }],
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
      { point: 'unchecked', reasons: [{ is: 'behind', loop: DELIVER }] },
      { point: 'still-checking', environments: ['staging'] },
    ]);
  });
});

describe('the headline of a report on everything', () => {
  const environment = (name: string, change: Partial<EnvironmentStatus> = {}): EnvironmentStatus => ({
    environment: anEnvironment({ name }),
    health: null,
    condition: 'fine',
    check: 'checked',
    load: { waiting: 0, waitingPeople: 0, running: 0, remaining: null },
    ...change,
  });
  const STORE: StoreStatus = {
    kind: 'embedded',
    answeredInMs: 1,
    backlog: { waiting: 0, oldest: null, oldestHeldUp: null },
    outstanding: { open: [], mutes: [], mutedIncidents: 0 },
    editRefusals: [],
    replicas: 1,
    trouble: null,
  };
  const status = (store: Partial<StoreStatus> | null, change: Partial<Status> = {}): Status => ({
    at: NOON,
    environments: [environment('production')],
    slack: { isConnected: true, lastTrouble: null },
    store: store === null ? null : { ...STORE, ...store },
    behind: [],
    running: { version: '0.1.0', startedAt: NOON },
    ...change,
  });
  const away = { isConnected: false, lastTrouble: null };

  test('is clear if nothing is open and everything is checked and sent in time', () => {
    expect(statusHeadline(status({}))).toEqual([]);
  });

  test('says without the database only that it does not respond, and whether Slack is connected', () => {
    const failing = { environments: [environment('production', { condition: 'failing' })] };
    expect(statusHeadline(status(null, failing))).toEqual([{ point: 'database-away' }]);
    expect(statusHeadline(status(null, { slack: away }))).toEqual([
      { point: 'database-away' },
      { point: 'unchecked', reasons: [{ is: 'slack-away' }] },
    ]);
  });

  test('says why it is not known whether everything was checked and alerted', () => {
    const store = { trouble: 'read-only' } as const;
    const environments = [
      environment('production', { condition: 'silent', check: 'failed' }),
      environment('staging', { check: 'failed' }),
      environment('sandbox', { check: 'still checking' }),
      environment('europe', { check: null }),
    ];
    expect(statusHeadline(status(store, { environments, slack: away, behind: [DELIVER] }))).toEqual([
      {
        point: 'unchecked',
        reasons: [
          { is: 'store', trouble: 'read-only' },
          { is: 'reading', environment: 'production', condition: 'silent' },
          { is: 'check-failed', environment: 'staging' },
          { is: 'slack-away' },
          { is: 'behind', loop: DELIVER },
        ],
      },
      { point: 'still-checking', environments: ['sandbox'] },
    ]);
  });

  test('has what is open, muted and pending', () => {
    const outstanding = { open: [{ severity: 'high' as const, failing: 1, quiet: 0 }], mutes: [], mutedIncidents: 2 };
    const backlog = { waiting: 3, oldest: minutesLater(-2), oldestHeldUp: minutesLater(-1) };
    expect(statusHeadline(status({ outstanding, backlog }))).toEqual([
      { point: 'failing', incidents: 1, bySeverity: [{ severity: 'high', incidents: 1 }] },
      { point: 'muted', channels: [], incidents: 2 },
      { point: 'pending', messages: 3, oldestAgeMs: 120_000, isOnlyChannels: false },
    ]);
  });
});

test('pending messages wait only for channels to be fixed if Notif and Slack hold up none of them', () => {
  const oldest = minutesLater(-5);
  expect(pendingOf({ waiting: 2, oldest, oldestHeldUp: null }, NOON)).toEqual({
    messages: 2,
    oldestAgeMs: 300_000,
    isOnlyChannels: true,
  });
  expect(pendingOf({ waiting: 2, oldest, oldestHeldUp: oldest }, NOON).isOnlyChannels).toBe(false);
  expect(pendingOf({ waiting: 0, oldest: null, oldestHeldUp: null }, NOON)).toEqual(CLEAR.pending);
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
