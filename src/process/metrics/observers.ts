import { Counter, Histogram, type Registry } from 'prom-client';
import type { Observer } from '../../domain/observer.ts';

export interface TimedOptions {
  /** `notif_job_run` makes `notif_job_runs_total` and `notif_job_run_seconds`. */
  readonly name: string;
  readonly help: string;
  /** What tells the timed apart. */
  readonly label: string;
  /** Labels that are known before. */
  readonly fixed?: readonly string[];
}

/** From a statement's millisecond to a job's ten minutes. */
const BUCKETS_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 600];

/** Outcomes beyond these are `other`: Slack may find new words, and a label must stay small. */
const MOST_OUTCOMES = 40;

/** Counts what an observer sees by its outcome, and times it. */
export function timed(
  registry: Registry,
  { name, help, label, fixed = [] }: TimedOptions,
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
    return (outcome) => {
      stop();
      counter.inc({ ...labels, [label]: what, outcome: bounded(outcome) });
    };
  };
}

/** Acknowledgments by the type of what Slack delivered. */
export function ackTimes(registry: Registry): (deliveryType: string, milliseconds: number) => void {
  const histogram = new Histogram({
    name: 'notif_slack_acknowledgment_seconds',
    help: 'Time from receiving a delivery from Slack to acknowledging it',
    labelNames: ['delivery_type'],
    // Promised are 0.05 s at the 99th percentile; Slack gives up after 3 s.
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 3],
    registers: [registry],
  });
  return (deliveryType, milliseconds) => histogram.observe({ delivery_type: deliveryType }, milliseconds / 1000);
}
