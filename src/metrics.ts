import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** What the process measures of itself, in a registry of its own. */
export interface Metrics {
  readonly registry: Registry;
  /** An acknowledgement of `deliveryType` (`slash_commands`, `interactive`, `events_api`) took so many milliseconds. */
  readonly observeAcknowledgement: (deliveryType: string, milliseconds: number) => void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const acknowledgements = new Histogram({
    name: 'notif_slack_acknowledgement_seconds',
    help: 'Time from the arrival of a delivery from Slack to its acknowledgement',
    labelNames: ['delivery_type'],
    // Promised are 0.05 s at the 99th percentile; Slack gives up after 3 s.
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 3],
    registers: [registry],
  });
  return {
    registry,
    observeAcknowledgement: (deliveryType, milliseconds) =>
      acknowledgements.observe({ delivery_type: deliveryType }, milliseconds / 1000),
  };
}
