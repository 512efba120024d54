import { beforeEach, describe, expect, test } from 'vitest';
import { aHealth } from '../health/health.testing.ts';
import { at, NOON } from '../service/event.testing.ts';
import { createMetrics, type MetricSources, type Metrics } from './metrics.ts';

let metrics: Metrics;
beforeEach(() => {
  metrics = createMetrics('1.2.3');
});

async function samplesOf(name: string): Promise<string[]> {
  const text = await metrics.registry.metrics();
  return text.split('\n').filter((line) => new RegExp(`^${name}[{ ]`).test(line));
}

describe('observed metrics', () => {
  test('count and time operations by outcome', async () => {
    metrics.observeRequestsTo('production')('listEvents')('200');
    metrics.observeRequestsTo('production')('listEvents')('timed-out');
    expect(await samplesOf('notif_service_request_seconds_count')).toEqual([
      'notif_service_request_seconds_count{environment="production",operation="listEvents",outcome="200"} 1',
      'notif_service_request_seconds_count{environment="production",operation="listEvents",outcome="timed-out"} 1',
    ]);
  });

  test('show since when each loop has not succeeded, and counts its failures', async () => {
    metrics.countLoop('prune', true, NOON);
    metrics.countLoop('prune', false, at(60));
    metrics.countLoop('deliver', false, NOON);
    metrics.countLoop('deliver', false, at(60));
    expect(await samplesOf('notif_loop_last_success_timestamp_seconds')).toEqual([
      `notif_loop_last_success_timestamp_seconds{loop="prune"} ${NOON.getTime() / 1000}`,
      `notif_loop_last_success_timestamp_seconds{loop="deliver"} ${NOON.getTime() / 1000}`,
    ]);
    expect(await samplesOf('notif_loop_failures_total')).toEqual([
      'notif_loop_failures_total{loop="prune"} 1',
      'notif_loop_failures_total{loop="deliver"} 2',
    ]);
  });

  test('sum up recorded events by environment', async () => {
    metrics.countRecorded('staging', { newEvents: 50, newFailures: 2, newUnreadable: 1 });
    metrics.countRecorded('staging', { newEvents: 25, newFailures: 0, newUnreadable: 0 });
    expect(await samplesOf('notif_checked_total')).toEqual([
      'notif_checked_total{environment="staging",what="events"} 75',
      'notif_checked_total{environment="staging",what="failures"} 2',
      'notif_checked_total{environment="staging",what="unreadable"} 1',
    ]);
  });

  test('show what a rule watches for once as 0 before it happens: for Prometheus a new series has not increased', async () => {
    expect(await samplesOf('notif_deliveries_total')).toEqual([
      'notif_deliveries_total{act="find",outcome="cannot-read"} 0',
    ]);
    measuring();
    metrics.countRecorded('production', { newEvents: 1, newFailures: 0, newUnreadable: 1 });
    expect(await samplesOf('notif_checked_total')).toEqual(
      expect.arrayContaining([
        'notif_checked_total{environment="production",what="unreadable"} 1',
        'notif_checked_total{environment="staging",what="unreadable"} 0',
      ]),
    );
    for (const outcome of ['failed', 'done', 'failed']) metrics.observeStatement('transaction')(outcome);
    expect(await samplesOf('notif_database_statement_seconds_count')).toEqual(
      expect.arrayContaining([
        'notif_database_statement_seconds_count{kind="transaction",outcome="failed"} 2',
        'notif_database_statement_seconds_count{kind="statement",outcome="failed"} 0',
      ]),
    );
  });
});

const healthy = aHealth({
  checkedTo: at(-20),
  behindMs: 90_000,
  openGaps: 1,
  uncheckedMs: 600_000,
});

function measuring(change: Partial<MetricSources> = {}): { asked: number; logged: string[] } {
  const seen = { asked: 0, logged: [] as string[] };
  const note = (_: object, sentence: string): void => void seen.logged.push(sentence);
  metrics.measure({
    environments: ['production', 'staging'],
    readShared: async () => {
      seen.asked += 1;
      const health = [healthy, { ...healthy, environment: 'no longer configured' }];
      return { health, backlog: { waiting: 3, oldest: at(-600), oldestHeldUp: null } };
    },
    freeBytes: () => 300,
    loadOf: (environment) => ({
      waiting: 4,
      waitingPeople: 1,
      running: 2,
      remaining: environment === 'staging' ? null : 140,
    }),
    isSlackConnected: () => true,
    logger: { debug: () => {}, info: note, warn: note, error: note },
    now: () => NOON,
    ...change,
  });
  return seen;
}

describe('a scrape', () => {
  test.each([
    ['notif_poll_age_seconds', '10', '+Inf'],
    ['notif_past_behind_seconds', '90', '0'],
    ['notif_gap_unchecked_seconds', '600', '0'],
    ['notif_service_people_waiting', '1', '1'],
  ])('has %s for each configured environment', async (name, production, staging) => {
    measuring();
    expect(await samplesOf(name)).toEqual([
      `${name}{environment="production"} ${production}`,
      `${name}{environment="staging"} ${staging}`,
    ]);
  });

  test('leaves out unknown values', async () => {
    measuring();
    expect(await samplesOf('notif_clock_ahead_seconds')).toEqual([]);
    expect(await samplesOf('notif_service_rate_limit_remaining')).toEqual([
      'notif_service_rate_limit_remaining{environment="production"} 140',
    ]);
  });

  test('has the pending messages and the connections', async () => {
    measuring();
    for (const sample of [
      'notif_oldest_message_waiting_seconds 600',
      'notif_oldest_message_held_up_seconds 0',
      'notif_disk_free_bytes 300',
    ]) {
      expect(await samplesOf(sample.split(' ')[0] ?? '')).toEqual([sample]);
    }
    expect(await samplesOf('notif_connected')).toEqual([
      'notif_connected{to="slack"} 1',
      'notif_connected{to="database"} 1',
    ]);
  });

  test('shares one database query with other scrapes', async () => {
    const seen = measuring();
    await metrics.registry.metrics();
    await metrics.registry.metrics();
    expect(seen.asked).toBe(1);
  });

  test("leaves out what replicas share when the database doesn't respond, and has the rest", async () => {
    const seen = measuring({
      readShared: () => Promise.reject(new Error('away')),
    });
    expect(await samplesOf('notif_connected')).toEqual([
      'notif_connected{to="slack"} 1',
      'notif_connected{to="database"} 0',
    ]);
    expect(await samplesOf('notif_oldest_message_waiting_seconds')).toEqual([]);
    expect(await samplesOf('notif_poll_age_seconds')).toEqual([]);
    expect(seen.logged).toEqual(["database can't be asked: /metrics goes without what replicas share"]);
  });
});
