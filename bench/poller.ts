import type { AnnounceCtx } from '../src/alerts/announce.ts';
import { explainCause } from '../src/causes/explain-cause.ts';
import { FIRST_COVERAGE_MS } from '../src/coverage/gap.ts';
import { createTraffic } from '../src/judging/traffic.ts';
import { anEnvironment } from '../src/lib/environment.testing.ts';
import { silent } from '../src/lib/logger.testing.ts';
import { createClockGuard } from '../src/lib/time/clock-guard.ts';
import type { PollingCtx } from '../src/polling/reading.ts';
import { createNotificationService, type NotificationService } from '../src/service/operations.ts';
import type { Db } from '../src/store/db.ts';
import type { Generation } from './generated-events.ts';

const HORIZON_MS = 72 * 3_600_000;
export const POLL_MS = 60_000;

/** The time at which a benchmark's poller starts, by its own clock, in milliseconds. */
export const START = Date.parse('2026-03-02T04:00:00.000Z');

/** Defines this many events in the hour that the poller's first poll covers, and as many in each later hour. */
export function generationFor(events: number, failingOneIn: number, start = START): Generation {
  return { firstAt: start - FIRST_COVERAGE_MS, everyMs: FIRST_COVERAGE_MS / events, failingOneIn };
}

/** Creates a client like the bot's, but without a log. */
export function quietService(url: string): NotificationService {
  const environment = anEnvironment({ name: 'bench' });
  return createNotificationService({ environment, url, apiKey: 'bench-key', logger: silent });
}

export function pollerCtx(url: string, db: Db, now = () => new Date(START)): PollingCtx & AnnounceCtx {
  const service = quietService(url);
  return {
    db,
    environments: [],
    logger: silent,
    now,
    horizonMs: HORIZON_MS,
    pollMs: POLL_MS,
    serviceOf: () => service,
    traffic: createTraffic(),
    explainCause,
    clock: createClockGuard({ now, elapsedMs: () => now().getTime() }),
    wakeOutbox: async () => {},
  };
}

export const NEVER = new AbortController().signal;
