import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Observer } from '../lib/logger.ts';
import { type MetricSources, measure } from './measured.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Each sample of the event loop's lag wakes the process: prom-client's default of 10 ms costs 0.7% of a core. A sample includes the
 * interval, so the lag is never below it.
 */
const LAG_SAMPLED_EVERY_MS = 50;

/** The target is 0.05 s at the 99th percentile; Slack gives up after 3 s. */
const ACKNOWLEDGED_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 3];

/** From a millisecond for a statement to a minute for a request with its retries. */
const CALLED_SECONDS = [0.001, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60];

/** Labels are environments, operations, methods and outcomes, which are few; never workflows or subscribers. */
export function createMetrics(version: string) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLED_EVERY_MS });
  const gauge = (name: string, help: string, labelNames: string[]) => new Gauge({ name, help, labelNames, registers });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, labelNames: string[], buckets = CALLED_SECONDS) =>
    new Histogram({ name, help, labelNames, buckets, registers });

  gauge('notif_build_info', 'Always 1', ['version']).set({ version }, 1);
  const ackHelp = 'Time from receiving a delivery from Slack to acknowledging it';
  const ack = histogram('notif_slack_acknowledgment_seconds', ackHelp, ['delivery_type'], ACKNOWLEDGED_SECONDS);
  const requestLabels = ['operation', 'environment', 'outcome'];
  const requests = histogram('notif_service_request_seconds', 'Requests to the Notification Service', requestLabels);
  const statementLabels = ['kind', 'outcome'];
  const statements = histogram('notif_database_statement_seconds', 'Statements and transactions', statementLabels);
  const calls = histogram('notif_slack_call_seconds', "Calls of Slack's Web API", ['method', 'outcome']);
  const deliveries = counter('notif_deliveries_total', 'Tries to post, edit and find messages', 'act', 'outcome');
  const checkedHelp = 'Seen for the first time: events, failures, unreadable events';
  const checked = counter('notif_checked_total', checkedHelp, 'environment', 'what');
  const loopFailures = counter('notif_loop_failures_total', 'Runs that failed or took too long', 'loop');
  const successHelp = 'When a run last succeeded in this process; before that, when the first one failed';
  const loopSuccess = gauge('notif_loop_last_success_timestamp_seconds', successHelp, ['loop']);
  const loops = new Set<string>();
  const heartbeatHelp = "Calls of the dead man's switch, and those withheld";
  const heartbeats = counter('notif_heartbeats_total', heartbeatHelp, 'outcome');
  // Rules watch for the first of these, and for Prometheus a new series has not increased.
  deliveries.inc({ act: 'find', outcome: 'cannot-read' }, 0);
  for (const outcome of ['answered', 'failed']) heartbeats.inc({ outcome }, 0);
  statements.zero({ kind: 'statement', outcome: 'failed' });

  /** What the label names is timed, and counted by outcome. */
  function timed(metric: Histogram, label: string, fixed: Readonly<Record<string, string>> = {}): Observer {
    return (subject) => {
      const stop = metric.startTimer({ ...fixed, [label]: subject });
      return (outcome) => void stop({ outcome });
    };
  }

  return {
    registry,
    /** @param deliveryType `slash_commands`, `interactive` or `events_api`. */
    observeAck: (deliveryType: string, milliseconds: number): void =>
      ack.observe({ delivery_type: deliveryType }, milliseconds / 1000),
    observeSlackCall: timed(calls, 'method'),
    observeRequestsTo: (environment: string) => timed(requests, 'operation', { environment }),
    observeStatement: timed(statements, 'kind'),
    countLoop: (loop: string, isSuccess: boolean, now: Date): void => {
      loopFailures.inc({ loop }, isSuccess ? 0 : 1);
      // A rule sees that a loop stalls by this time, also of one that fails from the start.
      if (isSuccess || !loops.has(loop)) loopSuccess.set({ loop }, now.getTime() / 1000);
      loops.add(loop);
    },
    countDelivery: (act: 'post' | 'edit' | 'find', outcome: string): void => deliveries.inc({ act, outcome }),
    countRecorded: (
      environment: string,
      recorded: Readonly<Record<'newEvents' | 'newFailures' | 'newUnreadable', number>>,
    ): void => {
      // A list that shows less than before, which only deleted events explain, takes nothing back.
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
