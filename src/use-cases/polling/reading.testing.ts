import { ServiceError } from '../../domain/errors.ts';
import { ALL_FAILURES } from '../../domain/failures/failure-filter.ts';
import type { FailureSummary } from '../../domain/failures/tally.ts';
import type { Gap } from '../../domain/polling/gap.ts';
import { at } from '../../domain/service/event.testing.ts';
import type { Store } from '../../store/store.ts';
import { ModelService } from '../model-service.testing.ts';
import { isolateRefused } from './isolate-refused.ts';
import { poll, type ReadingReport } from './poll.ts';
import { type RecheckParts, type RecheckReport, recheckEvents } from './recheck.ts';

export const HORIZON_MS = 72 * 3_600_000;
const ALWAYS = { from: at(-1e7), to: at(1e7) };
const never = new AbortController().signal;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A poll, and the recheck after it. */
export interface PollReport extends ReadingReport, Pick<RecheckReport, 'caughtUp' | 'sweep'> {
  /** The error that kept the past from being checked. */
  readonly trouble: ServiceError | null;
}

/** An environment polled at given times, with a model of its service and a store of its own. */
export interface ReadEnvironment {
  readonly environment: string;
  readonly service: ModelService;
  readonly stop: AbortController;
  /** Operations that take time also advance this clock. */
  readonly clock: { now: Date };
  pollAndRecheck(now: Date, change?: Partial<RecheckParts>): Promise<PollReport>;
  /** Runs the poll alone. */
  poll(now: Date, change?: Partial<RecheckParts>): Promise<ReadingReport>;
  /** Runs the recheck alone. */
  recheck(now: Date, change?: Partial<RecheckParts>): Promise<RecheckReport | null>;
  found(): Promise<FailureSummary>;
  gaps(): Promise<Gap[]>;
}

let environments = 0;

/** Creates an environment that has never been read. */
export function readEnvironment(store: Store): ReadEnvironment {
  environments += 1;
  const environment = `environment-${environments}`;
  const clock = { now: at(0) };
  const now = () => clock.now;
  const service = new ModelService(now);
  const stop = new AbortController();
  const isolated = isolateRefused(store.polling, silent);
  const always = {
    service,
    store: isolated,
    logger: silent,
    now,
    horizonMs: HORIZON_MS,
    pollMs: 60_000,
    signal: stop.signal,
  };
  const parts = { ...always, abortAfter: () => never };
  const pollAt = (startedAt: Date, change: Partial<RecheckParts> = {}) => {
    clock.now = startedAt;
    return poll(environment, { ...parts, ...change });
  };
  const recheck = (change: Partial<RecheckParts> = {}) => recheckEvents(environment, { ...parts, ...change });
  return {
    environment,
    service,
    stop,
    clock,
    poll: pollAt,
    recheck: (startedAt, change) => {
      clock.now = startedAt;
      return recheck(change);
    },
    pollAndRecheck: async (startedAt, change) => {
      const present = await pollAt(startedAt, change);
      return inOne(present, present.isDone ? await recheck(change) : null);
    },
    found: () => store.polling.failuresIn(environment, ALWAYS, ALWAYS, ALL_FAILURES),
    gaps: () => store.polling.gapsIn(environment, ALWAYS),
  };
}

/** An error of the past that isn't the service's is a bug that no test must overlook. */
function inOne(present: ReadingReport, past: RecheckReport | null): PollReport {
  const errors = (past?.troubles ?? []).map(({ error }) => error);
  const bug = errors.find((error) => !(error instanceof ServiceError));
  if (bug !== undefined) throw bug;
  return {
    ...present,
    newEvents: present.newEvents + (past?.newEvents ?? 0),
    newFailures: present.newFailures + (past?.newFailures ?? 0),
    unreadable: present.unreadable + (past?.unreadable ?? 0),
    caughtUp: past?.caughtUp ?? false,
    sweep: past?.sweep ?? null,
    trouble: errors.find((error) => error instanceof ServiceError) ?? null,
  };
}
