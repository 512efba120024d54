import { playSteadyLoad } from '../../src/domain/polling/sweeps.testing.ts';
import type { Costs } from './costs.ts';

/** What is to be done in a minute, by all processes together. */
export interface Work {
  readonly processes: number;
  readonly environments: number;
  readonly polledEvents: number;
  readonly checkedEvents: number;
  readonly failures: number;
  readonly messages: number;
}

/** Seconds of CPU time in a minute; `processSeconds` is what a process takes that has nothing to do. */
export function cpuSecondsAMinute(work: Work, costs: Costs, processSeconds: number): number {
  const { processes, environments, polledEvents, checkedEvents, failures, messages } = work;
  const ms =
    processes * processSeconds * 1_000 +
    environments * costs.environment +
    polledEvents * costs.polledEvent +
    checkedEvents * costs.checkedEvent +
    failures * costs.failure +
    messages * costs.message;
  return ms / 1_000;
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
export function workOf(load: SteadyLoad): Work & { requests: number } {
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
