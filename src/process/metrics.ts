import { setTimeout as wait } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Backlog } from '../digests/outbox.ts';
import { type EnvironmentHealth, sinceSuccessMs } from '../health/status.ts';
import { StoreTroubleError } from '../health/store-trouble.ts';
import type { Environment } from '../lib/environment.ts';
import type { Logger } from '../lib/logger.ts';
import { isStillKept } from '../lib/time/waiting.ts';

export type Metrics = ReturnType<typeof createMetrics>;

export interface MetricSources {
  environments: readonly Pick<Environment, 'name' | 'apiHost'>[];
  readShared: () => Promise<Shared>;
  freeBytes: () => number | null;
  isSlackConnected: () => boolean;
  logger: Logger;
  now: () => Date;
}

interface Shared {
  health: readonly EnvironmentHealth[];
  backlog: Backlog;
}

/** Each sample wakes the process: 10 ms, the default, costs 0.7% of a core. */
const LAG_SAMPLED_EVERY_MS = 50;
/** The target is 0.05 s (p99); Slack gives up after 3 s. */
const ACKNOWLEDGED_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 3];
const REQUEST_SECONDS = [0.1, 0.5, 1, 5, 10];

/** Labels have few values: never workflows or subscribers. */
export function createMetrics(version: string) {
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
  const ack = histogram(
    'notif_slack_acknowledgment_seconds',
    'Until acknowledged',
    ['delivery_type'],
    ACKNOWLEDGED_SECONDS,
  );
  const requests = histogram('notif_service_request_seconds', 'Requests', ['environment', 'outcome']);
  const calls = counter('notif_slack_calls_total', "Calls of Slack's Web API", 'method', 'outcome');
  const deliveries = counter('notif_deliveries_total', 'Tries to post, edit and find messages', 'act', 'outcome');
  const checked = counter('notif_checked_total', 'New events, failures, unreadable events', 'environment', 'what');
  const loopSuccess = gauge('notif_loop_last_success_timestamp_seconds', 'Last success, or first failure', 'loop');
  const loops = new Set<string>();
  const heartbeats = counter('notif_heartbeats_total', "Calls of the dead man's switch, or withheld", 'outcome');

  return {
    registry,
    observeAck: (deliveryType: string, milliseconds: number): void =>
      ack.observe({ delivery_type: deliveryType }, milliseconds / 1000),
    observeSlackCall: (method: string) => (outcome: string) => calls.inc({ method, outcome }),
    observeRequestsTo: (environment: string) => () => {
      const stop = requests.startTimer({ environment });
      return (outcome: string) => void stop({ outcome: outcomeClass(outcome) });
    },
    countLoop: (loop: string, isSuccess: boolean, now: Date): void => {
      if (isSuccess || !loops.has(loop)) loopSuccess.set({ loop }, now.getTime() / 1000);
      loops.add(loop);
    },
    countDelivery: (act: 'post' | 'edit' | 'find', outcome: string): void => deliveries.inc({ act, outcome }),
    countRecorded: (
      environment: string,
      recorded: Readonly<Record<'newEvents' | 'newFailures' | 'newUnreadable', number>>,
    ): void => {
      checked.inc({ environment, what: 'events' }, Math.max(0, recorded.newEvents));
      checked.inc({ environment, what: 'failures' }, recorded.newFailures);
      checked.inc({ environment, what: 'unreadable' }, Math.max(0, recorded.newUnreadable));
    },
    countHeartbeat: (outcome: string): void => heartbeats.inc({ outcome }),
    measure: (sources: MetricSources): void => {
      // For Prometheus a new series has not increased.
      for (const { name } of sources.environments) checked.inc({ environment: name, what: 'unreadable' }, 0);
      measure(registry, sources);
    },
  };
}

/** Few values, for each is a histogram of its own. */
function outcomeClass(outcome: string): string {
  if (/^(2..|404)$/.test(outcome)) return 'ok';
  if (outcome === '429') return 'rate-limited';
  return outcome.startsWith('4') ? 'refused' : 'failed';
}

/** Several scrapers can come at once. */
const KEPT_MS = 3_000;
const TIMEOUT_MS = 5_000;

function measure(registry: Registry, sources: MetricSources): void {
  const { environments, now, freeBytes, isSlackConnected } = sources;
  let kept: { numbers: Promise<Shared | null>; since: number } | null = null;

  function askShared(): Promise<Shared | null> {
    const since = now().getTime();
    if (kept === null || !isStillKept(kept.since, KEPT_MS, since)) kept = { numbers: ask(sources), since };
    return kept.numbers;
  }

  type Labels = Readonly<Record<string, string>>;
  type Read = (labels: Labels, shared: Shared | null) => number | null;
  function gauge(name: string, help: string, series: readonly Labels[], read: Read): void {
    const gauge = new Gauge({
      ...{ name, help, labelNames: Object.keys(series[0] ?? {}), registers: [registry] },
      async collect() {
        const shared = await askShared();
        gauge.reset();
        for (const labels of series) {
          const value = read(labels, shared);
          if (value === null) gauge.remove(labels);
          else gauge.set(labels, value);
        }
      },
    });
  }

  const named = environments.map(({ name, apiHost }) => ({ environment: name, service: apiHost }));
  const health = (name: string, help: string, readMs: (found: EnvironmentHealth | undefined) => number | null) =>
    gauge(name, help, named, (labels, shared) => {
      const ms = shared && readMs(shared.health.find(({ environment }) => environment === labels.environment));
      return ms === null ? null : ms / 1000;
    });
  const age = 'Since the last poll that checked all new events began, or infinite';
  health('notif_poll_age_seconds', age, (found) => sinceSuccessMs(found?.lastSuccessAt ?? null, now()));
  health('notif_past_behind_seconds', 'How late the passes over older events are', (found) => found?.behindMs ?? 0);
  health('notif_gap_unchecked_seconds', 'Time in open gaps', (found) => found?.uncheckedMs ?? 0);
  health('notif_clock_ahead_seconds', "The service's clock minus Notif's", (found) => found?.clockAheadMs ?? null);
  const waiting = 'Since the oldest message waits for Slack';
  gauge('notif_oldest_message_waiting_seconds', waiting, [{}], (_, shared) => {
    return shared && (now().getTime() - (shared.backlog.oldest ?? now()).getTime()) / 1000;
  });
  const connected = '1 while alerts can be posted to Slack, or the database has just answered';
  gauge('notif_connected', connected, [{ to: 'slack' }, { to: 'database' }], ({ to }, shared) =>
    Number(to === 'slack' ? isSlackConnected() : shared !== null),
  );
  gauge('notif_disk_free_bytes', 'Free space on the disk of NOTIF_DATA_DIR', [{}], freeBytes);
}

async function ask({ readShared, logger }: MetricSources): Promise<Shared | null> {
  const without = '/metrics goes without what replicas share';
  try {
    const answered = await Promise.race([readShared(), wait(TIMEOUT_MS, null, { ref: false })]);
    if (answered !== null) return answered;
    logger.warn({ waitedMs: TIMEOUT_MS }, `database does not answer: ${without}`);
  } catch (err) {
    if (!(err instanceof StoreTroubleError)) logger.warn({ err }, `database can't be asked: ${without}`);
  }
  return null;
}
