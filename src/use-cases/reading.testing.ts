import { at } from '../domain/event.testing.ts';
import { ALL_FAILURES } from '../domain/failure-filter.ts';
import type { Gap } from '../domain/gap.ts';
import type { Findings } from '../domain/tally.ts';
import type { Store } from '../store/store.ts';
import { ModelService } from './model-service.testing.ts';
import { type ReadingReport, type RoundParts, readNewEvents } from './read-new-events.ts';

export const HORIZON_MS = 72 * 3_600_000;
export const ALWAYS = { from: at(-1e7), to: at(1e7) };
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** An environment that is read in rounds, with a model of its service and a store of its own, at times that are handed in. */
export interface ReadEnvironment {
  readonly service: ModelService;
  readonly stop: AbortController;
  /** What takes time moves this clock, too. */
  readonly clock: { now: Date };
  round(now: Date, change?: Partial<RoundParts>): Promise<ReadingReport>;
  found(): Promise<Findings>;
  gaps(): Promise<Gap[]>;
}

let environments = 0;

/** Reads an environment that nobody has read before. */
export function readEnvironment(store: Store): ReadEnvironment {
  environments += 1;
  const environment = `environment-${environments}`;
  const clock = { now: at(0) };
  const now = () => clock.now;
  const service = new ModelService(now);
  const stop = new AbortController();
  const parts = { service, store, logger: silent, now, horizonMs: HORIZON_MS, pollMs: 60_000, signal: stop.signal };
  return {
    service,
    stop,
    clock,
    round: (startedAt, change = {}) => {
      clock.now = startedAt;
      return readNewEvents(environment, { ...parts, ...change });
    },
    found: () => store.failuresIn(environment, ALWAYS, ALWAYS, ALL_FAILURES),
    gaps: () => store.gapsIn(environment, ALWAYS),
  };
}
