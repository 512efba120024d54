import { setTimeout as wait } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Backlog } from '../digests/outbox.ts';
import { type EnvironmentHealth, sinceSuccessMs } from '../health/status.ts';
import { StoreTroubleError } from '../health/store-trouble.ts';
import type { Logger, Observer } from '../lib/logger.ts';
import { isStillKept } from '../lib/time/waiting.ts';
import type { RequestLoad } from '../service/limits.ts';

export type Metrics = ReturnType<typeof createMetrics>;

export interface MetricSources {
  environments: readonly string[];
  readShared: () => Promise<Shared>;
  freeBytes: () => number | null;
  loadOf: (environment: string) => RequestLoad;
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
const CALLED_SECONDS = [0.001, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60];

/** Labels have few values: never workflows or subscribers. */
export function createMetrics(version: string) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLED_EVERY_MS });
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, labelNames: string[], buckets = CALLED_SECONDS) =>
    new Histogram({ name, help, labelNames, buckets, registers });

  gauge('notif_build_info', 'Always 1', 'version').set({ version }, 1);
  const ack = histogram(
    'notif_slack_acknowledgment_seconds',
    'Until acknowledged',
    ['delivery_type'],
    ACKNOWLEDGED_SECONDS,
  );
  const requests = histogram('notif_service_request_seconds', 'Requests', ['operation', 'environment', 'outcome']);
  const statements = histogram('notif_database_statement_seconds', 'Statements, transactions', ['kind', 'outcome']);
  const calls = histogram('notif_slack_call_seconds', "Calls of Slack's Web API", ['method', 'outcome']);
  const deliveries = counter('notif_deliveries_total', 'Tries to post, edit and find messages', 'act', 'outcome');
  const checked = counter('notif_checked_total', 'New events, failures, unreadable events', 'environment', 'what');
  const loopFailures = counter('notif_loop_failures_total', 'Runs that failed or took too long', 'loop');
  const loopSuccess = gauge('notif_loop_last_success_timestamp_seconds', 'Last success, or first failure', 'loop');
  const loops = new Set<string>();
  const heartbeats = counter('notif_heartbeats_total', "Calls of the dead man's switch, or withheld", 'outcome');
  // Rules watch for the first of these, and for Prometheus a new series has not increased.
  deliveries.inc({ act: 'find', outcome: 'cannot-read' }, 0);
  for (const outcome of ['answered', 'failed']) heartbeats.inc({ outcome }, 0);
  statements.zero({ kind: 'statement', outcome: 'failed' });

  function timed(metric: Histogram, label: string, fixed: Readonly<Record<string, string>> = {}): Observer {
    return (subject) => {
      const stop = metric.startTimer({ ...fixed, [label]: subject });
      return (outcome) => void stop({ outcome });
    };
  }

  return {
    registry,
    observeAck: (deliveryType: string, milliseconds: number): void =>
      ack.observe({ delivery_type: deliveryType }, milliseconds / 1000),
    observeSlackCall: timed(calls, 'method'),
    observeRequestsTo: (environment: string) => timed(requests, 'operation', { environment }),
    observeStatement: timed(statements, 'kind'),
    countLoop: (loop: string, isSuccess: boolean, now: Date): void => {
      loopFailures.inc({ loop }, isSuccess ? 0 : 1);
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
      for (const environment of sources.environments) checked.inc({ environment, what: 'unreadable' }, 0);
      measure(registry, sources);
    },
  };
}

/** Several scrapers can come at once. */
const KEPT_MS = 3_000;
const TIMEOUT_MS = 5_000;

function measure(registry: Registry, sources: MetricSources): void {
  const { environments, loadOf, now, freeBytes, isSlackConnected } = sources;
  let kept: { numbers: Promise<Shared | null>; since: number } | null = null;

  function askShared(): Promise<Shared | null> {
    const since = now().getTime();
    if (kept === null || !isStillKept(kept.since, KEPT_MS, since)) kept = { numbers: ask(sources), since };
    return kept.numbers;
  }

  type Read = (key: string, shared: Shared | null) => number | null;
  function gauge(name: string, help: string, label: string | null, keys: readonly string[], read: Read): void {
    const gauge = new Gauge({
      ...{ name, help, labelNames: label === null ? [] : [label], registers: [registry] },
      async collect() {
        const shared = await askShared();
        gauge.reset();
        if (label === null) gauge.remove();
        for (const key of keys) {
          const value = read(key, shared);
          if (value !== null) gauge.set(label === null ? {} : { [label]: key }, value);
        }
      },
    });
  }

  const single = (name: string, help: string, read: (shared: Shared | null) => number | null) =>
    gauge(name, help, null, [''], (_, shared) => read(shared));
  const perEnvironment = (name: string, help: string, read: Read) =>
    gauge(name, help, 'environment', environments, read);
  const health = (name: string, help: string, readMs: (found: EnvironmentHealth | undefined) => number | null) =>
    perEnvironment(name, help, (key, shared) => {
      const ms = shared && readMs(shared.health.find(({ environment }) => environment === key));
      return ms === null ? null : ms / 1000;
    });
  const waiting = (name: string, help: string, key: 'oldest' | 'oldestHeldUp') =>
    single(name, help, (shared) => shared && (now().getTime() - (shared.backlog[key] ?? now()).getTime()) / 1000);

  const age = 'Since the last poll that checked all new events began, or infinite';
  health('notif_poll_age_seconds', age, (found) => sinceSuccessMs(found?.lastSuccessAt ?? null, now()));
  health('notif_past_behind_seconds', 'How late the passes over older events are', (found) => found?.behindMs ?? 0);
  health('notif_gap_unchecked_seconds', 'Time in open gaps', (found) => found?.uncheckedMs ?? 0);
  health('notif_clock_ahead_seconds', "The service's clock minus Notif's", (found) => found?.clockAheadMs ?? null);
  perEnvironment('notif_service_rate_limit_remaining', 'Requests left by now', (name) => loadOf(name).remaining);
  perEnvironment('notif_service_people_waiting', 'Queued requests of people', (name) => loadOf(name).waitingPeople);
  waiting('notif_oldest_message_waiting_seconds', 'Since the oldest message waits for Slack', 'oldest');
  waiting('notif_oldest_message_held_up_seconds', 'Without those that wait for their channel', 'oldestHeldUp');
  const connected = '1 while Slack has an open socket, or the database has just answered';
  gauge('notif_connected', connected, 'to', ['slack', 'database'], (to, shared) =>
    Number(to === 'slack' ? isSlackConnected() : shared !== null),
  );
  single('notif_disk_free_bytes', 'Free space on the disk of NOTIF_DATA_DIR', freeBytes);
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
