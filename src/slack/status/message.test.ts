import { describe, expect, it } from 'vitest';
import { aHealth } from '../../domain/health.testing.ts';
import type { EnvironmentStatus, Status, StoreStatus } from '../../domain/status.ts';
import { at, expectFit, HOSTILE, NOON, PRODUCTION, STAGING, wordsOf } from '../slack.testing.ts';
import { statusMessage } from './message.ts';

const LOAD = { waiting: 0, waitingPeople: 0, running: 0, remaining: 140 };

function anEnvironmentStatus(change: Partial<EnvironmentStatus> = {}): EnvironmentStatus {
  return { environment: PRODUCTION, health: aHealth(), condition: 'fine', load: LOAD, ...change };
}

function aStore(change: Partial<StoreStatus> = {}): StoreStatus {
  const backlog = { waiting: 0, oldest: null, oldestHeldUp: null };
  return { kind: 'embedded', answeredInMs: 3, backlog, replicas: 1, ...change };
}

function aStatus(change: Partial<Status> = {}): Status {
  return {
    at: NOON,
    environments: [anEnvironmentStatus()],
    slack: { isConnected: true, lastTrouble: null },
    store: aStore(),
    running: { version: '1.2.3', startedAt: at(-3_600) },
    ...change,
  };
}

const wordsFor = (change: Partial<Status>) => wordsOf(statusMessage(aStatus(change)));

it('says in the first line that all is well, and why in the others', () => {
  const message = statusMessage(aStatus());
  expectFit(message);
  expect(wordsOf(message).split('\n')).toEqual([
    '✅ All is read, and all is told',
    '✅ production is read · read to 11:59:50 UTC, 10 s ago',
    '140 requests left in its window',
    'Slack: connected · no call has failed',
    'Messages: none waits',
    'Database: embedded, answers in 3 ms',
    'Notif 1.2.3 since 2026-03-04 11:00 UTC (1 h)',
  ]);
});

it('says the same to a screen reader', () => {
  const { text } = statusMessage(aStatus());
  for (const words of ['all is told', 'is read', '140 requests left', 'Slack: connected', 'answers in 3 ms', '1.2.3']) {
    expect(text).toContain(words);
  }
});

describe('an environment', () => {
  const words = (change: Partial<EnvironmentStatus>) => wordsFor({ environments: [anEnvironmentStatus(change)] });

  it('that can not be read has its reason and what to do next', () => {
    const health = aHealth({ failingSince: at(-1_800), problem: { kind: 'key-refused', status: 401 } });
    const told = words({ condition: 'failing', health });
    expect(told).toContain('⚠️ Not all is well: production can not be read');
    expect(told).toContain('production could not be read: the API key was refused (401). For 30 min.');
    expect(told).toContain('Check NOTIF_PRODUCTION_API_KEY.');
  });

  it('that nobody reads, although the service answers, has a way to look for the reason', () => {
    const told = words({ condition: 'silent', health: aHealth({ lastSuccessAt: at(-600) }) });
    expect(told).toContain('🔴 production is not being read');
    expect(told).toContain('The last one began 10 min ago.');
    expect(told).toContain('then restart Notif');
  });

  it('with a gap says how much is left', () => {
    const told = words({ condition: 'catching-up', health: aHealth({ openGaps: 2, unreadMs: 5_400_000 }) });
    expect(told).toContain('⏳ production is read; what was missed is being read');
    expect(told).toContain('2 gaps: 90 min still to be read.');
  });

  it('that is behind with late failures says by how much', () => {
    const told = words({ condition: 'late', health: aHealth({ behindMs: 720_000 }) });
    expect(told).toContain('Late failures are looked for 12 min later than planned.');
  });

  it('that was never read says so', () => {
    expect(words({ condition: 'not-read-yet', health: null })).toContain('⏳ production was not read yet');
  });

  it('shows people who wait, and a clock that is off', () => {
    const load = { ...LOAD, waitingPeople: 3, remaining: null };
    const told = words({ load, health: aHealth({ clockAheadMs: -720_000 }) });
    expect(told).toContain('rate limit not told · 3 requests of people waiting · its clock is 12 min behind ours');
  });
});

describe('what is told', () => {
  it('has the messages that wait, in the first line after a minute', () => {
    const backlog = { waiting: 3, oldest: at(-240), oldestHeldUp: at(-240) };
    const told = wordsFor({ store: aStore({ backlog }) });
    expect(told).toContain('⚠️ Not all is well: 3 messages wait, the oldest for 4 min');
    const fresh = wordsFor({ store: aStore({ backlog: { waiting: 1, oldest: at(-2), oldestHeldUp: at(-2) } }) });
    expect(fresh).toContain('✅ All is read');
    expect(fresh).toContain('Messages: 1 message waits, the oldest for 2 s');
  });

  it('says where only a channel has to be mended', () => {
    const backlog = { waiting: 2, oldest: at(-86_400), oldestHeldUp: null };
    expect(wordsFor({ store: aStore({ backlog }) })).toContain('for their channels to be mended');
  });

  it('has the last call that Slack refused', () => {
    const lastTrouble = { method: 'chat.postMessage', word: 'rate_limited', at: at(-30) };
    expect(wordsFor({ slack: { isConnected: true, lastTrouble } })).toContain(
      'last call that failed: chat.postMessage with rate_limited, 30 s ago: Slack asked to slow down, and Notif waits',
    );
  });
});

it('says that the database does not answer, and what that means', () => {
  const told = wordsFor({ store: null, environments: [anEnvironmentStatus({ health: null, condition: 'unknown' })] });
  expect(told).toContain('⚠️ Not all is well: the database does not answer');
  expect(told).toContain('production is not known');
  expect(told).toContain('Next: see that it runs');
});

it('fits into a message with fifty environments that speak ill, and says what was left out', () => {
  const environment = { ...STAGING, label: HOSTILE.slice(0, 40) };
  const problem = { kind: 'refused', status: 400, message: HOSTILE.repeat(20), fields: ['after'] } as const;
  const health = aHealth({ failingSince: at(-1_800), problem });
  const one = anEnvironmentStatus({ environment, health, condition: 'failing' });
  const message = statusMessage(aStatus({ environments: Array.from({ length: 60 }, () => one) }));
  expectFit(message);
  expect(wordsOf(message)).toMatch(/\d+ environments more/);
});

it('counts the replicas where there are several', () => {
  expect(wordsFor({ store: aStore({ kind: 'server', replicas: 3 }) })).toContain('(1 h) · 3 replicas');
});
