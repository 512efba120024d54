import { beforeEach, describe, expect, test } from 'vitest';
import { aHealth } from '../health/health.testing.ts';
import { heard } from '../lib/logger.testing.ts';
import { at, NOON } from '../service/event.testing.ts';
import { createMetrics, type MetricSources, type Metrics } from './metrics.ts';

let metrics: Metrics;
beforeEach(() => {
  metrics = createMetrics('1.2.3');
});

async function samplesOf(name: string, change: Partial<MetricSources> = {}): Promise<string[]> {
  const text = await metrics.scrape({ ...sources, ...change });
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

  test('sum up recorded events, and show unreadable ones as 0 before: for Prometheus a new series has not increased', async () => {
    metrics.countRecorded('staging', { newEvents: 50, newFailures: 2, newUnreadable: 1 });
    metrics.countRecorded('staging', { newEvents: 25, newFailures: 0, newUnreadable: 0 });
    expect(await samplesOf('notif_checked_total')).toEqual([
      'notif_checked_total{environment="staging",what="events"} 75',
      'notif_checked_total{environment="staging",what="failures"} 2',
      'notif_checked_total{environment="staging",what="unreadable"} 1',
      'notif_checked_total{environment="production",what="unreadable"} 0',
    ]);
  });
});

const healthy = aHealth({ checkedTo: at(-720), tooSlowSince: at(-60), behindMs: 90_000, uncheckedMs: 600_000 });

const { logger, sentences } = heard();
const sources: MetricSources = {
  environments: ['production', 'staging'].map((name) => ({ name, apiHost: 'api.example.com' })),
  readShared: async () => {
    const health = [healthy, { ...healthy, environment: 'no longer configured' }];
    const owner = { isTest: false, isRecipientFault: false, isFaultUnknown: false, subscribers: 3 };
    const open = [{ id: 17, environment: 'production', critical: true, acknowledgedBy: null, ...owner }];
    return { health, backlog: { waiting: 3, oldest: at(-600), oldestUnblocked: null }, open, isPaging: false };
  },
  readFreeBytes: async () => 300,
  isSlackConnected: () => true,
  running: { version: '1.0.0', startedAt: at(-60) },
  pollMs: 60_000,
  logger,
  now: () => NOON,
};

describe('a scrape', () => {
  test.each([
    ['notif_poll_age_seconds', '10', '60'],
    ['notif_present_behind_seconds', '720', '0'],
    ['notif_past_behind_seconds', '90', '0'],
    ['notif_gap_unchecked_seconds', '600', '0'],
  ])('has %s for each configured environment', async (name, production, staging) => {
    expect(await samplesOf(name)).toEqual([
      `${name}{environment="production",service="api.example.com"} ${production}`,
      `${name}{environment="staging",service="api.example.com"} ${staging}`,
    ]);
  });

  test('counts open incidents by whether they are critical and acknowledged', async () => {
    const labels = '{environment="production",critical="true",acknowledged="false"}';
    expect(await samplesOf('notif_incidents')).toContain(`notif_incidents${labels} 1`);
    expect(await samplesOf('notif_incidents')).toHaveLength(8);
  });

  test('leaves out unknown values', async () => {
    expect(await samplesOf('notif_clock_ahead_seconds')).toEqual([]);
    expect(await samplesOf('notif_disk_free_bytes', { readFreeBytes: async () => null })).toEqual([]);
  });

  test('has the pending messages and the connections', async () => {
    for (const sample of ['notif_oldest_message_waiting_seconds 600', 'notif_disk_free_bytes 300']) {
      expect(await samplesOf(sample.split(' ')[0] ?? '')).toEqual([sample]);
    }
    expect(await samplesOf('notif_connected')).toEqual([
      'notif_connected{to="slack"} 1',
      'notif_connected{to="database"} 1',
      'notif_connected{to="alertmanager"} 0',
    ]);
    const withoutPager = { readShared: async () => ({ ...(await sources.readShared()), isPaging: null }) };
    expect(await samplesOf('notif_connected', withoutPager)).toHaveLength(2);
  });

  test("leaves out what replicas share when the database doesn't respond, and has the rest", async () => {
    const away = { readShared: () => Promise.reject(new Error('away')) };
    expect(await samplesOf('notif_connected', away)).toEqual([
      'notif_connected{to="slack"} 1',
      'notif_connected{to="database"} 0',
    ]);
    for (const name of ['notif_poll_age_seconds', 'notif_oldest_message_waiting_seconds'])
      expect(await samplesOf(name, away)).toEqual([]);
    expect(sentences()[0]).toBe("Database can't be asked: /metrics lacks what replicas share");
  });
});
