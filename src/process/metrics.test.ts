import { beforeEach, describe, expect, test } from 'vitest';
import { aHealth } from '../domain/health/health.testing.ts';
import { StoreTroubleError } from '../domain/health/store-trouble.ts';
import { at, NOON } from '../domain/service/event.testing.ts';
import type { MetricSources } from './metrics/sources.ts';
import { createMetrics, type Metrics } from './metrics.ts';

let metrics: Metrics;
beforeEach(() => {
  metrics = createMetrics('1.2.3');
});

async function samplesOf(name: string): Promise<string[]> {
  const text = await metrics.registry.metrics();
  return text.split('\n').filter((line) => new RegExp(`^${name}[{ ]`).test(line));
}

describe('metrics of the process', () => {
  test('count the CPU time since its start, not only since they were created', async () => {
    const { user, system } = process.cpuUsage();
    const [sample = ''] = await samplesOf('process_cpu_seconds_total');
    expect(Number(sample.split(' ')[1])).toBeGreaterThanOrEqual((user + system) / 1e6);
  });
});

describe('observed metrics', () => {
  test('count and time operations by outcome', async () => {
    metrics.observeRequestsTo('production')('listEvents')('200');
    metrics.observeRequestsTo('production')('listEvents')('timed-out');
    expect(await samplesOf('notif_service_requests_total')).toEqual([
      'notif_service_requests_total{environment="production",operation="listEvents",outcome="200"} 1',
      'notif_service_requests_total{environment="production",operation="listEvents",outcome="timed-out"} 1',
    ]);
    expect(await samplesOf('notif_service_request_seconds_count')).toEqual([
      'notif_service_request_seconds_count{environment="production",operation="listEvents"} 2',
    ]);
  });

  test('have a bounded number of outcomes, whatever errors Slack returns', async () => {
    for (let word = 0; word < 200; word++) metrics.observeSlackCall('chat.update')(`word_${word}`);
    const samples = await samplesOf('notif_slack_calls_total');
    expect(samples).toHaveLength(41);
    expect(samples).toContain('notif_slack_calls_total{method="chat.update",outcome="other"} 160');
  });

  test('show when each loop last succeeded, and its failures as 0 before the first one', async () => {
    metrics.countLoop('prune', true, NOON);
    metrics.countLoop('deliver', false, NOON);
    expect(await samplesOf('notif_loop_last_success_timestamp_seconds')).toEqual([
      `notif_loop_last_success_timestamp_seconds{loop="prune"} ${NOON.getTime() / 1000}`,
    ]);
    expect(await samplesOf('notif_loop_failures_total')).toEqual([
      'notif_loop_failures_total{loop="prune"} 0',
      'notif_loop_failures_total{loop="deliver"} 1',
    ]);
  });

  test('show failed heartbeats as 0 before the first one, which a rule counts, too', async () => {
    expect(await samplesOf('notif_heartbeats_total')).toEqual([
      'notif_heartbeats_total{outcome="answered"} 0',
      'notif_heartbeats_total{outcome="failed"} 0',
    ]);
  });

  test('sum up recorded events by environment', async () => {
    metrics.countRecorded('staging', { newEvents: 50, newFailures: 2, newUnreadable: 1 });
    metrics.countRecorded('staging', { newEvents: 25, newFailures: 0, newUnreadable: 0 });
    expect(await samplesOf('notif_events_checked_total')).toEqual([
      'notif_events_checked_total{environment="staging"} 75',
    ]);
    expect(await samplesOf('notif_failures_recorded_total')).toEqual([
      'notif_failures_recorded_total{environment="staging"} 2',
    ]);
  });

  test('show what a rule watches for once as 0 before it happens: for Prometheus a new series has not increased', async () => {
    expect(await samplesOf('notif_deliveries_total')).toEqual([
      'notif_deliveries_total{act="find",outcome="cannot-read"} 0',
    ]);
    measuring();
    metrics.countRecorded('production', { newEvents: 1, newFailures: 0, newUnreadable: 1 });
    expect(await samplesOf('notif_unreadable_total')).toEqual([
      'notif_unreadable_total{environment="production"} 1',
      'notif_unreadable_total{environment="staging"} 0',
    ]);
    metrics.observeStatement('write')('done');
    expect(await samplesOf('notif_database_statements_total')).toEqual([
      'notif_database_statements_total{kind="write",outcome="failed"} 0',
      'notif_database_statements_total{kind="write",outcome="done"} 1',
    ]);
  });

  test('include the version of Notif', async () => {
    expect(await samplesOf('notif_build_info')).toEqual(['notif_build_info{version="1.2.3"} 1']);
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
    store: {
      health: async () => {
        seen.asked += 1;
        return [healthy, { ...healthy, environment: 'no longer configured' }];
      },
      backlog: async () => ({ waiting: 3, oldest: at(-600), oldestHeldUp: null }),
      lastDeliveryAt: async () => at(-30),
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
  test('asks the database again after the clock was set back', async () => {
    let now = at(3600);
    const seen = measuring({ now: () => now });
    await samplesOf('notif_open_gaps');
    now = NOON;
    await samplesOf('notif_open_gaps');
    expect(seen.asked).toBe(2);
  });

  test.each([
    ['notif_poll_age_seconds', '10', '+Inf'],
    ['notif_announce_age_seconds', '10', '+Inf'],
    ['notif_check_lag_seconds', '20', '+Inf'],
    ['notif_failing_seconds', '0', '0'],
    ['notif_past_behind_seconds', '90', '0'],
    ['notif_open_gaps', '1', '0'],
    ['notif_gap_unchecked_seconds', '600', '0'],
    ['notif_service_people_waiting', '1', '1'],
    ['notif_service_requests_running', '2', '2'],
  ])('has %s for each configured environment', async (name, production, staging) => {
    measuring();
    expect(await samplesOf(name)).toEqual([
      `${name}{environment="production"} ${production}`,
      `${name}{environment="staging"} ${staging}`,
    ]);
  });

  test('counts no success that is dated further ahead than clocks may differ', async () => {
    const ahead = at(601);
    measuring({
      store: {
        health: async () => [{ ...healthy, lastSuccessAt: ahead, announcedAt: ahead }],
        backlog: async () => ({ waiting: 0, oldest: null, oldestHeldUp: null }),
        lastDeliveryAt: async () => ahead,
      },
    });
    expect(await samplesOf('notif_delivery_age_seconds')).toEqual(['notif_delivery_age_seconds +Inf']);
    for (const name of ['notif_poll_age_seconds', 'notif_announce_age_seconds'])
      expect(await samplesOf(name)).toContain(`${name}{environment="production"} +Inf`);
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
      'notif_delivery_age_seconds 30',
      'notif_messages_waiting 3',
      'notif_oldest_message_waiting_seconds 600',
      'notif_oldest_message_held_up_seconds 0',
      'notif_slack_connected 1',
      'notif_database_answers 1',
      'notif_disk_free_bytes 300',
    ]) {
      expect(await samplesOf(sample.split(' ')[0] ?? '')).toEqual([sample]);
    }
  });

  test('shares one database query with other scrapes', async () => {
    const seen = measuring();
    await metrics.registry.metrics();
    await metrics.registry.metrics();
    expect(seen.asked).toBe(1);
  });

  test("leaves out what replicas share when the database doesn't respond, and has the rest", async () => {
    const seen = measuring({
      store: {
        health: () => Promise.reject(new Error('away')),
        backlog: () => new Promise(() => {}),
        lastDeliveryAt: async () => null,
      },
    });
    expect(await samplesOf('notif_database_answers')).toEqual(['notif_database_answers 0']);
    expect(await samplesOf('notif_messages_waiting')).toEqual([]);
    expect(await samplesOf('notif_poll_age_seconds')).toEqual([]);
    expect(await samplesOf('notif_slack_connected')).toEqual(['notif_slack_connected 1']);
    expect(seen.logged).toEqual(["database can't be asked: /metrics goes without what replicas share"]);
  });

  test("logs nothing about the store's trouble that the log has already", async () => {
    const seen = measuring({
      store: {
        health: () => Promise.reject(new StoreTroubleError('not-answering', undefined, { isKnown: true })),
        backlog: () => new Promise(() => {}),
        lastDeliveryAt: async () => null,
      },
    });
    expect(await samplesOf('notif_database_answers')).toEqual(['notif_database_answers 0']);
    expect(seen.logged).toEqual([]);
  });
});
