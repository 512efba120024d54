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
    for (const outcome of ['200', '404', '401', '429', 'timed-out', '503'])
      metrics.observeRequestsTo('production')()(outcome);
    expect(await samplesOf('notif_service_request_seconds_count')).toEqual([
      'notif_service_request_seconds_count{environment="production",outcome="ok"} 2',
      'notif_service_request_seconds_count{environment="production",outcome="refused"} 1',
      'notif_service_request_seconds_count{environment="production",outcome="rate-limited"} 1',
      'notif_service_request_seconds_count{environment="production",outcome="failed"} 2',
    ]);
  });

  test('show since when each loop has not succeeded', async () => {
    metrics.countLoop('prune', true, NOON);
    metrics.countLoop('prune', false, at(60));
    metrics.countLoop('deliver', false, NOON);
    metrics.countLoop('deliver', false, at(60));
    expect(await samplesOf('notif_loop_last_success_timestamp_seconds')).toEqual([
      `notif_loop_last_success_timestamp_seconds{loop="prune"} ${NOON.getTime() / 1000}`,
      `notif_loop_last_success_timestamp_seconds{loop="deliver"} ${NOON.getTime() / 1000}`,
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
    measuring();
    metrics.countRecorded('production', { newEvents: 1, newFailures: 0, newUnreadable: 1 });
    expect(await samplesOf('notif_checked_total')).toEqual(
      expect.arrayContaining([
        'notif_checked_total{environment="production",what="unreadable"} 1',
        'notif_checked_total{environment="staging",what="unreadable"} 0',
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
    environments: ['production', 'staging'].map((name) => ({ name, apiHost: 'api.example.com' })),
    readShared: async () => {
      seen.asked += 1;
      const health = [healthy, { ...healthy, environment: 'no longer configured' }];
      return { health, backlog: { waiting: 3, oldest: at(-600), oldestHeldUp: null } };
    },
    freeBytes: () => 300,
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
  ])('has %s for each configured environment', async (name, production, staging) => {
    measuring();
    expect(await samplesOf(name)).toEqual([
      `${name}{environment="production",service="api.example.com"} ${production}`,
      `${name}{environment="staging",service="api.example.com"} ${staging}`,
    ]);
  });

  test('leaves out unknown values', async () => {
    measuring();
    expect(await samplesOf('notif_clock_ahead_seconds')).toEqual([]);
  });

  test('has the pending messages and the connections', async () => {
    measuring();
    for (const sample of ['notif_oldest_message_waiting_seconds 600', 'notif_disk_free_bytes 300']) {
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
