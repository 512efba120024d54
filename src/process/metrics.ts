import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Observer } from '../domain/observer.ts';
import { measureEnvironments } from './metrics/environments.ts';
import { ackTimes, timed } from './metrics/observers.ts';
import { measureProcess } from './metrics/process.ts';
import { type MetricSources, sharedNumbers } from './metrics/sources.ts';

export interface Metrics {
  readonly registry: Registry;
  /** Records how many milliseconds an acknowledgment of `deliveryType` (`slash_commands`, `interactive`, `events_api`) took. */
  readonly observeAck: (deliveryType: string, milliseconds: number) => void;
  readonly observeSlackCall: Observer;
  readonly observeRequestsTo: (environment: string) => Observer;
  readonly observeStatement: Observer;
  readonly countLoop: (loop: string, isSuccess: boolean, now: Date) => void;
  readonly countDelivery: (act: 'post' | 'edit' | 'find', outcome: string) => void;
  readonly countRecorded: (environment: string, recorded: RecordedNumbers) => void;
  readonly countHeartbeat: (outcome: string) => void;
  readonly measure: (sources: MetricSources) => void;
}

export interface RecordedNumbers {
  readonly newEvents: number;
  readonly newFailures: number;
  readonly newUnreadable: number;
}

const SLACK_CALLS = { name: 'notif_slack_call', help: "Calls of Slack's Web API", label: 'method' };
const SERVICE_REQUESTS = {
  name: 'notif_service_request',
  help: 'Requests to the Notification Service',
  label: 'operation',
  fixed: ['environment'],
};
const STATEMENTS = {
  name: 'notif_database_statement',
  help: 'Statements and transactions',
  label: 'kind',
  watched: ['failed'],
};
/**
 * Each sample of the event loop's lag wakes the process: prom-client's default of 10 ms costs 0.7% of a core. A sample includes the
 * interval, so the lag is never below it.
 */
const LAG_SAMPLED_EVERY_MS = 50;

/** Labels are environments, operations, methods and outcomes, which are few; never workflows or subscribers. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLED_EVERY_MS });
  countCpuTimeBefore(registry);
  const registers = [registry];
  new Gauge({ name: 'notif_build_info', help: 'Always 1', labelNames: ['version'], registers }).set({ version }, 1);
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const requests = timed(registry, SERVICE_REQUESTS);
  const deliveries = counter('notif_deliveries_total', 'Tries to post, edit and find messages', ['act', 'outcome']);
  // A rule watches for it once, and for Prometheus a new series has not increased.
  deliveries.inc({ act: 'find', outcome: 'cannot-read' }, 0);
  const events = counter('notif_events_checked_total', 'Events checked for the first time', ['environment']);
  const failures = counter('notif_failures_recorded_total', 'Failures seen for the first time', ['environment']);
  const unreadable = counter('notif_unreadable_total', "Events that couldn't be read", ['environment']);
  const loopFailures = counter('notif_loop_failures_total', 'Runs that failed or took too long', ['loop']);
  const loopSuccess = new Gauge({
    name: 'notif_loop_last_success_timestamp_seconds',
    help: 'When a run last succeeded in this process',
    labelNames: ['loop'],
    registers,
  });
  const heartbeats = counter('notif_heartbeats_total', "Calls of the dead man's switch, and those withheld", [
    'outcome',
  ]);
  for (const outcome of ['answered', 'failed']) heartbeats.inc({ outcome }, 0);
  return {
    registry,
    observeAck: ackTimes(registry),
    observeSlackCall: timed(registry, SLACK_CALLS)({}),
    observeRequestsTo: (environment) => requests({ environment }),
    observeStatement: timed(registry, STATEMENTS)({}),
    countLoop: (loop, isSuccess, now) => {
      loopFailures.inc({ loop }, isSuccess ? 0 : 1);
      if (isSuccess) loopSuccess.set({ loop }, now.getTime() / 1000);
    },
    countDelivery: (act, outcome) => deliveries.inc({ act, outcome }),
    countRecorded: (environment, recorded) => {
      // A list that shows less than before, which only deleted events explain, takes nothing back.
      events.inc({ environment }, Math.max(0, recorded.newEvents));
      failures.inc({ environment }, recorded.newFailures);
      unreadable.inc({ environment }, Math.max(0, recorded.newUnreadable));
    },
    countHeartbeat: (outcome) => heartbeats.inc({ outcome }),
    measure: (sources) => {
      // A rule watches for the first one, and for Prometheus a new series has not increased.
      for (const environment of sources.environments) unreadable.inc({ environment }, 0);
      const shared = sharedNumbers(sources);
      measureEnvironments(registry, sources, shared);
      measureProcess(registry, sources, shared);
    },
  };
}

/** Adds the CPU time since the process's start, as Prometheus' conventions have it: prom-client's counters begin when they are created. */
function countCpuTimeBefore(registry: Registry): void {
  const { user, system } = process.cpuUsage();
  const used = {
    process_cpu_user_seconds_total: user,
    process_cpu_system_seconds_total: system,
    process_cpu_seconds_total: user + system,
  };
  for (const [name, microseconds] of Object.entries(used)) {
    const counter = registry.getSingleMetric(name);
    if (counter instanceof Counter) counter.inc(microseconds / 1e6);
  }
}
