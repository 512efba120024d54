import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Observer } from '../domain/observer.ts';
import { measureEnvironments } from './metrics/environments.ts';
import { ackTimes, timed } from './metrics/observers.ts';
import { measureProcess } from './metrics/process.ts';
import { type MetricSources, sharedNumbers } from './metrics/sources.ts';

/** What the process measures of itself, in a registry of its own, for `/metrics`. docs/alerts.yml says what of it should wake somebody. */
export interface Metrics {
  readonly registry: Registry;
  /** An acknowledgment of `deliveryType` (`slash_commands`, `interactive`, `events_api`) took so many milliseconds. */
  readonly observeAck: (deliveryType: string, milliseconds: number) => void;
  /** A call of Slack's Web API, by its method. */
  readonly observeSlackCall: Observer;
  /** The requests to an environment's service, by their operation. */
  readonly observeRequestsTo: (environment: string) => Observer;
  /** A field of an answer of an environment's service that isn't what the contract says; the schemas bound the names. */
  readonly countOddField: (environment: string, operation: string, field: string) => void;
  /** A statement, by its kind. */
  readonly observeStatement: Observer;
  /** A job's run, by the job's name. */
  readonly observeJob: Observer;
  /** The outcome of a try to post, edit or find a message. */
  readonly countDelivery: (act: 'post' | 'edit' | 'find', outcome: string) => void;
  readonly countRecorded: (environment: string, recorded: RecordedNumbers) => void;
  readonly countHeartbeat: (outcome: string) => void;
  /** Measures from now on, whenever somebody looks, what is neither counted nor timed. Once. */
  readonly measure: (sources: MetricSources) => void;
}

/** What was recorded of a page, say. */
export interface RecordedNumbers {
  readonly newEvents: number;
  readonly newFailures: number;
  readonly unreadable: number;
}

const SLACK_CALLS = { name: 'notif_slack_call', help: "Calls of Slack's Web API", label: 'method' };
const SERVICE_REQUESTS = {
  name: 'notif_service_request',
  help: 'Requests to the Notification Service',
  label: 'operation',
  fixed: ['environment'],
};
const STATEMENTS = { name: 'notif_database_statement', help: 'Statements and transactions', label: 'kind' };
// Prometheus itself calls what it scrapes a job.
const JOB_RUNS = { name: 'notif_job_run', help: 'Runs of jobs', label: 'task' };

/** Labels name environments, operations, methods and outcomes, which are few; never a workflow or a subscriber. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  new Gauge({ name: 'notif_build_info', help: 'Always 1', labelNames: ['version'], registers }).set({ version }, 1);
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const requests = timed(registry, SERVICE_REQUESTS);
  const deliveries = counter('notif_deliveries_total', 'Tries to post, edit and find messages', ['act', 'outcome']);
  const events = counter('notif_events_read_total', 'Events checked for the first time', ['environment']);
  const failures = counter('notif_failures_recorded_total', 'Failures seen for the first time', ['environment']);
  const unreadable = counter('notif_unreadable_total', "Events that couldn't be read", ['environment']);
  const oddFields = counter('notif_odd_fields_total', "Fields of answers that aren't what the contract says", [
    'environment',
    'operation',
    'field',
  ]);
  const heartbeats = counter('notif_heartbeats_total', "Calls of the dead man's switch, and those withheld", [
    'outcome',
  ]);
  return {
    registry,
    observeAck: ackTimes(registry),
    observeSlackCall: timed(registry, SLACK_CALLS)({}),
    observeRequestsTo: (environment) => requests({ environment }),
    countOddField: (environment, operation, field) => oddFields.inc({ environment, operation, field }),
    observeStatement: timed(registry, STATEMENTS)({}),
    observeJob: timed(registry, JOB_RUNS)({}),
    countDelivery: (act, outcome) => deliveries.inc({ act, outcome }),
    countRecorded: (environment, recorded) => {
      events.inc({ environment }, recorded.newEvents);
      failures.inc({ environment }, recorded.newFailures);
      unreadable.inc({ environment }, recorded.unreadable);
    },
    countHeartbeat: (outcome) => heartbeats.inc({ outcome }),
    measure: (sources) => {
      const shared = sharedNumbers(sources);
      measureEnvironments(registry, sources, shared);
      measureProcess(registry, sources, shared);
    },
  };
}
