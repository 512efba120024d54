import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Readiness } from '../health/readiness.ts';
import { heard, silent } from '../lib/logger.testing.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { startServer } from './server.ts';

let readiness: Readiness;
let metrics: Metrics;
let health: Awaited<ReturnType<typeof startServer>>;

beforeEach(async () => {
  readiness = { slack: true, store: true, readable: true, disk: true, checked: true, behind: [] };
  metrics = createMetrics('1.2.3');
  health = await start(0);
});

afterEach(() => health.close());

async function start(port: number, { host = null, ...changes }: { host?: string | null; scrape?: null } = {}) {
  const server = await startServer({ host, port, logger: silent, sleep: async () => {} });
  server.serve({
    readiness: async () => readiness,
    scrape: () => metrics.registry.metrics(),
    answerSlack: null,
    answerDeploys: null,
    ...changes,
  });
  return server;
}

async function get(path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`http://127.0.0.1:${health.port}${path}`);
  return { status: response.status, text: await response.text() };
}

describe('startServer', () => {
  test('answers while the database is migrated, that it is alive and not ready', async () => {
    await health.close();
    health = await startServer({ host: null, port: 0, logger: silent, sleep: async () => {} });
    expect((await get('/healthz')).status).toBe(200);
    for (const path of ['/readyz', '/metrics', '/slack/events'])
      expect(await get(path)).toEqual({ status: 503, text: '{"migrating":true}' });
  });

  test('reports what keeps the process from being ready', async () => {
    readiness = { slack: false, store: true, readable: true, disk: true, checked: true, behind: [] };
    const text = '{"slack":false,"store":true,"readable":true,"disk":true,"checked":true,"behind":[]}';
    expect(await get('/readyz?verbose')).toEqual({ status: 503, text });
    readiness = { slack: true, store: true, readable: true, disk: true, checked: true, behind: ['announce'] };
    expect(await get('/readyz')).toEqual({ status: 503, text: JSON.stringify(readiness) });
  });

  test("shows acknowledgment times and the process's resource use", async () => {
    metrics.onAcknowledged('slash_commands', 20);
    const { status, text } = await get('/metrics');
    expect(status).toBe(200);
    expect(text).toContain('notif_slack_acknowledgment_seconds_bucket{le="0.025",delivery_type="slash_commands"} 1');
    expect(text).toContain('process_resident_memory_bytes');
  });

  test('lists its paths for any unknown one, without /metrics where they are not asked for', async () => {
    expect(await get('/')).toEqual({ status: 404, text: '{"answers":["/healthz","/readyz","/metrics"]}' });
    await health.close();
    health = await start(0, { scrape: null });
    expect((await get('/metrics')).status).toBe(404);
    expect((await get('/')).text).toBe('{"answers":["/healthz","/readyz"]}');
  });

  test('waits for a port that another process is about to leave, and says so once', async () => {
    const { port } = health;
    const { logger, sentences } = heard();
    const seconds = [1_000, 1_000];
    const sleep = async (ms: number): Promise<void> => {
      expect(ms).toBe(seconds.pop());
      if (seconds.length === 0) await health.close();
    };
    health = await startServer({ host: null, port, logger, sleep });
    expect((await get('/healthz')).status).toBe(200);
    expect(sentences()).toEqual(['Port taken: waiting until it is free']);
  });

  test('says what to do when the port stays taken, or the address is of another machine', async () => {
    await expect(start(health.port)).rejects.toThrow('set PORT to another');
    await expect(start(0, { host: '192.0.2.1' })).rejects.toThrow('HOST to an address of this machine');
  });
});
