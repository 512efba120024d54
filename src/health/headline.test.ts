import { describe, expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import { at, NOON } from '../service/event.testing.ts';
import { type Headline, pendingOf, statusHeadline } from './headline.ts';
import { countOpen, openSeverity } from './outstanding.ts';
import type { EnvironmentStatus, Status, StoreStatus } from './situation.ts';

const CLEAR: Headline = {
  open: [],
  mutes: [],
  mutedIncidents: 0,
  pending: { messages: 0, oldestAgeMs: 0, isOnlyChannels: false },
  unchecked: [],
  stillChecking: [],
};

const DELIVER = { name: 'deliver', delays: 'Messages', lastSuccessAt: null };

describe('the headline of a report on everything', () => {
  const environment = (name: string, change: Partial<EnvironmentStatus> = {}): EnvironmentStatus => ({
    environment: anEnvironment({ name }),
    health: null,
    condition: 'fine',
    check: 'checked',
    ...change,
  });
  const STORE: StoreStatus = {
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
    expect(statusHeadline(status({}))).toEqual(CLEAR);
  });

  test('says without the database only that it does not respond, and whether Slack is connected', () => {
    const failing = { environments: [environment('production', { condition: 'failing' })] };
    const noAnswer = { is: 'store', trouble: 'not-answering' };
    expect(statusHeadline(status(null, failing))).toEqual({ ...CLEAR, unchecked: [noAnswer] });
    const unchecked = [noAnswer, { is: 'slack-away' }];
    expect(statusHeadline(status(null, { slack: away }))).toEqual({ ...CLEAR, unchecked });
  });

  test('says why it is not known whether everything was checked and alerted', () => {
    const store = { trouble: 'read-only' } as const;
    const environments = [
      environment('production', { condition: 'silent', check: 'failed' }),
      environment('staging', { check: 'failed' }),
      environment('sandbox', { check: 'still checking' }),
      environment('europe', { check: null }),
    ];
    expect(statusHeadline(status(store, { environments, slack: away, behind: [DELIVER] }))).toEqual({
      ...CLEAR,
      unchecked: [
        { is: 'store', trouble: 'read-only' },
        { is: 'reading', environment: 'production', condition: 'silent' },
        { is: 'check-failed', environment: 'staging' },
        { is: 'slack-away' },
        { is: 'behind', loop: DELIVER },
      ],
      stillChecking: ['sandbox'],
    });
  });

  test('has what is open, muted and pending', () => {
    const outstanding = { open: [{ severity: 'high' as const, failing: 1, quiet: 0 }], mutes: [], mutedIncidents: 2 };
    const backlog = { waiting: 3, oldest: at(-120), oldestHeldUp: at(-60) };
    const pending = { messages: 3, oldestAgeMs: 120_000, isOnlyChannels: false };
    expect(statusHeadline(status({ outstanding, backlog }))).toEqual({ ...CLEAR, ...outstanding, pending });
  });
});

test('pending messages wait only for channels to be fixed if Notif and Slack hold up none of them', () => {
  const oldest = at(-300);
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
