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
  readShared: () => Promise<Shared>;
}

/** What is the same for all replicas: it's in the database. */
interface Shared {
  health: readonly EnvironmentHealth[];
  backlog: Backlog;
  open: readonly Pick<OpenRow, 'environment' | 'critical' | 'acknowledgedBy'>[];
  /** Whether Alertmanager took the incidents; null without one. */
  isPaging: boolean | null;
}

type MakeGauge = (name: string, help: string, ...labelNames: string[]) => Gauge;

/** A store that takes longer is left out: the rest is told in time. */
const TIMEOUT_MS = 5_000;
/** Each sample wakes the process: 10 ms, the default, costs 0.7% of a core. */
const LAG_SAMPLED_EVERY_MS = 50;
/** The target is 0.05 s (p99); Slack gives up after 3 s. */
const ACK_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 3];
const REQUEST_SECONDS = [0.1, 0.5, 1, 5, 10];

/** Each value of a label is a series: never workflows or subscribers. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLED_EVERY_MS });
  const gauge: MakeGauge = (name, help, ...labelNames) => new Gauge({ name, help, labelNames, registers });
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
  const scraped = scrapedGauges(gauge);

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
      const shared = await inTime(sources.readShared(), TIMEOUT_MS, null).catch((err: unknown) => {
        sources.logger.warn({ err }, "Database can't be asked: /metrics lacks what replicas share");
        return null;
      });
      const freeBytes = await sources.readFreeBytes();
      // A series that begins above 0 hasn't increased for Prometheus.
      for (const { name } of sources.environments) checked.inc({ environment: name, what: 'unreadable' }, 0);
      clear(scraped);
      scraped.connected.set({ to: 'slack' }, Number(sources.isSlackConnected()));
      scraped.connected.set({ to: 'database' }, Number(shared !== null));
      if (shared !== null) setShared(scraped, shared, sources);
      if (freeBytes !== null) scraped.free.set(freeBytes);
      return registry.metrics();
    },
  };
}

function outcomeClass(outcome: string): string {
  if (/^(2..|404)$/.test(outcome)) return 'ok';
  if (outcome === '429') return 'rate-limited';
  return outcome.startsWith('4') ? 'refused' : 'failed';
}

const POLL_AGE = 'Since the last poll that checked all new events began, or the start';
const LATE = "How late new events are checked, if that isn't getting less";
const WAITING = 'How long the oldest message has waited for Slack';
const CONNECTED = '1 while Slack takes alerts, the database has just answered, or Alertmanager took the incidents';

/** Set at each scrape, and not when something happens. */
function scrapedGauges(gauge: MakeGauge) {
  const place = ['environment', 'service'];
  return {
    pollAge: gauge('notif_poll_age_seconds', POLL_AGE, ...place),
    late: gauge('notif_present_behind_seconds', LATE, ...place),
    behind: gauge('notif_past_behind_seconds', 'How late the passes over older events are', ...place),
    unchecked: gauge('notif_gap_unchecked_seconds', 'Time in open gaps', ...place),
    clockAhead: gauge('notif_clock_ahead_seconds', "The service's clock minus Notif's", ...place),
    waiting: gauge('notif_oldest_message_waiting_seconds', WAITING),
    connected: gauge('notif_connected', CONNECTED, 'to'),
    incidents: gauge('notif_incidents', 'Open incidents', 'environment', 'critical', 'acknowledged'),
    free: gauge('notif_disk_free_bytes', 'Free space on the disk of NOTIF_DATA_DIR'),
  };
}

type ScrapedGauges = ReturnType<typeof scrapedGauges>;

/** What isn't known at this scrape isn't shown as it was at the last. */
function clear({ waiting, free, ...labeled }: ScrapedGauges): void {
  for (const gauge of Object.values(labeled)) gauge.reset();
  // A reset gauge without labels would show 0.
  for (const gauge of [waiting, free]) gauge.remove();
}

function setShared(gauges: ScrapedGauges, shared: Shared, sources: MetricSources): void {
  const { health, backlog, open, isPaging } = shared;
  for (const environment of sources.environments) {
    const healthOfIt = health.find((row) => row.environment === environment.name);
    setHealth(gauges, environment, healthOfIt, sources);
    for (const critical of ['true', 'false'])
      for (const acknowledged of ['true', 'false'])
        gauges.incidents.set({ environment: environment.name, critical, acknowledged }, 0);
  }
  for (const { environment, critical, acknowledgedBy } of open)
    gauges.incidents.inc({ environment, critical: `${critical}`, acknowledged: `${acknowledgedBy !== null}` });
  if (isPaging !== null) gauges.connected.set({ to: 'alertmanager' }, Number(isPaging));
  gauges.waiting.set(waitedMs(backlog, sources.now()) / 1000);
}

/** `health`: undefined before the environment's first poll. */
function setHealth(
  gauges: ScrapedGauges,
  { name, apiHost }: MetricSources['environments'][number],
  health: EnvironmentHealth | undefined,
  { running, pollMs, now }: MetricSources,
): void {
  const labels = { environment: name, service: apiHost };
  gauges.pollAge.set(labels, sinceSuccessMs(health?.lastSuccessAt ?? running.startedAt, now()) / 1000);
  gauges.late.set(labels, (health ? tooSlowByMs(health, pollMs, now()) : 0) / 1000);
  gauges.behind.set(labels, (health?.behindMs ?? 0) / 1000);
  gauges.unchecked.set(labels, (health?.uncheckedMs ?? 0) / 1000);
  if (health && health.clockAheadMs !== null) gauges.clockAhead.set(labels, health.clockAheadMs / 1000);
}
