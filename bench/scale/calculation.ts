import { fcnnlsVector } from 'ml-fcnnls';
import { playSteadyLoad } from '../../src/domain/polling/sweeps.testing.ts';

/** What bots do in a minute, all processes together. */
export interface Work {
  readonly processes: number;
  readonly environments: number;
  /** Events in the answers to polls, which overlap, and to checks for late failures. */
  readonly polledEvents: number;
  readonly checkedEvents: number;
  readonly failures: number;
  /** Messages that are posted, and edited. */
  readonly messages: number;
}

/** What each part of the work costs a process, in milliseconds of CPU time. */
export interface Costs {
  /** A process with nothing to do, for a minute. */
  readonly process: number;
  /** An environment in which nothing happens, for a minute: its jobs, its poll, its checks, its integrations and announcing. */
  readonly environment: number;
  /** An event in the answer to a poll, which is recorded; polls overlap, so there are two for each event. */
  readonly polledEvent: number;
  /** An event in the answer to a check for late failures. */
  readonly checkedEvent: number;
  /** A failure beyond its event. */
  readonly failure: number;
  /** A message to a channel: decided, drawn and posted. */
  readonly message: number;
}

/** The parts of the work, each with its number and its cost. */
const PARTS = [
  ['processes', 'process'],
  ['environments', 'environment'],
  ['polledEvents', 'polledEvent'],
  ['checkedEvents', 'checkedEvent'],
  ['failures', 'failure'],
  ['messages', 'message'],
] as const satisfies readonly (readonly [keyof Work, keyof Costs])[];

/** Returns the seconds of CPU time that this work takes in a minute. */
export function cpuSecondsAMinute(work: Work, costs: Costs): number {
  return PARTS.reduce((sum, [count, cost]) => sum + work[count] * costs[cost], 0) / 1_000;
}

/**
 * Returns the costs with which the calculation comes closest to what was measured, each load counted alike: the least squares of the
 * relative errors, with no cost below zero. A cost of which no load has a part is 0.
 */
export function costsFrom(loads: readonly (Work & { readonly cpuSeconds: number })[]): Costs {
  // Parts of alike size: the solver's tolerance is an absolute one.
  const most = PARTS.map(([count]) => Math.max(1, ...loads.map((load) => load[count])));
  const shares = loads.map((load) => PARTS.map(([count], part) => load[count] / (most[part] ?? 1) / load.cpuSeconds));
  const { K: found } = fcnnlsVector(
    shares,
    loads.map(() => 1),
  );
  const [process = 0, environment = 0, polledEvent = 0, checkedEvent = 0, failure = 0, message = 0] = found
    .to1DArray()
    .map((seconds, part) => (seconds * 1_000) / (most[part] ?? 1));
  return { process, environment, polledEvent, checkedEvent, failure, message };
}

export interface SteadyLoad {
  readonly processes: number;
  readonly environments: number;
  readonly eventsADay: number;
  /** The share of events that fail, 0 to 1. */
  readonly failing: number;
  readonly messagesAMinute: number;
}

const MINUTES_A_DAY = 24 * 60;
const EVENTS_A_PAGE = 50;
/** So often an event is read again until the horizon where checks come as often as they ever do (docs/guarantees.md, "Polling"). */
const MOST_CHECKS = 129;

/** What a steady load has to do, with its requests a minute to the service: polls a minute apart, a full horizon, all events on channels that bounce. */
export function workOf(load: SteadyLoad): Work & { readonly requests: number } {
  const { processes, environments, eventsADay, failing, messagesAMinute } = load;
  const newEvents = eventsADay / MINUTES_A_DAY;
  const each = newEvents / environments;
  const { requestsAMinute } = playSteadyLoad(each * 60, 1, 'at once');
  const checked = Math.min(requestsAMinute * EVENTS_A_PAGE, each * MOST_CHECKS);
  const polls = 1 + Math.floor((2 * each) / EVENTS_A_PAGE) + 0.5;
  return {
    processes,
    environments,
    // Polls overlap by a minute.
    polledEvents: 2 * newEvents,
    checkedEvents: environments * checked,
    failures: newEvents * failing,
    messages: messagesAMinute,
    requests: environments * (polls + requestsAMinute),
  };
}
