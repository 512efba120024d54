import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { NewCounts } from '../coverage/gaps.ts';
import { sinceSuccessMs, tooSlowByMs } from '../coverage/lag.ts';
import type { EnvironmentHealth } from '../health/environment-health.ts';
import type { StatusCtx } from '../health/status.ts';
import type { OpenRow } from '../incidents/open-incidents.ts';
import type { Environment } from '../lib/environment.ts';
import type { Observer } from '../lib/logger.ts';
import { inTime } from '../lib/time/waiting.ts';
import { type Backlog, waitedMs } from '../outbox/backlog.ts';

export interface Metrics {
  registry: Registry;
  onAcknowledged(deliveryType: string, milliseconds: number): void;
  observeCalls: Observer;
  observeRequestsTo(environment: string): () => (outcome: string) => void;
  countLoop(loop: string, isSuccess: boolean, now: Date): void;
  countRecorded(environment: string, recorded: NewCounts): void;
  scrape(sources: MetricSources): Promise<string>;
}

export interface MetricSources
  extends Pick<StatusCtx, 'readFreeBytes' | 'isSlackConnected' | 'running' | 'pollMs' | 'logger' | 'now'> {
  environments: readonly Pick<Environment, 'name' | 'apiHost'>[];
  readShared: () => Promise<{
    health: readonly EnvironmentHealth[];
    backlog: Backlog;
    open: readonly Pick<OpenRow, 'environment' | 'critical' | 'acknowledgedBy'>[];
    /** Whether Alertmanager took the incidents; null without one. */
    isPaging: boolean | null;
  }>;
}

const TIMEOUT_MS = 5_000;
/** Each sample wakes the process: 10 ms, the default, costs 0.7% of a core. */
const LAG_SAMPLED_EVERY_MS = 50;
/** The target is 0.05 s (p99); Slack gives up after 3 s. */
const ACK_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 3];
const REQUEST_SECONDS = [0.1, 0.5, 1, 5, 10];

const CONNECTED = '1 while Slack takes alerts, the database has just answered, or Alertmanager took the incidents';

/** Each value of a label is a series: never workflows or subscribers. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLED_EVERY_MS });
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, labelNames: string[], buckets = REQUEST_SECONDS) =>
    new Histogram({ name, help, labelNames, buckets, registers });

  gauge('notif_build_info', 'Always 1', 'version').set({ version }, 1);
  const ack = histogram('notif_slack_acknowledgment_seconds', 'Until acknowledged', ['delivery_type'], ACK_SECONDS);
  const requests = histogram('notif_service_request_seconds', 'Requests', ['environment', 'outcome']);
  const calls = counter('notif_slack_calls_total', "Calls of Slack's Web API", 'method', 'outcome');
  const checked = counter('notif_checked_total', 'New events, failures, unreadable events', 'environment', 'what');
  const loopSuccess = gauge('notif_loop_last_success_timestamp_seconds', 'Last success, or first failure', 'loop');
  const loops = new Set<string>();

  const place = ['environment', 'service'];
  const age = 'Since the last poll that checked all new events began, or the start';
  const pollAge = gauge('notif_poll_age_seconds', age, ...place);
  const late = gauge(
    'notif_present_behind_seconds',
    "How late new events are checked, if that isn't getting less",
    ...place,
  );
  const behind = gauge('notif_past_behind_seconds', 'How late the passes over older events are', ...place);
  const unchecked = gauge('notif_gap_unchecked_seconds', 'Time in open gaps', ...place);
  const clockAhead = gauge('notif_clock_ahead_seconds', "The service's clock minus Notif's", ...place);
  const waiting = gauge('notif_oldest_message_waiting_seconds', 'How long the oldest message has waited for Slack');
  const connected = gauge('notif_connected', CONNECTED, 'to');
  const incidents = gauge('notif_incidents', 'Open incidents', 'environment', 'critical', 'acknowledged');
  const free = gauge('notif_disk_free_bytes', 'Free space on the disk of NOTIF_DATA_DIR');

  return {
    registry,
    onAcknowledged: (deliveryType: string, milliseconds: number) =>
      ack.observe({ delivery_type: deliveryType }, milliseconds / 1000),
    observeCalls: (method: string) => (outcome: string) => calls.inc({ method, outcome }),
    observeRequestsTo: (environment: string) => () => {
      const stop = requests.startTimer({ environment });
      return (outcome: string) => void stop({ outcome: outcomeClass(outcome) });
    },
    countLoop: (loop: string, isSuccess: boolean, now: Date) => {
      if (isSuccess || !loops.has(loop)) loopSuccess.set({ loop }, now.getTime() / 1000);
      loops.add(loop);
    },
    countRecorded: (environment: string, recorded: NewCounts) => {
      const { newEvents: events, newFailures: failures, newUnreadable: unreadable } = recorded;
      for (const [what, count] of Object.entries({ events, failures, unreadable }))
        checked.inc({ environment, what }, Math.max(0, count));
    },
    async scrape(sources: MetricSources): Promise<string> {
      const { environments, readShared, readFreeBytes, isSlackConnected, running, pollMs, logger, now } = sources;
      const shared = await inTime(readShared(), TIMEOUT_MS, null).catch((err: unknown) => {
        logger.warn({ err }, "Database can't be asked: /metrics lacks what replicas share");
        return null;
      });
      const freeBytes = await readFreeBytes();
      for (const gauge of [pollAge, late, behind, unchecked, clockAhead, incidents, connected]) gauge.reset();
      // A reset gauge without labels would show 0.
      for (const gauge of [waiting, free]) gauge.remove();
      for (const { name, apiHost } of environments) {
        // A series that begins above 0 hasn't increased for Prometheus.
        checked.inc({ environment: name, what: 'unreadable' }, 0);
        if (shared === null) continue;
        const labels = { environment: name, service: apiHost };
        const health = shared.health.find(({ environment }) => environment === name);
        pollAge.set(labels, sinceSuccessMs(health?.lastSuccessAt ?? running.startedAt, now()) / 1000);
        late.set(labels, (health ? tooSlowByMs(health, pollMs, now()) : 0) / 1000);
        behind.set(labels, (health?.behindMs ?? 0) / 1000);
        unchecked.set(labels, (health?.uncheckedMs ?? 0) / 1000);
        for (const critical of ['true', 'false'])
          for (const acknowledged of ['true', 'false']) incidents.set({ environment: name, critical, acknowledged }, 0);
        if (health && health.clockAheadMs !== null) clockAhead.set(labels, health.clockAheadMs / 1000);
      }
      for (const { environment, critical, acknowledgedBy } of shared?.open ?? [])
        incidents.inc({ environment, critical: `${critical}`, acknowledged: `${acknowledgedBy !== null}` });
      connected.set({ to: 'slack' }, Number(isSlackConnected()));
      connected.set({ to: 'database' }, Number(shared !== null));
      if (shared !== null && shared.isPaging !== null) connected.set({ to: 'alertmanager' }, Number(shared.isPaging));
      if (shared !== null) waiting.set(waitedMs(shared.backlog, now()) / 1000);
      if (freeBytes !== null) free.set(freeBytes);
      return registry.metrics();
    },
  };
}

function outcomeClass(outcome: string): string {
  if (/^(2..|404)$/.test(outcome)) return 'ok';
  if (outcome === '429') return 'rate-limited';
  return outcome.startsWith('4') ? 'refused' : 'failed';
}
