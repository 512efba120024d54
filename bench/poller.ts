import { FIRST_COVERAGE_MS } from '../src/domain/polling/reading.ts';
import type { RecheckParts } from '../src/use-cases/polling/recheck.ts';
import type { Generation } from './generated-events.ts';
import { quietService } from './quiet-service.ts';

const silent = () => {};
const SILENT = { debug: silent, info: silent, warn: silent, error: silent };
const HORIZON_MS = 72 * 3_600_000;
const POLL_MS = 60_000;

/** The time at which a benchmark's poller starts, by its own clock, in milliseconds. */
export const START = Date.parse('2026-03-02T04:00:00.000Z');

/** Defines this many events in the hour that the poller's first poll covers, and as many in each later hour. */
export function eventsOfFirstRound(events: number, failingOneIn: number, start = START): Generation {
  return { firstAt: start - FIRST_COVERAGE_MS, everyMs: FIRST_COVERAGE_MS / events, failingOneIn };
}

/** Returns the dependencies of the poller's use case. */
export function pollerParts(url: string, store: RecheckParts['store'], now = () => new Date(START)): RecheckParts {
  const { signal } = new AbortController();
  return {
    service: quietService(url, 'any-key'),
    store,
    logger: SILENT,
    now,
    horizonMs: HORIZON_MS,
    pollMs: POLL_MS,
    abortAfter: AbortSignal.timeout,
    signal,
  };
}
