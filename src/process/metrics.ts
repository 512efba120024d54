import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Observer } from '../lib/observer.ts';
import { type MetricSources, measure } from './measured.ts';

export type Metrics = ReturnType<typeof createMetrics>;

interface RecordedNumbers {
  readonly newEvents: number;
  readonly newFailures: number;
  readonly newUnreadable: number;
}

/**
 * Each sample of the event loop's lag wakes the process: prom-client's default of 10 ms costs 0.7% of a core. A sample includes the
 * interval, so the lag is never below it.
 */
const LAG_SAMPLED_EVERY_MS = 50;

/** Labels are environments, operations, methods and outcomes, which are few; never workflows or subscribers. */
export function createMetrics(version: string) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLED_EVERY_MS });
  const registers = [registry];
  const gauge = (name: string, help: string, labelNames: string[]) => new Gauge({ name, help, labelNames, registers });
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });

  gauge('notif_build_info', 'Always 1', ['version']).set({ version }, 1);
  const acknowledgments = new Histogram({
    name: 'notif_slack_acknowledgment_seconds',
    help: 'Time from receiving a delivery from Slack to acknowledging it',
    labelNames: ['delivery_type'],
    // The target is 0.05 s at the 99th percentile; Slack gives up after 3 s.
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 3],
    registers,
  });
  const requests = timed(registry, 'notif_service_request_seconds', 'Requests to the Notification Service', [
    'operation',
    'environment',
  ]);
  const statements = timed(registry, 'notif_database_statement_seconds', 'Statements and transactions', ['kind']);
  const calls = timed(registry, 'notif_slack_call_seconds', "Calls of Slack's Web API", ['method']);
  const deliveries = counter('notif_deliveries_total', 'Tries to post, edit and find messages', ['act', 'outcome']);
  const checked = counter('notif_checked_total', 'Seen for the first time: events, failures, unreadable events', [
    'environment',
    'what',
  ]);
  const loopFailures = counter('notif_loop_failures_total', 'Runs that failed or took too long', ['loop']);
  const loopSuccess = gauge(
    'notif_loop_last_success_timestamp_seconds',
    'When a run last succeeded in this process; before that, when the first one failed',
    ['loop'],
  );
  const loops = new Set<string>();
  const heartbeats = counter('notif_heartbeats_total', "Calls of the dead man's switch, and those withheld", [
    'outcome',
  ]);
  // Rules watch for the first of these, and for Prometheus a new series has not increased.
  deliveries.inc({ act: 'find', outcome: 'cannot-read' }, 0);
  for (const outcome of ['answered', 'failed']) heartbeats.inc({ outcome }, 0);

  return {
    registry,
    /** Records how many milliseconds an acknowledgment of `deliveryType` (`slash_commands`, `interactive`, `events_api`) took. */
    observeAck: (deliveryType: string, milliseconds: number): void =>
      acknowledgments.observe({ delivery_type: deliveryType }, milliseconds / 1000),
    observeSlackCall: calls(),
    observeRequestsTo: (environment: string) => requests({ environment }),
    observeStatement: statements({}, 'failed'),
    countLoop: (loop: string, isSuccess: boolean, now: Date): void => {
      loopFailures.inc({ loop }, isSuccess ? 0 : 1);
      // A rule sees that a loop stalls by this time, also of one that fails from the start.
      if (isSuccess || !loops.has(loop)) loopSuccess.set({ loop }, now.getTime() / 1000);
      loops.add(loop);
    },
    countDelivery: (act: 'post' | 'edit' | 'find', outcome: string): void => deliveries.inc({ act, outcome }),
    countRecorded: (environment: string, { newEvents, newFailures, newUnreadable }: RecordedNumbers): void => {
      // A list that shows less than before, which only deleted events explain, takes nothing back.
      checked.inc({ environment, what: 'events' }, Math.max(0, newEvents));
      checked.inc({ environment, what: 'failures' }, newFailures);
      checked.inc({ environment, what: 'unreadable' }, Math.max(0, newUnreadable));
    },
    countHeartbeat: (outcome: string): void => heartbeats.inc({ outcome }),
    measure: (sources: MetricSources): void => {
      for (const environment of sources.environments) checked.inc({ environment, what: 'unreadable' }, 0);
      measure(registry, sources);
    },
  };
}

/** From a millisecond for a statement to a minute for a request with its retries. */
const BUCKETS_SECONDS = [0.001, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60];

/** Further outcomes become `other`: Slack may add error codes, and a label needs few values. */
const MOST_OUTCOMES = 40;

/** Times what the first label names, and counts it by outcome. */
function timed(registry: Registry, name: string, help: string, labelNames: readonly [string, ...string[]]) {
  const [what] = labelNames;
  const labels = [...labelNames, 'outcome'];
  const histogram = new Histogram({ name, help, labelNames: labels, buckets: BUCKETS_SECONDS, registers: [registry] });
  const known = new Set<string>();

  function bounded(outcome: string): string {
    if (known.size < MOST_OUTCOMES) known.add(outcome);
    return known.has(outcome) ? outcome : 'other';
  }

  /** @param watched an outcome of which a rule counts the first one, too: it's shown as 0 before. */
  return (fixed: Readonly<Record<string, string>> = {}, watched: string | null = null): Observer => {
    const begun = new Set<string>();
    return (subject) => {
      const labelled = { ...fixed, [what]: subject };
      if (watched !== null && !begun.has(subject)) histogram.zero({ ...labelled, outcome: watched });
      begun.add(subject);
      const stop = histogram.startTimer(labelled);
      return (outcome) => void stop({ outcome: bounded(outcome) });
    };
  };
}
