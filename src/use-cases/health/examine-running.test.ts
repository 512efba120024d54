import { describe, expect, test } from 'vitest';
import { anEnvironment } from '../../domain/environment.testing.ts';
import { aHealth } from '../../domain/health/health.testing.ts';
import type { EnvironmentHealth } from '../../domain/health/health.ts';
import type { Logger } from '../../domain/logger.ts';
import { troublesOf } from './examine.testing.ts';
import { type DatabaseFacts, type ExamineRunningParts, runningChecks } from './examine-running.ts';

const NOON = new Date('2026-03-04T12:00:00.000Z');
const at = (seconds: number) => new Date(NOON.getTime() + seconds * 1000);
const quiet: Logger = { debug() {}, info() {}, warn() {}, error() {} };
const FACTS: DatabaseFacts = { bytes: 12_000_000, migration: 3, knownMigration: 3 };

function troubles(store: Partial<ExamineRunningParts['store']> = {}, health: Partial<EnvironmentHealth> = {}) {
  return troublesOf(checks(store, health));
}

/** Returns what the checks say to do next. */
async function adviceOf(
  store: Partial<ExamineRunningParts['store']>,
  health: Partial<EnvironmentHealth> = {},
): Promise<string> {
  const found = await Promise.all(checks(store, health).map(({ look }) => look(new AbortController().signal)));
  return found.flatMap((results) => results.map(({ next }) => next ?? '')).join('\n');
}

function checks(store: Partial<ExamineRunningParts['store']>, health: Partial<EnvironmentHealth>) {
  return runningChecks({
    environments: [anEnvironment()],
    store: {
      health: async () => [aHealth({ checkedTo: at(-10), lastSuccessAt: at(-10), ...health })],
      backlog: async () => ({ waiting: 0, oldest: null, oldestHeldUp: null }),
      outstanding: async () => ({ open: [], mutes: [], mutedIncidents: 0 }),
      trouble: () => null,
      lastDeliveryAt: async () => NOON,
      editRefusals: async () => [],
      blockedChannels: async () => [],
      replicas: async () => 1,
      databaseFacts: async () => FACTS,
      ...store,
    },
    channels: { isPublic: async () => true },
    database: 'embedded',
    slackStatus: () => ({ isConnected: true, lastTrouble: null }),
    loadOf: () => ({ waiting: 0, waitingPeople: 0, running: 0, remaining: null }),
    running: { version: '1.2.3', startedAt: NOON },
    pollMs: 60_000,
    logger: quiet,
    now: () => NOON,
  });
}

test('find nothing when everything is checked and announced', async () => {
  expect(await troubles()).toEqual([]);
});

test("find an environment that can't be read, or isn't being read", async () => {
  const problem = { kind: 'unreachable' } as const;
  expect(await troubles({}, { failingSince: at(-1_800), problem })).toEqual([
    "problem production: Polling: Couldn't read from production: there is no connection to it. Failing for 30 min.",
  ]);
  expect(await troubles({}, { lastSuccessAt: at(-600) })).toEqual([
    'problem production: Polling: Polling has stalled without an error. Last success 10 min ago.',
  ]);
});

test('report a database that accepts no changes, and that polling waits for it, without advising a restart', async () => {
  const readOnly = { trouble: () => 'read-only' as const };
  expect(await troubles(readOnly, { lastSuccessAt: at(-600) })).toEqual([
    'problem production: Polling: Polling waits for the database. Last success 10 min ago.',
    "problem Database: Notif's database accepts no changes right now. No events are checked and no alerts sent.",
  ]);
  expect(await adviceOf(readOnly, { lastSuccessAt: at(-600) })).toContain("Don't restart Notif");
  expect(await adviceOf(readOnly, { lastSuccessAt: at(-600) })).not.toContain('then restart Notif');
});

test('name the channels in which Slack refuses edits', async () => {
  const editRefusals = async () => [{ channel: 'C1', reason: 'is_inactive' }];
  expect(await troubles({ editRefusals })).toEqual([
    "advice Edits: Slack refuses edits here (is_inactive), so counts in posted messages don't update: C1",
  ]);
});

test('report self-healing problems as advice', async () => {
  expect(await troubles({}, { openGaps: 1, uncheckedMs: 5_400_000 })).toEqual([
    'advice production: Polling: 1 gap: 90 min still to be checked.',
  ]);
});

describe('of pending messages', () => {
  const [sixMinutes, threeDays] = [at(-360), at(-3 * 86_400)];
  const restricted = { channel: 'C1', reason: 'channel-restricted', messages: 3, oldest: threeDays } as const;
  const blockedChannels = async () => [restricted];

  test('find those that are held up', async () => {
    const backlog = async () => ({ waiting: 3, oldest: sixMinutes, oldestHeldUp: sixMinutes });
    expect(await troubles({ backlog })).toEqual(['problem Messages: 3 messages not posted yet, the oldest for 6 min.']);
    const fresh = async () => ({ waiting: 3, oldest: at(-240), oldestHeldUp: at(-240) });
    expect(await troubles({ backlog: fresh })).toEqual([]);
  });

  test('find those that are blocked by their channel, with the reason and the next step', async () => {
    const backlog = async () => ({ waiting: 3, oldest: threeDays, oldestHeldUp: null });
    const blocked =
      "problem Messages: 3 messages not posted for 3 d: the channel's posting permissions keep Notif out. C1";
    expect(await troubles({ backlog, blockedChannels })).toEqual([blocked]);
    expect(await adviceOf({ backlog, blockedChannels })).toContain('Let Notif post there');
  });

  test('count those held up apart from those blocked', async () => {
    const backlog = async () => ({ waiting: 4, oldest: threeDays, oldestHeldUp: sixMinutes });
    expect(await troubles({ backlog, blockedChannels })).toEqual([
      'problem Messages: 1 message not posted yet, the oldest for 6 min.',
      "problem Messages: 3 messages not posted for 3 d: the channel's posting permissions keep Notif out. C1",
    ]);
  });

  test('find a delivery that has stalled, although none is pending', async () => {
    expect(await troubles({ lastDeliveryAt: async () => at(-3_600) })).toEqual([
      'problem Messages: Delivery has stalled: the last run without an error ended 1 h ago.',
    ]);
    const stalled = { lastDeliveryAt: async () => at(-3_600), trouble: () => 'read-only' as const };
    expect(await troubles(stalled)).toContain('problem Messages: Delivery waits for the database.');
  });
});

test("find a database that doesn't respond, and one that a newer version has migrated", async () => {
  const away = () => Promise.reject(new Error('away'));
  expect(await troubles({ health: away })).toEqual([
    'unknown production: Polling: Status unknown.',
    "problem Database: It isn't responding. No events are checked and no alerts sent.",
  ]);
  expect(await troubles({ databaseFacts: async () => ({ ...FACTS, migration: 4 }) })).toEqual([
    'advice Database: A newer version of Notif has changed its tables.',
  ]);
});
