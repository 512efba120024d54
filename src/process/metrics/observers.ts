import { Counter, Histogram, type Registry } from 'prom-client';
import type { Observer } from '../../domain/observer.ts';

export interface TimedOptions {
  /** The prefix of the metrics: `notif_job_run` becomes `notif_job_runs_total` and `notif_job_run_seconds`. */
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** Labels whose values are known in advance. */
  readonly fixed?: readonly string[];
  /** Outcomes of which a rule counts the first one, too. They're shown as 0 before, since for Prometheus a new series has not increased. */
  readonly watched?: readonly string[];
}

/** From a millisecond for a statement to ten minutes for a job. */
const BUCKETS_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 600];

/** Further outcomes become `other`: Slack may add error codes, and a label needs few values. */
const MOST_OUTCOMES = 40;

export function timed(
  registry: Registry,
  { name, help, label, fixed = [], watched = [] }: TimedOptions,
): (labels: Readonly<Record<string, string>>) => Observer {
  const registers = [registry];
  const counter = new Counter({ name: `${name}s_total`, help, labelNames: [...fixed, label, 'outcome'], registers });
  const duration = {
    name: `${name}_seconds`,
    help: `${help}: how long they took`,
    buckets: BUCKETS_SECONDS,
    registers,
  };
  const histogram = new Histogram({ ...duration, labelNames: [...fixed, label] });
  const known = new Set<string>();

  function bounded(outcome: string): string {
    if (known.size < MOST_OUTCOMES) known.add(outcome);
    return known.has(outcome) ? outcome : 'other';
  }

  return (labels) => (what) => {
    const stop = histogram.startTimer({ ...labels, [label]: what });
    for (const outcome of watched) counter.inc({ ...labels, [label]: what, outcome }, 0);
    return (outcome) => {
      stop();
      counter.inc({ ...labels, [label]: what, outcome: bounded(outcome) });
    };
  };
}

export function ackTimes(registry: Registry): (deliveryType: string, milliseconds: number) => void {
  const histogram = new Histogram({
    name: 'notif_slack_acknowledgment_seconds',
    help: 'Time from receiving a delivery from Slack to acknowledging it',
    labelNames: ['delivery_type'],
    // The target is 0.05 s at the 99th percentile; Slack gives up after 3 s.
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 3],
    registers: [registry],
  });
  return (deliveryType, milliseconds) => histogram.observe({ delivery_type: deliveryType }, milliseconds / 1000);
}
